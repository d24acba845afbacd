"""Scroll areas, and a tab order that follows the layout."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QWidget,
)
from shiboken6 import isValid

from quatviz.ui.widgets.focus import enclosing_scroll_area, focus_chain, visible_widget_at, widget_in_use
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.layouts import WrappedRow, wrap_layout


def make_scroll_area(layout: QLayout, area: QScrollArea | None = None) -> QScrollArea:
    """Return a vertical scroll area that contains a layout. The scroll area does not take the focus."""
    area = area or QScrollArea()
    area.setWidget(wrap_layout(layout))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class VerticalScrollArea(Guarded, QScrollArea):
    """A vertical scroll area, at least as wide as its content requires in the current font."""

    layout_changed = Signal()
    """Emitted when the required width may have changed."""

    def minimumSizeHint(self) -> QSize:
        content, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = 0 if content is None else content.minimumSizeHint().width() + bar
        return QSize(width, super().minimumSizeHint().height())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the text or font of the content changed
            self.updateGeometry()
            self.layout_changed.emit()
        return bool(super().viewportEvent(event))


class CompactScrollArea(VerticalScrollArea):
    """A scroll area that is as high as its text. If there is too little space, it becomes lower, down to two lines, and
    scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        width, content = self.viewport().width(), self.widget()
        return QSize(width, 0 if content is None or width <= 0 else content.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(2 * self.fontMetrics().height(), self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


_MAX_LAYOUT_PASSES = 8
"""Largest number of event loop iterations until a changed layout settles. Several are needed, because wrapped text
first gets too much height."""


@dataclass
class _Pin:
    """State of a widget that is kept in place: its vertical position `y` in the viewport [pixels], and the number of
    layout passes during which it is still kept there."""

    y: int
    passes: int = _MAX_LAYOUT_PASSES


_PINS: WeakKeyDictionary[QWidget, _Pin] = WeakKeyDictionary()
"""Widgets that keep their vertical position in their scroll area while the layout settles."""


def preserve_scroll_position(content: QWidget) -> None:
    """Keep the widget with which the user works in place while widgets above it in a scroll area appear or disappear.

    The widget in use is the one that is dragged, the one with the focus, or the last field that had the focus. If there
    is none in the scroll area, the widget in the middle of a scrolled viewport is kept in place.
    """
    area, widget = enclosing_scroll_area(content), QWidget.keyboardGrabber() or widget_in_use()
    if area is None:
        return
    view, bar = area.viewport(), area.verticalScrollBar()
    if widget is None or not view.isAncestorOf(widget):
        widget = visible_widget_at(view, view.rect().center()) if bar.value() else None
    if widget is None:
        return
    pin = _PINS.get(widget)
    if pin is not None:
        # An earlier call still holds this widget. Its current position is then displaced, so the earlier one counts. One chain of
        # passes serves all calls, since each pass lays out the whole window.
        pin.passes = _MAX_LAYOUT_PASSES
        return
    pin = _PINS[widget] = _Pin(widget.mapTo(view, QPoint()).y())

    def restore_position() -> None:
        is_inside = isValid(view) and view.isAncestorOf(widget)
        if not (pin.passes and is_inside):
            _PINS.pop(widget, None)
        if not is_inside:
            return  # the widget was moved to another parent
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bar.setValue(bar.value() + widget.mapTo(view, QPoint()).y() - pin.y)
        if pin.passes:
            pin.passes -= 1
            QTimer.singleShot(0, widget, restore_position)

    QTimer.singleShot(0, widget, restore_position)


def scroll_when_laid_out(widget: QWidget) -> None:
    """Scroll to a widget that was just added, repeatedly while its layout settles. If the widget is higher than the
    view, its top is shown."""

    def scroll(passes: int) -> None:
        area = enclosing_scroll_area(widget)
        if area is None:
            return
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        view, bar = area.viewport(), area.verticalScrollBar()
        top = widget.mapTo(view, QPoint()).y()
        excess = min(top, top + widget.height() - view.height()) if top >= 0 else top
        if top < 0 or excess > 0:
            bar.setValue(bar.value() + excess)
        if passes:
            QTimer.singleShot(0, widget, lambda: scroll(passes - 1))

    QTimer.singleShot(0, widget, lambda: scroll(2 * _MAX_LAYOUT_PASSES))


def _widgets_in_layout(layout: QLayout) -> Iterator[QWidget]:
    """Yield all widgets of a layout and its nested layouts in order.

    `itemAt` is not used. PySide would keep the returned wrapper as long as the layout exists, even after Qt has deleted the
    item, and crash when the memory address is used again.
    """
    items: list[QWidget | QLayout] = [
        child
        for child in (*layout.children(), *layout.parentWidget().children())
        if isinstance(child, QWidget | QLayout) and layout.indexOf(child) >= 0
    ]
    for item in sorted(items, key=layout.indexOf):
        inner_layout = item if isinstance(item, QLayout) else item.layout()
        yield from [item] if isinstance(item, QWidget) else []
        yield from item.widgets if isinstance(item, WrappedRow) else []
        yield from [] if inner_layout is None else _widgets_in_layout(inner_layout)


def set_tab_order_from_layout(layout: QLayout) -> None:
    """Set the tab order to the order of the widgets in a layout. Qt would use the order in which they were created."""
    container = layout.parentWidget()
    chain = list(focus_chain(container))
    ordered = [
        widget
        for widget in _widgets_in_layout(layout)
        if widget in chain and Qt.FocusPolicy.TabFocus in widget.focusPolicy()
    ]
    if ordered != [widget for widget in chain if widget in ordered]:
        for before, after in pairwise(ordered):
            QWidget.setTabOrder(before, after)
