"""Selection of a time range by dragging, in a plot or on the timeline."""

from collections.abc import Callable


class TimeDrag:
    """A drag from one time to another, both rounded to samples."""

    def __init__(self) -> None:
        self.sample_interval = 1e-6
        """Time between samples of the run [s]."""
        self._anchor: float | None = None

    @property
    def is_active(self) -> bool:
        """True while the user drags."""
        return self._anchor is not None

    def begin(self, time: float) -> None:
        """Start the drag of a selection at `time` [s]."""
        self._anchor = self._snap_to_sample(time)

    def range_to(self, time: float) -> tuple[float, float] | None:
        """Return the selected range (from, to) [s] of a drag that has reached `time` [s]. Return None if both
        ends are the same sample."""
        end = self._snap_to_sample(time)
        if self._anchor is None or end == self._anchor:
            return None
        return min(end, self._anchor), max(end, self._anchor)

    def end(self) -> None:
        """End the drag."""
        self._anchor = None

    def _snap_to_sample(self, time: float) -> float:
        return round(time / self.sample_interval) * self.sample_interval


GRAB_DISTANCE = 6.0
"""Distance [pixels] to either side within which a marker or handle is hit by the pointer."""


class RangeDrag(TimeDrag):
    """The selected time range, whose ends can be dragged."""

    selected: tuple[float, float] | None = None

    def grab(self, x: float, cursor: float, below: bool, x_of: Callable[[float], float]) -> bool:
        """Start dragging the end of the range at the pixel `x`, unless the cursor is nearer; return True if it was
        started.

        If the cursor and the end are both within reach, the end is dragged only if `below` is True, that is, if the
        pointer is below the track.
        """
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
