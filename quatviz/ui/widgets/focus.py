"""Widgets within widgets: which there are, which is seen at a place, where Tab leads.

`findChildren(QWidget)`, `childAt` and `previousInFocusChain` would tell it too, but PySide ties what they give to the widget that
is asked: of each part that Qt itself has made, as of lists and scroll bars, a shell would be kept for as long as that one lives.
"""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def widgets_in(part: QWidget) -> Iterator[QWidget]:
    """All widgets within one, each before those in it."""
    for one in part.children():
        if isinstance(one, QWidget):
            yield one
            yield from widgets_in(one)


def seen_at(part: QWidget, point: QPoint) -> QWidget | None:
    """The innermost widget that is seen at a point of a part, if any is."""
    for one in reversed(part.children()):
        if (
            isinstance(one, QWidget)
            and not one.isWindow()
            and one.isVisible()
            and one.geometry().contains(point)
        ):
            return seen_at(one, one.mapFrom(part, point)) or one
    return None


def in_order(start: QWidget) -> Iterator[QWidget]:
    """The widgets that Tab could lead to from there, in its order, once around the window."""
    one = start.nextInFocusChain()
    while one is not None and one is not start:
        yield one
        one = one.nextInFocusChain()


def in_tabs(start: QWidget, on: bool = True, part: QWidget | None = None) -> QWidget | None:
    """Where Tab leads from there, or back where it is not `on`; within a `part` of the window, if one is given. None where
    nothing can be seen."""
    for one in in_order(start) if on else reversed(list(in_order(start))):
        inside = part is None or part.isAncestorOf(one)
        if inside and one.isVisible() and one.isEnabled() and Qt.FocusPolicy.TabFocus in one.focusPolicy():
            return one
    return None


def in_sight(widget: QWidget | None) -> None:
    """Scroll whatever it stands in until it is seen: Qt does so where Tab led there from within."""
    part = widget
    while widget is not None and part is not None:
        part = part.parentWidget()
        if isinstance(part, QScrollArea):
            part.ensureWidgetVisible(widget)
