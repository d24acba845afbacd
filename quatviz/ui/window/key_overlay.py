"""The list of all keys, laid over the window until Escape, or any click, takes it away."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.teaching.help.actions import Act, Menu, key_text, placed
from quatviz.ui.widgets.actions import keeps_plain
from quatviz.ui.widgets.controls import label, row
from quatviz.ui.widgets.style import Painted, clear

_COLUMNS = (
    ("Run", "Time axis", "Help"),
    ("View", "Lanes", "Lessons"),
    ("File", "Edit", "Experiment"),
)
"""Menus that are headings of three columns, so that it fits the height of a small screen; below stands what is in a menu, and in
the menus in it that are no headings."""


_LEAST = 10
"""Type [pixels] that is not gone below."""


def grouped(table: Sequence[Menu[Any]]) -> dict[str, list[Act[Any]]]:
    """What has a key, by the innermost heading that leads to it."""
    groups: dict[str, list[Act[Any]]] = {name: [] for column in _COLUMNS for name in column}
    for menus, act in placed(table):
        if act.keys:
            groups[next(menu.name for menu in reversed(menus) if menu.name in groups)].append(act)
    return groups


class KeyOverlay(Painted, QWidget):
    """Made from the table that binds the keys, so that it cannot say anything else."""

    def __init__(self, window: QWidget, table: Sequence[Menu[Any]]) -> None:
        super().__init__(window)
        groups = grouped(table)
        self._window = window
        self._card = QWidget(self)
        self._card.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        columns = [self._column(headings, groups) for headings in _COLUMNS]
        self._columns = row(*columns, gap=4 * UNIT, margins=(3 * UNIT, 2 * UNIT) * 2)
        self._card.setLayout(self._columns)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("All keys"))
        self.hide()
        window.installEventFilter(self)

    def toggle(self) -> None:
        """Show it, or take it away."""
        self.setVisible(not self.isVisible())
        if self.isVisible():
            self._cover()
            self.raise_()
            self.setFocus()

    def follow_theme(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self._cover)  # when its words have followed too

    @staticmethod
    def _column(headings: Sequence[str], groups: Mapping[str, Sequence[Act[Any]]]) -> QGridLayout:
        grid, line = QGridLayout(), 0
        grid.setHorizontalSpacing(3 * UNIT)
        grid.setVerticalSpacing(UNIT // 4)
        for name in headings:
            heading = label("heading", tr(name), wraps=False)
            heading.setContentsMargins(0, UNIT if line else 0, 0, 0)
            grid.addWidget(heading, line, 0, 1, 2)
            for act in groups[name]:
                line += 1
                grid.addWidget(QLabel(tr(act.text)), line, 0)
                grid.addWidget(label("muted", key_text(act), wraps=False), line, 1)
            line += 1
        grid.setRowStretch(line, 1)
        return grid

    def _cover(self) -> None:
        """Lie over the whole window, in the largest type in which all keys are seen."""
        self.setGeometry(self._window.rect())
        for pixels in range(self.theme.normal, _LEAST, -1):
            self._card.setStyleSheet(
                f"QLabel {{ font-size: {pixels}px; }} QLabel#heading {{ font-size: {pixels + 2}px; }}"
            )
            self._columns.invalidate()
            self._columns.activate()  # or it would go by the type of before
            self._card.adjustSize()
            if self.rect().contains(self._card.rect()):
                break
        self._card.move(self.rect().center() - self._card.rect().center())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._cover()
        return False

    def event(self, event: QEvent) -> bool:
        """Plain keys are the list's: some look for a word by typing it."""
        return keeps_plain(event) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def draw(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), clear(self.theme.window, 0.72))
        painter.setPen(QColor(self.theme.line))
        painter.setBrush(QColor(self.theme.raised))
        painter.drawRoundedRect(QRectF(self._card.geometry()), UNIT, UNIT)
