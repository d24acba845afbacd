"""The time axis that all panels share: visible range, scrolling, and selection."""

from collections.abc import Sequence

import numpy as np

from quatviz.display.data.redraws import Redraws
from quatviz.display.data.time_drag import TimeDrag
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.events.base import Event

FOLLOW_POSITION = 0.8
"""Position of the playing cursor, as a fraction of the axis, at which the axis begins to scroll. The cursor then stands
still on the screen."""

MIN_ROLL = 1 / 200
"""Smallest scroll step, as a fraction of the axis. Each step redraws all curves."""

MIN_VISIBLE_SAMPLES = 8
"""Number of samples that are visible at the closest zoom."""

KEY_ZOOM_FACTOR = 1.5
"""Factor by which one key press zooms the time axis."""

KEY_PAN_FRACTION = 0.25
"""Fraction of the visible range by which a key press pans."""


class TimeAxis:
    """The visible range [low, high] [s] of a run of `duration` [s], kept equal to the view state in `store`."""

    def __init__(self, store: ViewStore | None = None, redraws: Redraws | None = None) -> None:
        self._store, self.redraws = store or ViewStore(), redraws or Redraws()
        self._store.changed.connect(self._apply_view_change)
        self.changed, self.hovered_changed, self.selected_changed, self.range_requested = (
            Signal() for _ in range(4)
        )
        """`changed`, `hovered_changed` and `selected_changed` are emitted after a change of the visible
        range, the hovered time and the selected range. `range_requested` emits the time range (from, to) [s]
        that the user selects, or None."""
        self.low = 0.0
        self.high = 1.0
        self.duration = 1.0
        self.hovered_time: float | None = None
        """Time under the mouse pointer [s]; None if it is over no plot."""
        self.event_times = np.empty(0)
        """Distinct times (m,) [s] of the events, in order. They are marked in every plot."""
        self.selected: tuple[float, float] | None = None
        """Selected time range (from, to) [s]; None for none."""
        self.drag = TimeDrag()
        """Drag of the mouse over times. The resulting selection arrives with the next frame."""
        self._min_span = 1e-6
        self.is_offline = False
        """True if curves are never drawn coarsely, as in the frames of a film."""
        self._cursor = 0.0
        self._holds_span = False
        """True if the time range requested by the user stays visible although the cursor is outside it."""
        self._pending_roll = 0.0

    def start(
        self, duration: float, sample_interval: float, events: Sequence[Event] = (), keep: bool = False
    ) -> None:
        """Start with a new run and show all of it. With `keep`, the visible range stays if the new run has
        the same duration."""
        keep = keep and duration == self.duration
        self.event_times = np.unique(np.array([event.at for event in events], dtype=float))
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
        """Set the duration of the run. If the whole run was visible, it stays so."""
        if duration == self.duration or duration <= 0:
            return
        was_full = self.shows_all
        self.duration = duration
        self._set(0.0, duration) if was_full else self._set(self.low, self.high)

    @property
    def follows_cursor(self) -> bool:
        """True if the axis scrolls when the playing cursor leaves it."""
        return self._store.state.follow

    @follows_cursor.setter
    def follows_cursor(self, on: bool) -> None:
        self._store.update(follow=on)

    @property
    def visible_span(self) -> tuple[float, ...]:
        """Visible range (from, to) [s] as in a view state; () for the whole run."""
        return () if self.shows_all else (round_time(self.low), round_time(self.high))

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if new.span != old.span and new.span != self.visible_span:
            self.show_span(new.span)

    @property
    def span(self) -> float:
        return self.high - self.low

    @property
    def shows_all(self) -> bool:
        """True if the whole run is visible."""
        return self.low <= 0.0 and self.high >= self.duration

    @property
    def is_coarse(self) -> bool:
        """True if curves may be drawn coarsely, because the axis has just jumped and all curves must be redrawn."""
        return self.redraws.budget.is_coarse

    def _note_jump(self) -> None:
        """Tell the drawing budget that the axis has jumped, so that all curves must be redrawn."""
        if not self.is_offline:
            self.redraws.budget.note_axis_jump()

    def show_all(self) -> None:
        self._set(0.0, self.duration)

    def zoom(self, factor: float, center: float) -> None:
        """Scale the visible range by `factor`, keeping the position of the time `center` [s]."""
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
        """Zoom in by `steps` (out if negative), about the cursor if it is visible, otherwise about the middle."""
        is_cursor_visible = self.low <= self._cursor <= self.high
        self.zoom(KEY_ZOOM_FACTOR**-steps, self._cursor if is_cursor_visible else (self.low + self.high) / 2)

    def pan_by_key(self, steps: int) -> None:
        """Pan to later times by `steps` (to earlier ones if negative)."""
        self.pan(steps * KEY_PAN_FRACTION * self.span)

    def show_selected(self) -> None:
        """Zoom to the selected time range."""
        if self.selected is not None:
            low, high = self.selected
            extra = max(self._min_span - (high - low), 0.0) / 2
            self._set(low - extra, high + extra)

    def set_selected(self, selected: tuple[float, float] | None) -> None:
        """Set the selected time range."""
        if selected != self.selected:
            self.selected = selected
            self.selected_changed.emit()

    def hover(self, time: float | None) -> None:
        """Set the time under the mouse pointer [s]; None if it is over no plot."""
        if time != self.hovered_time:
            self.hovered_time = time
            self.hovered_changed.emit()

    def follow(self, time: float, target_time: float | None = None) -> None:
        """Keep a moving cursor visible: scroll near the edge, jump only if the cursor jumps.

        After the user has panned away from the cursor, the axis does not follow it until it is visible again.
        While a requested `target_time` [s] is not reached yet, a time range that the user has chosen stays
        visible.
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
            # By about whole pixels, because each move redraws every curve.
            self._pending_roll += step
            if abs(self._pending_roll) >= self.span * MIN_ROLL:
                self._roll(self._pending_roll)
                self._pending_roll = 0.0
        elif not 0.0 <= part <= 1.0:
            self.pan(time - (self.low + self.high) / 2)

    def show_span(self, span: Sequence[float]) -> None:
        """Show a time range (from, to) [s]; () for the whole run."""
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
    """Round a time [s] to nine digits, beyond what can be seen."""
    return float(f"{time:.9g}")


def time_tick_count(width: float) -> int:
    """Return how many time ticks fit below a plot of this width [pixels]."""
    return max(2, int(width // 64))
