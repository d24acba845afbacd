"""Whose turn it is while a run plays: which panels show a frame, and which plots draw the rows that were added."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from quatviz.ui.plotting.digit_turns import DIGITS_INTERVAL
from quatviz.ui.plotting.strip_plot import StripPlot

if TYPE_CHECKING:
    from quatviz.ui.slot import Slot

PANELS_PER_FRAME = 2
"""Panels that show one frame while a run plays."""
LEAP = 12.0
"""Pixels by which a cursor may run ahead of the panels that wait for their turn."""
CURVES_PER_FRAME = 4
"""How many curves are drawn anew in one frame only because rows were added."""


class PanelTurns:
    """Of one board: all panels at rest, and a few at a time while a run plays."""

    def __init__(self) -> None:
        self.waiting: list[Slot] = []
        """Slots that have yet to show the change that is due."""
        self._at = self._time = 0.0

    def whose(self, seen: Sequence[Slot], time: float, pixels: float, whole: bool) -> list[Slot]:
        """Which of the `seen` slots show a frame at `time` [s]: all of them where the `whole` of it is new or rests, or,
        while a run plays, a few when a reader could see a change. A second of the run takes so many `pixels`.

        That is when the cursor has moved by a pixel, or the digits may change again. A run of a minute moves it by a pixel
        in a tenth of a second: painting all plots with every frame of the 3D view would cost as much as the view,
        and show nothing. They take turns, so that no frame waits for all of them, but for a cursor that leaps.
        """
        moved = abs(time - self._time) * pixels
        due = moved >= 1.0 or monotonic() - self._at >= DIGITS_INTERVAL
        if whole or moved >= LEAP or (due and not self.waiting):
            self._at, self._time = monotonic(), time
            self.waiting = list(seen)
        count = len(self.waiting) if whole or moved >= LEAP else PANELS_PER_FRAME
        turn, self.waiting = self.waiting[:count], self.waiting[count:]
        return turn


def renew_some(plots: Sequence[StripPlot]) -> bool:
    """Let the plots that have waited longest draw their new rows; true where others have to wait on.

    Drawing all curves in each frame of a growing run would halve the frame rate for a head start of a
    few hundredths of a second.
    """
    waiting = sorted((plot for plot in plots if plot.waiting), key=lambda plot: -plot.waiting)
    room = CURVES_PER_FRAME
    for done, plot in enumerate(waiting):
        if room <= 0:
            return done < len(waiting)
        plot.renew()
        room -= len(plot.traces)
    return False
