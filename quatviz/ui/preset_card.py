"""What is being shown: the preset's title, source, summary and what to watch."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from quatviz.ui.frame import Frame, Source
from quatviz.ui.theme import UNIT, Theme


class PresetCard(QWidget):
    """Text only; the words come from the preset."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._source, self._summary, self._watch = (_label() for _ in range(4))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        for label in (self._title, self._source, self._summary):
            column.addWidget(label)
        self._bar = QWidget()
        self._bar.setFixedWidth(2)
        self._bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        advice = QHBoxLayout()
        advice.setSpacing(UNIT)
        advice.addWidget(self._bar)
        advice.addWidget(self._watch, 1)
        column.addLayout(advice)
        self.restyle(theme)

    def start(self, source: Source) -> None:
        """A run begins: show its words."""
        info = source.info
        for label, text in (
            (self._title, info.title),
            (self._source, info.source),
            (self._summary, info.summary),
            (self._watch, info.watch),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        self._bar.setVisible(bool(info.watch))

    def show_frame(self, frame: Frame) -> None:
        """Nothing here changes while a run plays."""

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._title.setStyleSheet(f"color: {theme.text}; font-size: {theme.display}px; font-weight: 600;")
        self._source.setStyleSheet(f"color: {theme.muted}; font-size: {theme.small}px;")
        self._summary.setStyleSheet(f"color: {theme.text}; font-size: {theme.normal}px;")
        self._watch.setStyleSheet(f"color: {theme.text}; font-size: {theme.normal}px;")
        self._bar.setStyleSheet(f"background: {theme.accent};")


def _label() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
