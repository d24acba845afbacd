"""The parts of a sum of one lane: curves that stand on each other, and numbers that do not."""

from __future__ import annotations

import numpy as np

from quatviz.ui.plotting.series import Series


class StackSeries(Series):
    """Parts (n, k) whose curves are the sums of each component and those before it; `at` gives the parts themselves."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self._sums = np.empty((0, width))
        self._summed = 0

    def take(self, times: np.ndarray, values: np.ndarray) -> bool:
        count = min(len(times), len(values))
        if count > len(self._sums):
            grown = np.empty((max(count, 2 * len(self._sums)), self._sums.shape[1]))
            grown[: self._summed] = self._sums[: self._summed]
            self._sums = grown
        np.cumsum(values[self._summed : count], axis=1, out=self._sums[self._summed : count])
        self._summed = max(self._summed, count)
        return super().take(times[:count], self._sums[:count])

    def at(self, time: float) -> list[float]:
        sums = super().at(time)
        return [one - before for one, before in zip(sums, [0.0, *sums[:-1]], strict=True)]
