"""Layouts of widgets beside and below each other."""

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
"""Of a layout: a number is a gap of so many pixels, None takes what room is left, as does a part by the share beside it."""


def column(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QVBoxLayout:
    """Parts below each other, so far apart; `margins` are left, top, right and bottom, or one for all [pixels]."""
    return _fill_layout(QVBoxLayout(), items, gap, margins)


def row(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QHBoxLayout:
    """Parts beside each other, likewise."""
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
    """A widget that is nothing but this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def make_splitter(
    *parts: tuple[QWidget, int], stretch_index: int, orientation: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """Parts with their sizes [pixels], between which a person can draw the line. That of the number `stretch_index` takes what
    room there is more."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for index, (part, _) in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, int(index == stretch_index))
    splitter.setSizes([size for _, size in parts])
    return splitter


def make_form_layout(rows: Mapping[str, QWidget | QLayout]) -> QFormLayout:
    """Fields below each other, each with its name."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * GRID_UNIT)
    form.setVerticalSpacing(GRID_UNIT)
    for text, field in rows.items():
        form.addRow(text, field)
        if isinstance(field, QWidget):
            field.setAccessibleName(text)
    return form
