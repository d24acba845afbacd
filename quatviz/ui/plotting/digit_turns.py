"""Whose digits may change in a frame: numbers are the dearest thing that a frame draws."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from quatviz.ui.plotting.strip_plot import StripPlot

DIGITS_INTERVAL = 0.2
"""Seconds between changes of the digits above a strip while the run plays: nobody reads faster ones."""


class DigitTurns:
    """Of one panel: while it plays, one strip after the other."""

    def __init__(self) -> None:
        self._at = 0.0
        self._turn = 0

    def whose(self, plots: Sequence[StripPlot], playing: bool) -> Sequence[StripPlot]:
        """The plots whose turn it is; all of them at rest."""
        now = monotonic()
        if not playing:
            return plots
        if not plots or now - self._at < DIGITS_INTERVAL / len(plots):
            return []
        self._at = now
        self._turn = (self._turn + 1) % len(plots)
        return [plots[self._turn]]
