"""Helpers that build layouts."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import (
    Qt,
)
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from quatviz.display.view_state.theme import GRID_UNIT

LayoutItem = QWidget | QLayout | int | None | tuple[QWidget | QLayout, int]
"""An item of a layout: a widget or layout, optionally with a stretch factor; an int is a gap [pixels], None a stretch."""


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


def wrap_layout(layout: QLayout) -> QWidget:
    """Return a widget that contains the layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


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
    """Return a form layout with a labelled row for each field."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * GRID_UNIT)
    form.setVerticalSpacing(GRID_UNIT)
    for text, field in rows.items():
        form.addRow(text, field)
        if isinstance(field, QWidget):
            field.setAccessibleName(text)
    return form
