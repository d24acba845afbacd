"""What of a window has yet to be shown, and why: one set of invalidations, and what decides which of them a frame deals with."""

from collections.abc import Hashable
from typing import Literal

from quatviz.display.data.budget import FrameBudget

Reason = Literal[
    "run", "late run", "frame", "rows", "growth", "picture", "coarse", "curves", "header", "values", "screen", "text", "cameras"
]  # fmt: skip
"""Why a part is due:

- ``run``: it shows another run than the present one, or none;
- ``late run``: the same, while a hand drags a number: it keeps the run before until it has its turn;
- ``frame``: it has shown no frame since its run began, or something other than the frame has changed;
- ``rows``: rows are computed that it has not read;
- ``growth``: its picture lacks rows that it has read;
- ``picture``: its picture shows something else than it should;
- ``coarse``: its picture is drawn coarsely;
- ``curves``: its picture shows the ground without curves;
- ``header``: the numbers above its picture may have changed;
- ``values``: the values of the frame have not been read yet;
- ``screen``: what is drawn has not been brought to the screen;
- ``text``: its words are not those of its picture;
- ``cameras``: linked cameras have yet to come together.
"""


class Redraws:
    """The parts of one window that are due, with the reasons, and the time that a frame has for them.

    A part marks itself, or is marked, when something that it shows has changed, and asks here what to do: no part keeps a flag of
    its own. What costs time is granted by the budget of the frame, in the order in which parts were first refused.

    >>> redraws = Redraws()
    >>> redraws.mark("plot", "picture")
    >>> redraws.is_due("plot", "picture"), redraws.take_picture("plot"), redraws.is_due("plot", "picture")
    (True, True, False)
    """

    def __init__(self) -> None:
        self.budget = FrameBudget()
        """What the present frame may draw; one that nothing has begun refuses nobody."""
        self._reasons: dict[Hashable, set[Reason]] = {}

    def mark(self, part: Hashable, *reasons: Reason) -> None:
        """Note that a part is due for these reasons."""
        known = self._reasons.get(part)
        if known is None:
            self._reasons[part] = set(reasons)
        else:
            known.update(reasons)

    def clear(self, part: Hashable, *reasons: Reason) -> None:
        """Note that a part is not due any more for these reasons, for none at all if none is named."""
        known = self._reasons.get(part)
        if known is None:
            return
        known.difference_update(reasons or tuple(known))
        if not known:
            del self._reasons[part]

    def set_due(self, part: Hashable, reason: Reason, is_due: bool) -> None:
        """Mark a part, or clear it."""
        if is_due:
            self.mark(part, reason)
        else:
            self.clear(part, reason)

    def is_due(self, part: Hashable, *reasons: Reason) -> bool:
        """Return True if a part is due for one of these reasons, for any at all if none is named."""
        known = self._reasons.get(part)
        return known is not None and (not reasons or not known.isdisjoint(reasons))

    def any_due(self, reason: Reason) -> bool:
        """Return True if any part is due for a reason."""
        return any(reason in reasons for reasons in self._reasons.values())

    # What costs time

    def take_run(self, part: Hashable, name: Hashable, plot_count: float) -> bool:
        """Return True if a part that keeps the run before is to show the present one; `name` is what the budget knows it by."""
        return self.is_due(part, "late run") and self.budget.run_starts.request(name, plot_count)

    def take_rows(self, part: Hashable, name: Hashable, plot_count: float) -> bool:
        """Return True if a part that is due for rows is to read them in this frame."""
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
        """Return True if a part is to draw its picture in this frame; then it is not due for it any more.

        Parameters
        ----------
        part
            The part.
        name
            What it is called in the budget, where other parts ask in its place later; the part itself if None.
        cost
            Number of curves that it draws.
        growth_waits
            True if the rows that the picture lacks would hardly be seen.
        min_interval
            Least time from one picture to the next [s], unless it is `urgent`.
        urgent
            True if the picture waits for nothing.
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
        """Return True if this frame draws pictures: not while cursors and digits of a run that plays move, unless the axis has
        just leapt."""
        budget = self.budget
        return not (budget.playing and budget.updates_readouts) or budget.is_coarse
