"""What a person can do with the times in sight, and with those that are selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from quatviz.ui.plotting.range_band import range_text
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.board import PlotBoard


def add_range(menu: QMenu, board: PlotBoard) -> None:
    """Offer what can be done with the selected times, if there are any."""
    axis = board.axis
    if axis.selected is None:
        hint = menu.addAction(tr("Select times: drag with Shift"))
        hint.setEnabled(False)
        return
    menu.addSection(range_text(*axis.selected, axis.sample))
    menu.addAction(tr("Zoom to it\tZ")).triggered.connect(axis.show_selected)
    menu.addAction(tr("Loop it")).triggered.connect(lambda: board.loop_requested.emit())
    menu.addAction(tr("Clear\tEsc")).triggered.connect(lambda: board.range_requested.emit(None))


def add_axis(menu: QMenu, board: PlotBoard) -> None:
    """Offer to move the time axis."""
    axis = board.axis
    menu.addAction(tr("Show the whole run\tShift+F")).triggered.connect(axis.fit)
    menu.addAction(tr("Zoom in\t+")).triggered.connect(lambda: axis.zoom_by_key(1))
    menu.addAction(tr("Zoom out\t−")).triggered.connect(lambda: axis.zoom_by_key(-1))
    follow = menu.addAction(tr("Follow the cursor\tCtrl+F"))
    follow.setCheckable(True)
    follow.setChecked(axis.following)
    follow.triggered.connect(axis.set_following)


def doings_of_axis(board: PlotBoard, say: Callable[[str], None]) -> dict[str, Callable[[], object]]:
    """What the actions of the group Time axis do."""
    axis = board.axis

    def follow() -> None:
        axis.set_following(not axis.following)
        say(tr("The plots follow the cursor") if axis.following else tr("The plots stay where they are"))

    def zoom_to_range() -> None:
        if axis.selected is None:
            say(tr("No times are selected: drag in a plot or on the timeline with Shift"))
        axis.show_selected()

    return {
        "zoom_in": lambda: axis.zoom_by_key(1),
        "zoom_out": lambda: axis.zoom_by_key(-1),
        "earlier": lambda: axis.pan_by_key(-1),
        "later": lambda: axis.pan_by_key(1),
        "fit_time": axis.fit,
        "follow": follow,
        "zoom_range": zoom_to_range,
        "escape": board.escape,
    }
