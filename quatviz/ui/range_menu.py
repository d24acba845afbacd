"""What a person can do with the times in sight, and with those that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from quatviz.ui.plotting.range_band import range_text

if TYPE_CHECKING:
    from quatviz.ui.board import PlotBoard


def add_range(menu: QMenu, board: PlotBoard) -> None:
    """Offer what can be done with the selected times, if there are any."""
    axis = board.axis
    if axis.selected is None:
        hint = menu.addAction("Select times: drag with Shift")
        hint.setEnabled(False)
        return
    menu.addSection(range_text(*axis.selected, axis.sample))
    menu.addAction("Zoom to it\tZ").triggered.connect(axis.show_selected)
    menu.addAction("Loop it").triggered.connect(lambda: board.loop_requested.emit())
    menu.addAction("Clear\tEsc").triggered.connect(lambda: board.range_requested.emit(None))


def add_axis(menu: QMenu, board: PlotBoard) -> None:
    """Offer to move the time axis."""
    axis = board.axis
    menu.addAction("Show the whole run\tShift F").triggered.connect(axis.fit)
    menu.addAction("Zoom in\t+").triggered.connect(lambda: axis.zoom_by_key(1))
    menu.addAction("Zoom out\t−").triggered.connect(lambda: axis.zoom_by_key(-1))
    follow = menu.addAction("Follow the cursor\tShift L")
    follow.setCheckable(True)
    follow.setChecked(axis.following)
    follow.triggered.connect(axis.set_following)
