"""Messages below a field, with a space that opens and closes smoothly."""

from itertools import pairwise

from PySide6.QtCore import (
    QEvent,
    QPauseAnimation,
    QSequentialAnimationGroup,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.focus import iter_descendants, scroll_into_view
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import MessageLabel
from quatviz.ui.widgets.layouts import column, wrap_layout

CLICK_MS = 250
"""Delay [ms] of layout changes that occur while a mouse button is pressed. The press may be part of a click, whose
target must not move."""


class InlineMessage(MessageLabel):
    """A message below a field. Add its `space` to a layout without spacing, directly below the field.

    In the tab order, the message's link to the help follows the field.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__((0, GRID_UNIT // 2, 0, 0))
        self.field = field
        self.space = _MessageSpace(self)

    def show_message(self, text: str, topic: str = "") -> None:
        super().show_message(text, topic)
        if text and self.space.parentWidget() is not None:
            self.space.show()  # a layout shows a widget that was just added only in the next turn of the event loop
            self._set_tab_order()

    def _set_tab_order(self) -> None:
        """Put the buttons of the message, such as the help link, directly after the field in the tab order.

        Tab stops of the field in other windows, such as an open drop-down list, are ignored.
        """
        tab_stops = [
            widget
            for widget in iter_descendants(self.field)
            if Qt.FocusPolicy.TabFocus in widget.focusPolicy()
            and widget.window() is self.window()
            and not self.isAncestorOf(widget)
        ]
        for before, after in pairwise((*(tab_stops or [self.field])[-1:], *self.findChildren(QuietButton))):
            QWidget.setTabOrder(before, after)


def with_message(field: QWidget, message: InlineMessage) -> QWidget:
    """Return a widget with a field and its message below. If this widget gets the focus, it passes the focus to the field."""
    block = wrap_layout(column(field, message.space, gap=0))
    block.setFocusProxy(field)
    return block


class _MessageSpace(Guarded, QWidget):
    """Space for a message. It is as high as the message, and has no height while there is no message.

    The height changes smoothly, so that the user sees where the fields below move. Changes that occur while a mouse
    button is pressed are delayed (`CLICK_MS`), so that a click hits what the user aimed at. During a drag through valid
    and invalid values, this also keeps the layout from shaking.
    """

    def __init__(self, message: InlineMessage) -> None:
        super().__init__()
        self._message = message
        self._height = self._target = 0
        self._pause = QPauseAnimation()
        self._growth = QVariantAnimation()
        self._growth.valueChanged.connect(self._set_height)
        self._animation = QSequentialAnimationGroup(self)
        self._animation.addAnimation(self._pause)
        self._animation.addAnimation(self._growth)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setLayout(column(message, gap=0))

    def hasHeightForWidth(self) -> bool:
        return False  # the height is that of the animation

    def sizeHint(self) -> QSize:
        return QSize(self._message.sizeHint().width(), self._height)

    def minimumSizeHint(self) -> QSize:
        width = 0 if self._message.isHidden() else self._message.minimumSizeHint().width()
        return QSize(width, self._height)

    def event(self, event: QEvent) -> bool:
        done = bool(super().event(event))
        if event.type() == QEvent.Type.LayoutRequest:  # the message appeared, or has another text or font
            self._follow_message(is_animated=True)
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._follow_message(is_animated=False)
        if event.size().height() > event.oldSize().height():
            QTimer.singleShot(0, self, self._scroll_into_view)  # after the scroll area has its new range

    def _follow_message(self, is_animated: bool) -> None:
        """Change the height of the space to that of the message, gradually if `is_animated` is True."""
        is_empty = self._message.isHidden() or self.width() == 0
        target = 0 if is_empty else self._message.heightForWidth(self.width())
        if target == self._target and is_animated:
            return
        self._target = target
        self._animation.stop()
        duration = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self)
        if not (is_animated and duration and self.isVisible()):
            self._set_height(target)
            return
        is_pressed = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._pause.setDuration(CLICK_MS if is_pressed else 0)
        self._growth.setDuration(duration)
        self._growth.setStartValue(self._height)
        self._growth.setEndValue(target)
        self._animation.start()

    def _scroll_into_view(self) -> None:
        if not self._message.field.visibleRegion().isEmpty():
            scroll_into_view(self)

    def _set_height(self, height: int) -> None:
        self._height = height
        self.updateGeometry()
