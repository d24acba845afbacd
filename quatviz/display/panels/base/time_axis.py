"""The time axis that all panels share: what span of the run is seen, how it moves, and which times are selected."""

from collections.abc import Sequence

from quatviz.display.data.redraws import Redraws
from quatviz.display.data.time_drag import TimeDrag
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.events.base import Event

FOLLOW_POSITION = 0.8
"""Where along the axis a playing cursor stops moving and the axis moves instead."""

MIN_ROLL = 1 / 200
"""The least part of the axis by which it rolls on."""

MIN_VISIBLE_SAMPLES = 8
"""The closest zoom still shows this many samples."""

KEY_ZOOM_FACTOR = 1.5
"""By what a key zooms."""

KEY_PAN_FRACTION = 0.25
"""Part of the span by which a key pans."""


class TimeAxis:
    """The visible span [low, high] s of a run of `duration` s, and the same in the view state of `store`."""

    def __init__(self, store: ViewStore | None = None, redraws: Redraws | None = None) -> None:
        self._store, self.redraws = store or ViewStore(), redraws or Redraws()
        self._store.changed.connect(self._apply_view_change)
        self.changed, self.hovered_changed, self.selected_changed, self.range_requested = (
            Signal() for _ in range(4)
        )
        """Of the last is told that a person wants to select the times from a to b [s], or none."""
        self.low = 0.0
        self.high = 1.0
        self.duration = 1.0
        self.hovered_time: float | None = None
        """The time under the mouse, if it is over a plot [s]."""
        self.events: tuple[Event, ...] = ()
        """What happens on the way, marked in every plot."""
        self.selected: tuple[float, float] | None = None
        """The times from a to b [s] that a person has selected."""
        self.drag = TimeDrag()
        """Of the mouse over times; what is selected comes back with the next frame."""
        self._min_span = 1e-6
        self.is_offline = False
        """Whether nobody waits for a picture: those of a film are all fine and whole."""
        self._cursor = 0.0
        self._holds_span = False
        """Whether the span that was asked for is kept though the cursor is beside it."""
        self._pending_roll = 0.0

    def start(
        self, duration: float, sample_interval: float, events: Sequence[Event] = (), keep: bool = False
    ) -> None:
        """A run begins: see all of it. `keep` says that it takes the place of one like it: if it is as long, the same
        times stay in sight."""
        keep = keep and duration == self.duration
        self.events = tuple(events)
        self.duration = max(duration, 1e-9)
        self.drag.sample_interval = sample_interval
        self._min_span = min(MIN_VISIBLE_SAMPLES * sample_interval, self.duration)
        self._cursor = self._pending_roll = 0.0
        self.drag.end()
        if keep:
            self._set(self.low, self.high)
        else:
            self.show_all()

    def set_duration(self, duration: float) -> None:
        """The run became longer (or shorter); a whole view stays whole."""
        if duration == self.duration or duration <= 0:
            return
        was_full = self.shows_all
        self.duration = duration
        self._set(0.0, duration) if was_full else self._set(self.low, self.high)

    @property
    def follows_cursor(self) -> bool:
        """True if the axis moves with a playing cursor that would leave it."""
        return self._store.state.follow

    @follows_cursor.setter
    def follows_cursor(self, on: bool) -> None:
        self._store.update(follow=on)

    @property
    def visible_span(self) -> tuple[float, ...]:
        """The times from a to b [s] that are seen, as a view state has them: empty for the whole run."""
        return () if self.shows_all else (round_time(self.low), round_time(self.high))

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if new.span != old.span and new.span != self.visible_span:
            self.show_span(new.span)

    @property
    def span(self) -> float:
        return self.high - self.low

    @property
    def shows_all(self) -> bool:
        """Whether the whole run is seen."""
        return self.low <= 0.0 and self.high >= self.duration

    @property
    def is_coarse(self) -> bool:
        """Whether curves may be drawn coarsely: the axis has just leapt elsewhere, and all of them are to be drawn."""
        return self.redraws.budget.is_coarse

    def _note_jump(self) -> None:
        """All curves are about to be drawn anew, and maybe soon again."""
        if not self.is_offline:
            self.redraws.budget.note_axis_jump()

    def show_all(self) -> None:
        self._set(0.0, self.duration)

    def zoom(self, factor: float, center: float) -> None:
        """Show `factor` times the span, keeping the time `center` where it is."""
        span = min(max(self.span * factor, self._min_span), self.duration)
        part = (center - self.low) / self.span
        low = center - part * span
        self._note_jump()
        self._set(low, low + span)

    def pan(self, seconds: float) -> None:
        self._note_jump()
        self._roll(seconds)

    def _roll(self, seconds: float) -> None:
        self._set(self.low + seconds, self.high + seconds)

    def zoom_by_key(self, steps: int) -> None:
        """Zoom in by `steps`, or out, about the cursor if it is in sight, else about the middle."""
        is_cursor_visible = self.low <= self._cursor <= self.high
        self.zoom(KEY_ZOOM_FACTOR**-steps, self._cursor if is_cursor_visible else (self.low + self.high) / 2)

    def pan_by_key(self, steps: int) -> None:
        """Show later times, or earlier ones."""
        self.pan(steps * KEY_PAN_FRACTION * self.span)

    def show_selected(self) -> None:
        """See the selected times, and no others."""
        if self.selected is not None:
            low, high = self.selected
            extra = max(self._min_span - (high - low), 0.0) / 2
            self._set(low - extra, high + extra)

    def set_selected(self, selected: tuple[float, float] | None) -> None:
        """These times are selected, or none."""
        if selected != self.selected:
            self.selected = selected
            self.selected_changed.emit()

    def hover(self, time: float | None) -> None:
        """The mouse is over `time`, or over no plot."""
        if time != self.hovered_time:
            self.hovered_time = time
            self.hovered_changed.emit()

    def follow(self, time: float, target_time: float | None = None) -> None:
        """Keep a moving cursor in sight: roll on with it near the edge, jump only where it jumps.

        A cursor that a person has panned away from stays out of sight until it is pointed at again;
        one that is bound for a `target_time` [s] beside what a person wants to see, until it gets there.
        """
        last, self._cursor = self._cursor, time
        if self._holds_span and not self.low <= (time if target_time is None else target_time) <= self.high:
            return
        self._holds_span = False
        if not self.follows_cursor or self.shows_all or time == last or not self.low <= last <= self.high:
            return
        part, step = (time - self.low) / self.span, time - last
        rolling = (part > FOLLOW_POSITION and step > 0) or (part < 1 - FOLLOW_POSITION and step < 0)
        if rolling and abs(step) < 0.1 * self.span:
            # By whole pixels or so: each move draws every curve anew.
            self._pending_roll += step
            if abs(self._pending_roll) >= self.span * MIN_ROLL:
                self._roll(self._pending_roll)
                self._pending_roll = 0.0
        elif not 0.0 <= part <= 1.0:
            self.pan(time - (self.low + self.high) / 2)

    def show_span(self, span: Sequence[float]) -> None:
        """Show the times from a to b [s], or the whole run where there are none."""
        low, high = span or (0.0, self.duration)
        self._set(low, max(high, low + self._min_span))
        self._holds_span = True

    def _set(self, low: float, high: float) -> None:
        span = min(high - low, self.duration)
        low = min(max(low, 0.0), self.duration - span)
        high = low + span
        if (low, high) != (self.low, self.high):
            self.low, self.high = low, high
            self._store.update(span=self.visible_span)
            self.changed.emit()


def round_time(time: float) -> float:
    """Return a time [s] to nine digits, which no eye tells from more."""
    return float(f"{time:.9g}")


def time_tick_count(width: float) -> int:
    """How many ticks of time fit below a plot of this width [pixels]."""
    return max(2, int(width // 64))
