"""Times of a run that a person selects by a drag, in a plot or on the timeline."""

from collections.abc import Callable


class TimeDrag:
    """From where it begins to where it goes, both on samples."""

    def __init__(self) -> None:
        self.sample_interval = 1e-6
        """Seconds between two samples of the run."""
        self._anchor: float | None = None

    @property
    def is_active(self) -> bool:
        """Whether a person drags."""
        return self._anchor is not None

    def begin(self, time: float) -> None:
        """Select from `time` [s] on."""
        self._anchor = self._snap_to_sample(time)

    def range_to(self, time: float) -> tuple[float, float] | None:
        """The times from a to b [s] that are selected when it has come to `time` [s]; None where it has selected nothing."""
        end = self._snap_to_sample(time)
        if self._anchor is None or end == self._anchor:
            return None
        return min(end, self._anchor), max(end, self._anchor)

    def end(self) -> None:
        """It is over."""
        self._anchor = None

    def _snap_to_sample(self, time: float) -> float:
        return round(time / self.sample_interval) * self.sample_interval


GRAB_DISTANCE = 6.0
"""Pixels to either side at which what stands at a time is pointed at, or taken."""


class RangeDrag(TimeDrag):
    """What is selected, and how a drag of one of its ends changes it."""

    selected: tuple[float, float] | None = None

    def grab(self, x: float, cursor: float, below: bool, x_of: Callable[[float], float]) -> bool:
        """Take the handle at a pixel, unless the cursor's is nearer; where both are, that `below` the track."""
        if self.selected is None:
            return False
        end = min(self.selected, key=lambda end: abs(x_of(end) - x))
        handle_distance, cursor_distance = abs(x_of(end) - x), abs(cursor - x)
        if (
            handle_distance > GRAB_DISTANCE
            or cursor_distance < handle_distance
            or (cursor_distance <= GRAB_DISTANCE and not below)
        ):
            return False
        low, high = self.selected
        self.begin(high if end == low else low)
        return True
