"""Scroll areas, and the order in which the Tab key visits their widgets."""

from collections.abc import Iterator
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

from quatviz.ui.widgets.callouts import Callout
from quatviz.ui.widgets.focus import enclosing_scroll_area, focus_chain, visible_widget_at, widget_in_use
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.layouts import wrap_layout


def make_scroll_area(layout: QLayout, area: QScrollArea | None = None) -> QScrollArea:
    """This layout in an area that scrolls it up and down and leaves the keys to what is inside."""
    area = area or QScrollArea()
    area.setWidget(wrap_layout(layout))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class VerticalScrollArea(Guarded, QScrollArea):
    """Scrolls up and down, and is as wide as the words need that cannot wrap, in the type of now."""

    layout_changed = Signal()
    """It may need another width."""

    def minimumSizeHint(self) -> QSize:
        content, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = 0 if content is None else content.minimumSizeHint().width() + bar
        return QSize(width, super().minimumSizeHint().height())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part has other words, or another type
            self.updateGeometry()
            self.layout_changed.emit()
        return bool(super().viewportEvent(event))


class CompactScrollArea(VerticalScrollArea):
    """Words as high as they are, and where there is less room they scroll, two lines in sight."""

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
"""So many turns of the event loop it takes at most until what has come or gone is laid out: words that wrap are given too much
height at first, and their own later."""


_PINNED_POSITIONS: WeakKeyDictionary[QWidget, int] = WeakKeyDictionary()
"""The heights in their views at which widgets are kept, while they are."""


def preserve_scroll_position(content: QWidget) -> None:
    """Keep what a user looks at in place while something above it in a scrolled area comes or goes.

    That is the widget that is dragged, has the focus or gave it back last; otherwise what is in the middle of a scrolled area.
    """
    area, widget = enclosing_scroll_area(content), QWidget.keyboardGrabber() or widget_in_use()
    if area is None:
        return
    view, bar = area.viewport(), area.verticalScrollBar()
    if widget is None or not view.isAncestorOf(widget):
        widget = visible_widget_at(view, view.rect().center()) if bar.value() else None
    if widget is None:
        return
    # By a call whose turns are not over it is kept already: it has moved, and is not where it was.
    pinned_y = _PINNED_POSITIONS.setdefault(widget, widget.mapTo(view, QPoint()).y())

    def restore_position(passes: int = _MAX_LAYOUT_PASSES) -> None:
        is_inside = isValid(view) and view.isAncestorOf(widget)
        if not (passes and is_inside):
            _PINNED_POSITIONS.pop(widget, None)
        if not is_inside:
            return  # it has been taken elsewhere meanwhile
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bar.setValue(bar.value() + widget.mapTo(view, QPoint()).y() - pinned_y)
        if passes:
            QTimer.singleShot(0, widget, lambda: restore_position(passes - 1))

    QTimer.singleShot(0, widget, restore_position)


def _widgets_in_layout(layout: QLayout) -> Iterator[QWidget]:
    """All widgets in a layout, and in the layouts of these, one after another. None is asked for by `itemAt`: PySide keeps what
    that gives while the layout stands, also where Qt deletes it, and dies of the next thing that Qt makes in its place."""
    items: list[QWidget | QLayout] = [
        child
        for child in (*layout.children(), *layout.parentWidget().children())
        if isinstance(child, QWidget | QLayout) and layout.indexOf(child) >= 0
    ]
    for item in sorted(items, key=layout.indexOf):
        inner_layout = item if isinstance(item, QLayout) else item.layout()
        yield from [item] if isinstance(item, QWidget) else []
        yield from [] if inner_layout is None else _widgets_in_layout(inner_layout)


def set_tab_order_from_layout(layout: QLayout) -> None:
    """Let Tab lead through what stands in a layout from one to the next: Qt has it lead to what was made last in the end. What
    callouts say still follows their fields."""
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
        for callout in container.window().findChildren(Callout):
            callout.update_tab_order()
