"""Register of the parts of a window that must be redrawn, with the reasons. It also decides which of these parts a
frame redraws."""

from collections.abc import Hashable
from typing import Literal

from quatviz.display.data.budget import FrameBudget

Reason = Literal[
    "run", "late run", "frame", "rows", "growth", "picture", "coarse", "curves", "header", "values", "screen", "text", "cameras"
]  # fmt: skip
"""Reasons for an update of a part of the window:

- ``run``: the part shows an old run, or none;
- ``late run``: as ``run``, but the part keeps the old run until its turn, because the user drags a value or the run has many lanes;
- ``frame``: the part has shown no frame of this run, or something other than the frame has changed;
- ``rows``: the part has not read the newest rows;
- ``growth``: the picture lacks rows that the part has read;
- ``picture``: the picture is out of date;
- ``coarse``: the picture was drawn coarsely;
- ``curves``: the picture shows the background without curves;
- ``header``: the numbers above the picture may have changed;
- ``values``: the part has not read the values of the frame;
- ``screen``: the drawing is not on the screen yet;
- ``text``: the text does not match the picture;
- ``cameras``: linked cameras have not been synchronized yet.
"""


class Redraws:
    """The parts of one window that need an update, with the reasons, and the drawing budget of the frame.

    A part is marked when something that it shows changes. It then asks this object which updates are due, and needs no
    flags of its own. Costly updates need a grant from the budget of the frame. Updates that were refused are granted in
    the order of their first refusal.

    Examples
    --------
    >>> redraws = Redraws()
    >>> redraws.mark("plot", "picture")
    >>> redraws.is_due("plot", "picture"), redraws.take_picture("plot"), redraws.is_due("plot", "picture")
    (True, True, False)
    """

    def __init__(self) -> None:
        self.budget = FrameBudget()
        """Drawing budget of the present frame. Before the first frame, it grants every request."""
        self._reasons: dict[Hashable, set[Reason]] = {}

    def mark(self, part: Hashable, *reasons: Reason) -> None:
        """Mark a part of the window for an update, with the reasons for it."""
        known = self._reasons.get(part)
        if known is None:
            self._reasons[part] = set(reasons)
        else:
            known.update(reasons)

    def clear(self, part: Hashable, *reasons: Reason) -> None:
        """Remove the given reasons from a part of the window. Without a reason, remove all."""
        known = self._reasons.get(part)
        if known is None:
            return
        known.difference_update(reasons or tuple(known))
        if not known:
            del self._reasons[part]

    def set_due(self, part: Hashable, reason: Reason, is_due: bool) -> None:
        """Mark a part for a reason if `is_due` is True; otherwise remove the reason."""
        if is_due:
            self.mark(part, reason)
        else:
            self.clear(part, reason)

    def is_due(self, part: Hashable, *reasons: Reason) -> bool:
        """Return True if a part of the window is marked for one of the given reasons. Without a reason, return
        True if the part is marked for any reason."""
        known = self._reasons.get(part)
        return known is not None and (not reasons or not known.isdisjoint(reasons))

    def any_due(self, reason: Reason) -> bool:
        """Return True if any part of the window is marked for this reason."""
        return any(reason in reasons for reasons in self._reasons.values())

    # Updates that cost time

    def take_run(self, part: Hashable, name: Hashable, plot_count: float) -> bool:
        """Return True if a part that still shows the old run may switch to the new run in this frame.

        `name` identifies the part in the budget.
        """
        return self.is_due(part, "late run") and self.budget.run_starts.request(name, plot_count)

    def take_rows(self, part: Hashable, name: Hashable, plot_count: float) -> bool:
        """Return True if a part with the reason ``rows`` may read its new rows in this frame."""
        return self.is_due(part, "rows") and self.budget.row_updates.request(name, plot_count)

    def take_picture(
        self,
        part: Hashable,
        name: Hashable = None,
        cost: float = 1.0,
        growth_waits: bool = False,
        min_interval: float = 0.0,
        urgent: bool = False,
    ) -> bool:
        """Return True if a part may draw its picture in this frame, and remove the reasons for it.

        Parameters
        ----------
        part
            The part.
        name
            Key of the part in the budget; `part` itself if None. A part that replaces another one can keep its key.
        cost
            Number of curves that it draws.
        growth_waits
            True to skip a picture that lacks only newly computed rows, because they would hardly be visible.
        min_interval
            Shortest time between two pictures [s], unless `urgent`.
        urgent
            True if the picture must be drawn now.
        """
        if self.is_due(part, "picture"):
            quota = self.budget.redraws
        elif self.is_due(part, "growth") and not growth_waits:
            quota = self.budget.growth_redraws
        else:
            return False
        if not quota.request(part if name is None else name, cost, min_interval, urgent):
            return False
        self.clear(part, "picture", "growth", "curves")
        return True

    def may_draw(self) -> bool:
        """Return True if this frame may draw pictures.

        Frames that move cursors and numbers of a playing run draw none, unless the time axis has just jumped.
        """
        budget = self.budget
        return not (budget.playing and budget.updates_readouts) or budget.is_coarse
