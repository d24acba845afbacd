"""How fast errors fall with the step: from step to step, and fitted over the part of a ladder that tells."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_CLEAR = 4.0
"""An error this many times the reference's own is still told apart from it to a quarter."""
_STRAIGHT = 0.05
"""Decades that a point may lie off the fitted line."""


@dataclass(frozen=True)
class Fit:
    """error = factor * dt^order, by least squares of the logarithms over `count` steps from `coarse` to `fine` [s].

    `uncertainty` is the standard error of the order; NaN for two points, through which any line goes.
    """

    order: float
    uncertainty: float
    factor: float
    coarse: float
    fine: float
    count: int

    def error(self, dt: float) -> float:
        """The line's error at a step [s]."""
        return self.factor * dt**self.order


def neighbour_orders(steps: Sequence[float], errors: Sequence[float]) -> list[float]:
    """The order from each step's coarser neighbour to it; NaN for the first, and where an error is none."""
    orders = [math.nan] if steps else []
    for n in range(1, len(steps)):
        both = errors[n - 1], errors[n]
        known = all(math.isfinite(error) and error > 0 for error in both)
        ratio = math.log(steps[n - 1] / steps[n])
        orders.append(math.log(both[0] / both[1]) / ratio if known and ratio else math.nan)
    return orders


def fit(steps: Sequence[float], errors: Sequence[float], level: float, saturation: float) -> Fit | None:
    """The order over the clean part of a ladder `steps` [s], coarse to fine; None where fewer than two steps are left.

    Left out are errors at or above `saturation` and those not well above the reference's `level`. Of the rest it is the
    stretch of three or more that lies on a line and along which the error falls farthest: neither a crooked start nor
    the floor of rounding, where it falls no more.
    """
    return _fit(tuple(steps), tuple(errors), level, saturation)


@lru_cache(maxsize=1024)
def _fit(steps: tuple[float, ...], errors: tuple[float, ...], level: float, saturation: float) -> Fit | None:
    """Remembered, for most curves are the same as when they were last looked at."""
    clean = [
        (dt, error)
        for dt, error in zip(steps, errors, strict=True)
        if math.isfinite(error) and _CLEAR * level < error < saturation and error > 0
    ]
    fewest = min(3, len(clean))
    lines = [
        _line(clean[first : first + count])
        for count in range(max(fewest, 2), len(clean) + 1)
        for first in range(len(clean) - count + 1)
        if len({dt for dt, _ in clean[first : first + count]}) > 1  # two tolerances may make the same steps
    ]
    falling = [line for line in lines if line.fit.order > 0]
    straight = [line for line in falling if line.off <= _STRAIGHT]
    if straight:
        return max(straight, key=lambda line: line.reach).fit
    return min(falling, key=lambda line: line.off).fit if falling else None


class _Line(NamedTuple):
    fit: Fit
    off: float
    """How far its worst point lies beside it [decades]."""
    reach: float
    """How many decades of error it spans."""


def _line(points: Sequence[tuple[float, float]]) -> _Line:
    """By hand: a window fits every curve anew whenever a point comes, and arrays of three numbers are slow."""
    x, y = [math.log(dt) for dt, _ in points], [math.log(error) for _, error in points]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    spread = sum((value - x_mean) ** 2 for value in x)
    order = sum((a - x_mean) * b for a, b in zip(x, y, strict=True)) / spread
    rest = [b - y_mean - order * (a - x_mean) for a, b in zip(x, y, strict=True)]
    freedom = len(points) - 2
    uncertainty = math.sqrt(sum(r * r for r in rest) / freedom / spread) if freedom else math.nan
    factor = math.exp(y_mean - order * x_mean)
    found = Fit(order, uncertainty, factor, points[0][0], points[-1][0], len(points))
    return _Line(found, max(map(abs, rest)) / math.log(10), max(y) - min(y))
