"""Functions and classes that build layouts of widgets."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.guard import Guarded

LayoutItem = QWidget | QLayout | int | None | tuple[QWidget | QLayout, int]
"""An item of a layout: a widget or a layout; one of these paired with its stretch factor; an int for a gap [pixels]; or
None for a stretch."""


def column(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QVBoxLayout:
    """Return a vertical layout.

    Parameters
    ----------
    items
        Items from top to bottom, see `LayoutItem`.
    gap
        Spacing between items [pixels].
    margins
        Left, top, right and bottom margins, or one value for all [pixels].
    """
    return _fill_layout(QVBoxLayout(), items, gap, margins)


def row(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QHBoxLayout:
    """Return a horizontal layout; parameters as for `column`, from left to right."""
    return _fill_layout(QHBoxLayout(), items, gap, margins)


_BoxLayout = TypeVar("_BoxLayout", QVBoxLayout, QHBoxLayout)


def _fill_layout(
    box: _BoxLayout, items: Sequence[LayoutItem], gap: int, margins: int | tuple[int, int, int, int]
) -> _BoxLayout:
    box.setSpacing(gap)
    box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    for spec in items:
        item, stretch = spec if isinstance(spec, tuple) else (spec, 0)
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QWidget):
            box.addWidget(item, stretch)
        else:
            box.addLayout(item, stretch)
    return box


class WrappedRow(Guarded, QWidget):
    """A row of widgets that continues on a new line where the width is used up. Its minimum width is that of its widest
    widget. If all widgets are on one line, the last one is at the right.

    It is a widget rather than a `QLayout`, because a layout in Python has to keep `QLayoutItem` objects that Qt deletes.

    Parameters
    ----------
    widgets
        Widgets from left to right.
    gap
        Spacing between widgets [pixels].
    """

    def __init__(self, *widgets: QWidget, gap: int = GRID_UNIT) -> None:
        super().__init__()
        self.widgets, self._gap = widgets, gap
        for widget in widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        sizes = [widget.sizeHint() for widget in self._visible_widgets()]
        width = sum(size.width() for size in sizes) + self._gap * max(len(sizes) - 1, 0)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        size = QSize()
        for widget in self._visible_widgets():
            size = size.expandedTo(widget.minimumSizeHint())
        return size

    def heightForWidth(self, width: int) -> int:
        return max((rectangle.bottom() + 1 for _, rectangle in self._rectangles(width)), default=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_widgets()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # A widget of the row was shown, hidden or has another text.
            self.updateGeometry()
            self._place_widgets()
        return super().event(event)

    def _visible_widgets(self) -> list[QWidget]:
        return [widget for widget in self.widgets if not widget.isHidden()]

    def _place_widgets(self) -> None:
        for widget, rectangle in self._rectangles(self.width()):
            widget.setGeometry(rectangle)

    def _rectangles(self, width: int) -> list[tuple[QWidget, QRect]]:
        """Return the visible widgets with their rectangles, wrapped into lines of this width [pixels]. The widgets of a line are
        vertically centered.
        """
        x = 0
        lines: list[list[tuple[QWidget, QRect]]] = [[]]
        for widget in self._visible_widgets():
            size = widget.sizeHint()
            if x > 0 and x + size.width() > width:
                x = 0
                lines.append([])
            lines[-1].append((widget, QRect(x, 0, min(size.width(), width), size.height())))
            x += size.width() + self._gap
        y = 0
        for line in lines:
            line_height = max((rectangle.height() for _, rectangle in line), default=0)
            for _, rectangle in line:
                rectangle.moveTop(y + (line_height - rectangle.height()) // 2)
            y += line_height + self._gap // 2
        if len(lines) == 1 and len(lines[0]) > 1:
            last = lines[0][-1][1]
            last.moveLeft(width - last.width())
        return [item for line in lines for item in line]


def wrap_layout(layout: QLayout) -> QWidget:
    """Return a widget that contains the layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


class Pane(Guarded, QWidget):
    """A pane of a vertical splitter. Its minimum height fits wrapped text at the current width. By itself, QSplitter
    ignores this height."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self.setLayout(layout)

    def minimumSizeHint(self) -> QSize:
        size, layout = super().minimumSizeHint(), self.layout()
        if self.isVisible() and layout is not None and layout.hasHeightForWidth():
            size.setHeight(max(size.height(), layout.totalMinimumHeightForWidth(self.width())))
        return size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def make_splitter(
    *parts: tuple[QWidget, int], stretch_index: int, orientation: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """Return a splitter of widgets with initial sizes [pixels]. The widget at `stretch_index` takes extra space."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for index, (part, _) in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, int(index == stretch_index))
    splitter.setSizes([size for _, size in parts])
    return splitter


def make_form_layout(rows: Mapping[str, QWidget | QLayout]) -> QFormLayout:
    """Return a form layout with a labeled row for each field."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * GRID_UNIT)
    form.setVerticalSpacing(GRID_UNIT)
    for text, field in rows.items():
        form.addRow(text, field)
        if isinstance(field, QWidget):
            (field.focusProxy() or field).setAccessibleName(text)
    return form
