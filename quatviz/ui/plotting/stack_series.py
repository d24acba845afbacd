"""The parts of a sum of one lane: curves that stand on each other, and numbers that do not."""

from __future__ import annotations

import numpy as np

from quatviz.ui.lazy import Column, Derived
from quatviz.ui.plotting.series import Series


class StackSeries(Series):
    """Parts (n, k) whose curves are the sums of each component and those before it; `at` gives the parts themselves."""

    def take(self, times: np.ndarray, values: Column) -> bool:
        return super().take(times, Derived((values,), _sums, values.shape[1]))

    def at(self, time: float) -> list[float]:
        sums = super().at(time)
        return [one - before for one, before in zip(sums, [0.0, *sums[:-1]], strict=True)]


def _sums(parts: np.ndarray) -> np.ndarray:
    return np.cumsum(parts, axis=1)
