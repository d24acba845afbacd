"""The time axis that all panels share: what span of the run is seen, how it moves, and which times are selected."""

from collections.abc import Sequence

from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.time_drag import TimeDrag
from quatviz.display.view_state.signal import Told
from quatviz.physics.events.base import Event

FOLLOW_AT = 0.8
"""Where along the axis a playing cursor stops moving and the axis moves instead."""

NOTCH = 1 / 200
"""The least part of the axis by which it rolls on."""

DEEPEST = 8
"""The closest zoom still shows this many samples."""

ZOOM = 1.5
"""By what a key zooms."""

PAN = 0.25
"""Part of the span by which a key pans."""


class TimeAxis:
    """The visible span [low, high] s of a run of `duration` s."""

    def __init__(self) -> None:
        self.changed, self.pointed_changed, self.selected_changed, self.range_wanted = (
            Told() for _ in range(4)
        )
        """Of the last is told that a person wants to select the times from a to b [s], or none."""
        self.low = 0.0
        self.high = 1.0
        self.duration = 1.0
        self.pointed: float | None = None
        """The time under the mouse, if it is over a plot [s]."""
        self.budget = FrameBudget()
        """What all plots together may draw anew: that of the last frame."""
        self.events: tuple[Event, ...] = ()
        """What happens on the way, marked in every plot."""
        self.following = True
        """Whether the axis moves with a playing cursor that would leave it."""
        self.selected: tuple[float, float] | None = None
        """The times from a to b [s] that a person has selected."""
        self.drag = TimeDrag()
        """Of the mouse over times; what is selected comes back with the next frame."""
        self._least = 1e-6
        self.patient = False
        """Whether nobody waits for a picture: those of a film are all fine and whole."""
        self._cursor = 0.0
        self._kept = False
        """Whether the span that was asked for is kept though the cursor is beside it."""
        self._owed = 0.0

    def start(
        self, duration: float, sample_interval: float, events: Sequence[Event] = (), keep: bool = False
    ) -> None:
        """A run begins: see all of it. `keep` says that it takes the place of one like it: if it is as long, the same
        times stay in sight."""
        keep = keep and duration == self.duration
        self.events = tuple(events)
        self.duration = max(duration, 1e-9)
        self.drag.sample = sample_interval
        self._least = min(DEEPEST * sample_interval, self.duration)
        self._cursor = self._owed = 0.0
        self.drag.end()
        if keep:
            self._set(self.low, self.high)
        else:
            self.fit()

    def extend(self, duration: float) -> None:
        """The run became longer (or shorter); a whole view stays whole."""
        if duration == self.duration or duration <= 0:
            return
        whole = self.whole
        self.duration = duration
        self._set(0.0, duration) if whole else self._set(self.low, self.high)

    @property
    def span(self) -> float:
        return self.high - self.low

    @property
    def whole(self) -> bool:
        """Whether the whole run is seen."""
        return self.low <= 0.0 and self.high >= self.duration

    @property
    def coarse(self) -> bool:
        """Whether curves may be drawn coarsely: the axis has just leapt elsewhere, and all of them are to be drawn."""
        return self.budget.coarse

    def _leap(self) -> None:
        """All curves are about to be drawn anew, and maybe soon again."""
        if not self.patient:
            self.budget.leap()

    def fit(self) -> None:
        self._set(0.0, self.duration)

    def zoom(self, factor: float, about: float) -> None:
        """Show `factor` times the span, keeping the time `about` where it is."""
        span = min(max(self.span * factor, self._least), self.duration)
        part = (about - self.low) / self.span
        low = about - part * span
        self._leap()
        self._set(low, low + span)

    def pan(self, seconds: float) -> None:
        self._leap()
        self._roll(seconds)

    def _roll(self, seconds: float) -> None:
        self._set(self.low + seconds, self.high + seconds)

    def zoom_by_key(self, steps: int) -> None:
        """Zoom in by `steps`, or out, about the cursor if it is in sight, else about the middle."""
        seen = self.low <= self._cursor <= self.high
        self.zoom(ZOOM**-steps, self._cursor if seen else (self.low + self.high) / 2)

    def pan_by_key(self, steps: int) -> None:
        """Show later times, or earlier ones."""
        self.pan(steps * PAN * self.span)

    def show_selected(self) -> None:
        """See the selected times, and no others."""
        if self.selected is not None:
            low, high = self.selected
            extra = max(self._least - (high - low), 0.0) / 2
            self._set(low - extra, high + extra)

    def take_range(self, selected: tuple[float, float] | None) -> None:
        """These times are selected, or none."""
        if selected != self.selected:
            self.selected = selected
            self.selected_changed.emit()

    def point(self, time: float | None) -> None:
        """The mouse is over `time`, or over no plot."""
        if time != self.pointed:
            self.pointed = time
            self.pointed_changed.emit()

    def follow(self, time: float, heading: float | None = None) -> None:
        """Keep a moving cursor in sight: roll on with it near the edge, jump only where it jumps.

        A cursor that a person has panned away from stays out of sight until it is pointed at again;
        one that is bound for a `heading` [s] beside what a person wants to see, until it gets there.
        """
        last, self._cursor = self._cursor, time
        if self._kept and not self.low <= (time if heading is None else heading) <= self.high:
            return
        self._kept = False
        if not self.following or self.whole or time == last or not self.low <= last <= self.high:
            return
        part, step = (time - self.low) / self.span, time - last
        rolling = (part > FOLLOW_AT and step > 0) or (part < 1 - FOLLOW_AT and step < 0)
        if rolling and abs(step) < 0.1 * self.span:
            # By whole pixels or so: each move draws every curve anew.
            self._owed += step
            if abs(self._owed) >= self.span * NOTCH:
                self._roll(self._owed)
                self._owed = 0.0
        elif not 0.0 <= part <= 1.0:
            self.pan(time - (self.low + self.high) / 2)

    def show_span(self, span: Sequence[float]) -> None:
        """Show the times from a to b [s], or the whole run where there are none."""
        low, high = span or (0.0, self.duration)
        self._set(low, max(high, low + self._least))
        self._kept = True

    def _set(self, low: float, high: float) -> None:
        span = min(high - low, self.duration)
        low = min(max(low, 0.0), self.duration - span)
        high = low + span
        if (low, high) != (self.low, self.high):
            self.low, self.high = low, high
            self.changed.emit()


def time_intervals(width: float) -> int:
    """How many ticks of time fit below a plot of this width [pixels]."""
    return max(2, int(width // 64))
