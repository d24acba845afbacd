"""A flat button with a vector icon: a hit target of at least 32 pixels, with a visible focus."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from quatviz.ui.guard import guarded
from quatviz.ui.icons import paths
from quatviz.ui.plotting.style import mixed
from quatviz.ui.theme import Theme
from quatviz.ui.words import keys_text

TARGET = 36


class IconButton(QAbstractButton):
    """`name` is an icon; `what` it does is its tool tip and accessible name; `key` ("Ctrl+Z") does the same."""

    def __init__(
        self, theme: Theme, name: str, what: str, key: str = "", prominent: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._prominent = prominent
        # A click leaves the keys where they were: space must go on playing and pausing.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.say(name, what, key)

    def say(self, name: str, what: str, key: str = "") -> None:
        """Show another icon with another meaning."""
        self._path = paths()[name]
        self.setAccessibleName(what)
        self.setToolTip(f"{what} ({keys_text(key)})" if key else what)
        self.update()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(TARGET, TARGET)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()  # arrows step through time, not through buttons

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ground())
        painter.drawRoundedRect(box, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink())
        painter.translate((self.width() - 16) / 2, (self.height() - 16) / 2)
        painter.drawPath(self._path)
        painter.end()

    def _ground(self) -> QColor:
        theme = self._theme
        if self._prominent:
            part = 0.8 if self.isDown() or self.underMouse() else 1.0
            return mixed(theme.accent, theme.window, part)
        if self.isDown() or self.isChecked():
            return mixed(theme.accent, theme.window, 0.22)
        return QColor(theme.raised) if self.underMouse() else QColor(theme.window)

    def _ink(self) -> QColor:
        theme = self._theme
        if not self.isEnabled():
            return mixed(theme.muted, theme.window, 0.6)
        if self._prominent:
            return QColor(theme.window)
        return QColor(theme.accent if self.isChecked() else theme.text)
