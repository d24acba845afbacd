"""How fast errors fall with the step: from step to step, and fitted over the part of a ladder that tells."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_MIN_SIGNAL_RATIO = 4.0
"""An error this many times the reference's own is still told apart from it to a quarter."""
_MAX_LINE_DEVIATION = 0.05
"""Decades that a point may lie off the fitted line."""


@dataclass(frozen=True)
class OrderFit:
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
        pair = errors[n - 1], errors[n]
        known = all(math.isfinite(error) and error > 0 for error in pair)
        ratio = math.log(steps[n - 1] / steps[n])
        orders.append(math.log(pair[0] / pair[1]) / ratio if known and ratio else math.nan)
    return orders


def fit_order(
    steps: Sequence[float], errors: Sequence[float], level: float, saturation: float
) -> OrderFit | None:
    """The order over the clean part of a ladder `steps` [s], coarse to fine; None where fewer than two steps are left.

    Left out are errors at or above `saturation` and those not well above the reference's `level`. Of the rest it is the
    stretch of three or more that lies on a line and along which the error falls farthest: neither a crooked start nor
    the floor of rounding, where it falls no more.
    """
    return _fit_order_cached(tuple(steps), tuple(errors), level, saturation)


@lru_cache(maxsize=1024)
def _fit_order_cached(
    steps: tuple[float, ...], errors: tuple[float, ...], level: float, saturation: float
) -> OrderFit | None:
    """Remembered, for most curves are the same as when they were last looked at."""
    clean = [
        (dt, error)
        for dt, error in zip(steps, errors, strict=True)
        if math.isfinite(error) and _MIN_SIGNAL_RATIO * level < error < saturation and error > 0
    ]
    min_count = min(3, len(clean))
    lines = [
        _fit_line(clean[first : first + count])
        for count in range(max(min_count, 2), len(clean) + 1)
        for first in range(len(clean) - count + 1)
        if len({dt for dt, _ in clean[first : first + count]}) > 1  # two tolerances may make the same steps
    ]
    converging = [line for line in lines if line.fit.order > 0]
    straight = [line for line in converging if line.max_deviation <= _MAX_LINE_DEVIATION]
    if straight:
        return max(straight, key=lambda line: line.error_decades).fit
    return min(converging, key=lambda line: line.max_deviation).fit if converging else None


class _LineFit(NamedTuple):
    fit: OrderFit
    max_deviation: float
    """How far its worst point lies beside it [decades]."""
    error_decades: float
    """How many decades of error it spans."""


def _fit_line(points: Sequence[tuple[float, float]]) -> _LineFit:
    """By hand: a window fits every curve anew whenever a point comes, and arrays of three numbers are slow."""
    x, y = [math.log(dt) for dt, _ in points], [math.log(error) for _, error in points]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    x_variance = sum((value - x_mean) ** 2 for value in x)
    order = sum((a - x_mean) * b for a, b in zip(x, y, strict=True)) / x_variance
    residuals = [b - y_mean - order * (a - x_mean) for a, b in zip(x, y, strict=True)]
    degrees_of_freedom = len(points) - 2
    uncertainty = (
        math.sqrt(sum(r * r for r in residuals) / degrees_of_freedom / x_variance)
        if degrees_of_freedom
        else math.nan
    )
    factor = math.exp(y_mean - order * x_mean)
    order_fit = OrderFit(order, uncertainty, factor, points[0][0], points[-1][0], len(points))
    return _LineFit(order_fit, max(map(abs, residuals)) / math.log(10), max(y) - min(y))
