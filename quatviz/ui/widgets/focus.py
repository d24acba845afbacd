"""Widgets within widgets: which there are, which is seen at a place, where Tab leads.

`findChildren(QWidget)`, `childAt` and `previousInFocusChain` would tell it too, but PySide ties what they give to the widget that
is asked: of each part that Qt itself has made, as of lists and scroll bars, a shell would be kept for as long as that one lives.
"""

from collections.abc import Iterator
from weakref import ReferenceType, WeakKeyDictionary, ref

from PySide6.QtCore import (
    QPoint,
    Qt,
)
from PySide6.QtWidgets import (
    QApplication,
    QScrollArea,
    QWidget,
)
from shiboken6 import isValid

_RELEASED_FIELDS: WeakKeyDictionary[QWidget, ReferenceType[QWidget]] = WeakKeyDictionary()
"""By window, the field that gave the focus back last."""


def release_focus(field: QWidget) -> None:
    """Give the focus of a field back to its window, unless another widget has it already."""
    if field.hasFocus():
        window = field.window()
        _RELEASED_FIELDS[window] = ref(field)
        window.setFocus()


def widget_in_use() -> QWidget | None:
    """Return the widget with the focus; for a window that has it itself, the field that gave it back last."""
    widget = QApplication.focusWidget()
    released = _RELEASED_FIELDS.get(widget) if widget is not None and widget.isWindow() else None
    field = released() if released is not None else None
    return field if field is not None and isValid(field) else widget


def iter_descendants(parent: QWidget) -> Iterator[QWidget]:
    """All widgets within one, each before those in it."""
    for child in parent.children():
        if isinstance(child, QWidget):
            yield child
            yield from iter_descendants(child)


def visible_widget_at(parent: QWidget, point: QPoint) -> QWidget | None:
    """The innermost widget that is seen at a point of a part, if any is."""
    for child in reversed(parent.children()):
        if (
            isinstance(child, QWidget)
            and not child.isWindow()
            and child.isVisible()
            and child.geometry().contains(point)
        ):
            return visible_widget_at(child, child.mapFrom(parent, point)) or child
    return None


def focus_chain(start: QWidget) -> Iterator[QWidget]:
    """The widgets that Tab could lead to from there, in its order, once around the window."""
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        yield widget
        widget = widget.nextInFocusChain()


def next_tab_stop(start: QWidget, forward: bool = True, container: QWidget | None = None) -> QWidget | None:
    """Where Tab leads from there, or back where it is not `on`; within a `container` of the window, if one is given. None where
    nothing can be seen."""
    for widget in focus_chain(start) if forward else reversed(list(focus_chain(start))):
        is_inside = container is None or container.isAncestorOf(widget)
        if (
            is_inside
            and widget.isVisible()
            and widget.isEnabled()
            and Qt.FocusPolicy.TabFocus in widget.focusPolicy()
        ):
            return widget
    return None


def scroll_into_view(widget: QWidget | None) -> None:
    """Scroll whatever it stands in until it is seen: Qt does so where Tab led there from within."""
    ancestor = widget
    while widget is not None and ancestor is not None:
        ancestor = ancestor.parentWidget()
        if isinstance(ancestor, QScrollArea):
            ancestor.ensureWidgetVisible(widget)


def enclosing_scroll_area(widget: QWidget) -> QScrollArea | None:
    """What scrolls it, if anything does."""
    ancestor = widget.parentWidget()
    while ancestor is not None and not isinstance(ancestor, QScrollArea):
        ancestor = ancestor.parentWidget()
    return ancestor
