"""Floating messages beside a widget or at a point."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QRect,
    Qt,
)
from PySide6.QtGui import (
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QWidget,
)
from shiboken6 import isValid

from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.focus import enclosing_scroll_area, iter_descendants
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import MessageLabel
from quatviz.ui.widgets.style import theme_of

_CALLOUT_WIDTH = 320
"""Width of a callout [pixels]."""


_GEOMETRY_EVENTS = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Callout(Guarded, MessageLabel):
    """A message that floats beside a field or its scroll area without moving other widgets.

    If neither side of the window has room, it appears below the field. It follows the field, and a click hides it until the
    next message.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__((2 * GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT))
        self.setObjectName("popup")
        self.setParent(field)  # without a parent it would be a window until the first message
        self._field, self._has_message = field, False

    def show_message(self, text: str, topic: str = "") -> None:
        window = self._field.window()
        if text and self.parent() is not window:
            if self.parent() is self._field:
                self._field.destroyed.connect(self.deleteLater)  # its parent is now the window
            self.setParent(window)
            ancestor: QWidget | None = self._field
            while ancestor is not None and ancestor is not window:
                ancestor.installEventFilter(self)
                ancestor = ancestor.parentWidget()
        self._has_message = bool(text)
        super().show_message(text, topic)
        if text:
            self.update_tab_order()
        self._update_position()

    def update_tab_order(self) -> None:
        """Place the links of the message after the field in the tab order. Open drop-down lists are separate windows."""
        if not isValid(self._field):
            return  # the callout is deleted in the next turn of the event loop
        tab_stops = [
            widget
            for widget in iter_descendants(self._field)
            if Qt.FocusPolicy.TabFocus in widget.focusPolicy() and widget.window() is self.window()
        ]
        for before, after in pairwise((*(tab_stops or [self._field])[-1:], *self.findChildren(QuietButton))):
            QWidget.setTabOrder(before, after)

    def _update_position(self) -> None:
        """Move the callout beside the field, or hide it while the field is out of sight."""
        field, window, width = self._field, self._field.window(), theme_of(self).scaled_pixels(_CALLOUT_WIDTH)
        self.setVisible(self._has_message and not field.visibleRegion().isEmpty())
        if not self._has_message:
            return
        popups = (popup for popup in window.findChildren(QFrame, "popup") if popup.isAncestorOf(field))
        area = enclosing_scroll_area(field) or next(popups, window)
        anchor, position = field if area is window else area, field.mapTo(window, QPoint())
        gap = 3 * GRID_UNIT if area is window else GRID_UNIT
        left = anchor.mapTo(window, QPoint()).x()
        x = left + anchor.width() + gap
        if x + width > window.width():
            x = left - gap - width
        if x < 0:
            x, position = position.x(), position + QPoint(0, field.height())
        height = self._column_layout.totalHeightForWidth(width)
        top = area.mapTo(window, QPoint()).y()
        box = QRect(x, min(max(position.y(), top), top + area.height() - height), width, height)
        for other in window.findChildren(Callout):
            if other is not self and other.isVisible() and other.geometry().intersects(box):
                box.moveTop(other.geometry().bottom() + GRID_UNIT)
                if box.bottom() > top + area.height():
                    box.moveBottom(other.geometry().top() - GRID_UNIT)
        self.setGeometry(box)
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.show_message("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _GEOMETRY_EVENTS and isValid(self._field):
            self._update_position()
        return False


class PointBubble(Guarded, QLabel):
    """Text lines beside a point of a widget, transparent to the mouse.

    It is hidden when the widget is resized, which moves the point, and when the mouse leaves the widget. With
    `rich_text` the lines are HTML.
    """

    def __init__(self, target: QWidget, rich_text: bool = False) -> None:
        super().__init__(target)
        self._target, self._separator = target, "<br>" if rich_text else "\n"
        self.setObjectName("bubble")
        self.setTextFormat(Qt.TextFormat.RichText if rich_text else Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Leave):
            self.hide()
        return False

    def show_at(self, lines: Sequence[str], point: QPoint) -> None:
        """Show lines beside a point, within the widget."""
        self.setText(self._separator.join(lines))
        self.adjustSize()
        target = self._target
        left = point.x() + 2 * GRID_UNIT
        if left + self.width() > target.width():
            left = point.x() - 2 * GRID_UNIT - self.width()
        top = min(max(point.y() - self.height() // 2, 0), max(target.height() - self.height(), 0))
        self.move(max(left, 0), top)
        self.show()
        self.raise_()
