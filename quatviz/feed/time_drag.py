"""Times of a run that a person selects by a drag, in a plot or on the timeline."""


class TimeDrag:
    """From where it begins to where it goes, both on samples."""

    def __init__(self) -> None:
        self.sample = 1e-6
        """Seconds between two samples of the run."""
        self._anchor: float | None = None

    @property
    def goes_on(self) -> bool:
        """Whether a person drags."""
        return self._anchor is not None

    def begin(self, time: float) -> None:
        """Select from `time` [s] on."""
        self._anchor = self._on_sample(time)

    def to(self, time: float) -> tuple[float, float] | None:
        """The times from a to b [s] that are selected when it has come to `time` [s]; None where it has selected nothing."""
        end = self._on_sample(time)
        if self._anchor is None or end == self._anchor:
            return None
        return min(end, self._anchor), max(end, self._anchor)

    def end(self) -> None:
        """It is over."""
        self._anchor = None

    def _on_sample(self, time: float) -> float:
        return round(time / self.sample) * self.sample
