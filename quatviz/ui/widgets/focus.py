"""Traversal of nested widgets: descendants, the visible widget at a point, and the tab order.

`findChildren(QWidget)`, `childAt` and `previousInFocusChain` are avoided: PySide binds the lifetime of the wrappers
they return to the queried widget, so that wrappers of Qt's internal widgets (list viewports, scroll bars) would
accumulate.
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
"""For each window, the field that last gave the focus back to it."""


def release_focus(field: QWidget) -> None:
    """Move the focus from a field to its window. Do nothing if the field does not have the focus."""
    if field.hasFocus():
        window = field.window()
        _RELEASED_FIELDS[window] = ref(field)
        window.setFocus()


class TypedText:
    """Mixin for a field whose text is committed when the focus leaves."""

    def commit_text(self) -> None:
        """Commit the text if the user has changed it."""
        raise NotImplementedError


def commit_typed_text() -> None:
    """Commit the text that the user is typing, so that an action of the window, such as saving, includes it."""
    field = QApplication.focusWidget()
    if isinstance(field, TypedText):
        field.commit_text()


def widget_in_use() -> QWidget | None:
    """Return the widget with the focus. If the window itself has the focus, return the field that last gave it back to the
    window."""
    widget = QApplication.focusWidget()
    released = _RELEASED_FIELDS.get(widget) if widget is not None and widget.isWindow() else None
    field = released() if released is not None else None
    return field if field is not None and isValid(field) else widget


def iter_descendants(parent: QWidget) -> Iterator[QWidget]:
    """Yield all descendants of a widget, parents before children."""
    for child in parent.children():
        if isinstance(child, QWidget):
            yield child
            yield from iter_descendants(child)


def visible_widget_at(parent: QWidget, point: QPoint) -> QWidget | None:
    """Return the innermost visible widget at a point of `parent`, or None."""
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
    """Yield the widgets of the focus chain after `start`, once around the window."""
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        yield widget
        widget = widget.nextInFocusChain()


def next_tab_stop(start: QWidget, forward: bool = True, container: QWidget | None = None) -> QWidget | None:
    """Return the widget to which Tab (or Shift+Tab if `forward` is False) moves the focus from `start`.

    With a container, only widgets in the container are considered. Return None if no widget can take the focus.
    """
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
    """Scroll all enclosing scroll areas until the widget is visible. By itself, Qt scrolls only when Tab moves the
    focus within an area."""
    ancestor = widget
    while widget is not None and ancestor is not None:
        ancestor = ancestor.parentWidget()
        if isinstance(ancestor, QScrollArea):
            ancestor.ensureWidgetVisible(widget)


def enclosing_scroll_area(widget: QWidget) -> QScrollArea | None:
    """Return the innermost scroll area around a widget, or None."""
    ancestor = widget.parentWidget()
    while ancestor is not None and not isinstance(ancestor, QScrollArea):
        ancestor = ancestor.parentWidget()
    return ancestor
