"""The list of all keys, laid over the window until Escape, or any click, takes it away."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from quatviz.ui.guard import guarded
from quatviz.ui.keys import bound, key_text
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

_COLUMNS = (("Playing", "Time axis", "Help"), ("View", "Edit"), ("Preset", "Experiment", "Lesson"))
"""Three, so that it fits the height of a small screen."""


class KeyOverlay(QWidget):
    """Made from the table that binds the keys, so that it cannot say anything else."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._card = QWidget(self)
        self._card.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        columns = QHBoxLayout(self._card)
        columns.setContentsMargins(4 * UNIT, 3 * UNIT, 4 * UNIT, 4 * UNIT)
        columns.setSpacing(5 * UNIT)
        for names in _COLUMNS:
            columns.addLayout(self._column(names))
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

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.update()

    def _column(self, names: tuple[str, ...]) -> QGridLayout:
        grid, row, groups = QGridLayout(), 0, bound()
        grid.setHorizontalSpacing(3 * UNIT)
        grid.setVerticalSpacing(UNIT // 2)
        for name in names:
            heading = QLabel(tr(name))
            heading.setObjectName("heading")
            heading.setContentsMargins(0, 2 * UNIT if row else 0, 0, UNIT // 2)
            grid.addWidget(heading, row, 0, 1, 2)
            for key in groups[name]:
                row += 1
                keys = QLabel(key_text(key))
                keys.setObjectName("muted")
                grid.addWidget(QLabel(tr(key.text)), row, 0)
                grid.addWidget(keys, row, 1)
            row += 1
        grid.setRowStretch(row, 1)
        return grid

    def _cover(self) -> None:
        self.setGeometry(self._window.rect())
        self._card.adjustSize()
        self._card.move(self.rect().center() - self._card.rect().center())

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._cover()
        return False

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            event.ignore()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.window)
        veil.setAlphaF(0.72)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QColor(self._theme.line))
        painter.setBrush(QColor(self._theme.raised))
        painter.drawRoundedRect(QRectF(self._card.geometry()), UNIT, UNIT)
        painter.end()
