"""The time axis that all panels share: what span of the run is seen, and how it moves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from quatviz.core.events.base import Event
from quatviz.ui.plotting.board_view import Allowance

FOLLOW_AT = 0.8
"""Where along the axis a playing cursor stops moving and the axis moves instead."""

NOTCH = 1 / 200
"""The least part of the axis by which it rolls on."""

DEEPEST = 8
"""The closest zoom still shows this many samples."""


class TimeAxis(QObject):
    """The visible span [low, high] s of a run of `duration` s."""

    changed = Signal()
    pointed_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.low = 0.0
        self.high = 1.0
        self.duration = 1.0
        self.pointed: float | None = None
        """The time under the mouse, if it is over a plot [s]."""
        self.allowance = Allowance()
        """What all plots together may draw anew in one repaint."""
        self.events: tuple[Event, ...] = ()
        """What happens on the way, marked in every plot."""
        self._least = 1e-6
        self._cursor = 0.0
        self._owed = 0.0

    def start(self, duration: float, sample_interval: float, events: Sequence[Event] = ()) -> None:
        """A run begins: see all of it."""
        self.events = tuple(events)
        self.duration = max(duration, 1e-9)
        self._least = min(DEEPEST * sample_interval, self.duration)
        self._cursor = self._owed = 0.0
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

    def fit(self) -> None:
        self._set(0.0, self.duration)

    def zoom(self, factor: float, about: float) -> None:
        """Show `factor` times the span, keeping the time `about` where it is."""
        span = min(max(self.span * factor, self._least), self.duration)
        part = (about - self.low) / self.span
        low = about - part * span
        self._set(low, low + span)

    def pan(self, seconds: float) -> None:
        self._set(self.low + seconds, self.high + seconds)

    def point(self, time: float | None) -> None:
        """The mouse is over `time`, or over no plot."""
        if time != self.pointed:
            self.pointed = time
            self.pointed_changed.emit()

    def follow(self, time: float) -> None:
        """Keep a moving cursor in sight: roll on with it near the edge, jump only where it jumps.

        A cursor that a person has panned away from stays out of sight until it is pointed at again.
        """
        last, self._cursor = self._cursor, time
        if self.whole or time == last or not self.low <= last <= self.high:
            return
        part, step = (time - self.low) / self.span, time - last
        rolling = (part > FOLLOW_AT and step > 0) or (part < 1 - FOLLOW_AT and step < 0)
        if rolling and abs(step) < 0.1 * self.span:
            # By whole pixels or so: each move draws every curve anew.
            self._owed += step
            if abs(self._owed) >= self.span * NOTCH:
                self.pan(self._owed)
                self._owed = 0.0
        elif not 0.0 <= part <= 1.0:
            self.pan(time - (self.low + self.high) / 2)

    def _set(self, low: float, high: float) -> None:
        span = min(high - low, self.duration)
        low = min(max(low, 0.0), self.duration - span)
        high = low + span
        if (low, high) != (self.low, self.high):
            self.low, self.high = low, high
            self.changed.emit()
