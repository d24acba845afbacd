"""Faults of a layout, found by geometry: text wider or higher than its widget, siblings that overlap, and cut widgets."""

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QScrollBar,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from quatviz.ui.widgets.labels import ElidedLabel

_OVERLAYS = {
    ("MagnificationBox", "SceneView"),
    ("IconButton", "LegendRow"),
    ("QWidget", "StatusRow"),
}
"""Types of siblings that overlap by design: a widget over a picture that leaves room for it, and a temporary message."""
_TOLERANCE = 1
"""Rounding of fonts and layouts [pixels]."""


def layout_faults(root: QWidget) -> list[str]:
    """Return a sentence for each fault among the visible widgets of a window."""
    faults = []
    for parent in (root, *_visible_descendants(root)):
        faults += [
            f"{_path(parent, root)}: {fault}" for fault in (*_text_faults(parent), *_child_faults(parent))
        ]
    return faults


def _visible_descendants(parent: QWidget) -> Iterator[QWidget]:
    for child in _visible_children(parent):
        yield child
        yield from _visible_descendants(child)


def _visible_children(parent: QWidget) -> list[QWidget]:
    children = (child for child in parent.children() if isinstance(child, QWidget))
    return [
        child
        for child in children
        if child.isVisible() and not child.isWindow() and not child.size().isEmpty()
    ]


def _text_faults(widget: QWidget) -> Iterator[str]:
    """Describe text that its widget cuts. An `ElidedLabel` and a button that paints itself shorten their text themselves."""
    metrics = widget.fontMetrics()
    if isinstance(widget, ElidedLabel):
        return
    if isinstance(widget, QLabel) and widget.text():
        needed, room = (
            widget.heightForWidth(widget.width()) if widget.wordWrap() else widget.sizeHint().height(),
            widget.height(),
        )
        if needed > room + _TOLERANCE:
            yield f"{widget.text()!r} needs a height of {needed}, not {room}"
        if not widget.wordWrap() and widget.sizeHint().width() > widget.width() + _TOLERANCE:
            yield f"{widget.text()!r} needs a width of {widget.sizeHint().width()}, not {widget.width()}"
    elif isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, widget).width()
        needed = metrics.horizontalAdvance(widget.currentText())
        if needed > room:  # a missing pixel is enough to elide the text
            yield f"{widget.currentText()!r} needs a width of {needed}, not {room}"
    elif isinstance(widget, QLineEdit) and not widget.text():
        needed, room = metrics.horizontalAdvance(widget.placeholderText()), widget.contentsRect().width()
        if needed > room:
            yield f"{widget.placeholderText()!r} needs a width of {needed}, not {room}"
    elif isinstance(widget, QAbstractButton) and widget.text() and "sizeHint" not in vars(type(widget)):
        needed = widget.sizeHint().width()
        if needed > widget.width() + _TOLERANCE:
            yield f"{widget.text()!r} needs a width of {needed}, not {widget.width()}"


def _child_faults(parent: QWidget) -> Iterator[str]:
    """Describe children that overlap, or that their parent cuts. What scrolls may be larger than its viewport."""
    if isinstance(parent, (QSplitter, QMenuBar, QAbstractScrollArea, QComboBox)):
        return
    children = [child for child in _visible_children(parent) if not isinstance(child, QScrollBar)]
    is_viewport = isinstance(parent.parent(), QAbstractScrollArea)
    room = parent.rect().adjusted(-_TOLERANCE, -_TOLERANCE, _TOLERANCE, _TOLERANCE)
    for child in children:
        if not is_viewport and not room.contains(child.geometry()):
            yield f"{_name(child)} at {_text(child.geometry())} is cut by {_text(parent.rect())}"
    for first, second in combinations(children, 2):
        if tuple(sorted((type(first).__name__, type(second).__name__))) in _OVERLAYS:
            continue
        overlap = first.geometry().intersected(second.geometry())
        if overlap.width() > _TOLERANCE and overlap.height() > _TOLERANCE:
            yield f"{_name(first)} and {_name(second)} overlap at {_text(overlap)}"


def _path(widget: QWidget, root: QWidget) -> str:
    corner = widget.mapTo(root, QPoint()) if widget is not root else QPoint()
    return f"{_name(widget)} at ({corner.x()}, {corner.y()})"


def _name(widget: QWidget) -> str:
    label = widget.accessibleName() or widget.objectName()
    return f"{type(widget).__name__} {label!r}" if label else type(widget).__name__


def _text(rect: QRect) -> str:
    return f"{rect.width()}x{rect.height()}+{rect.x()}+{rect.y()}"
