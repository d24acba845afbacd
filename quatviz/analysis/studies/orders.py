"""Orders of convergence: between neighboring steps, and fitted over the usable range of steps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_MIN_SIGNAL_RATIO = 4.0
"""Ratio of an error to the error of the reference above which the error is used. The error of the reference then
changes it by at most a quarter."""
_MAX_LINE_DEVIATION = 0.05
"""Largest distance of a fitted point from the line [decades]."""


@dataclass(frozen=True)
class OrderFit:
    """Fitted power law error = factor * dt^order.

    The logarithms are fitted by least squares over `count` steps from `coarse` to `fine` [s]. `uncertainty` is the
    standard error of the order; NaN for two points, which determine the line exactly.
    """

    order: float
    uncertainty: float
    factor: float
    coarse: float
    fine: float
    count: int

    def error(self, dt: float) -> float:
        """Return the error that the power law gives for a step [s]."""
        return self.factor * dt**self.order


def neighbour_orders(steps: Sequence[float], errors: Sequence[float]) -> list[float]:
    """Return the order of convergence between each step and the next coarser step. It is NaN for the first step, and if
    one of the two errors is not positive."""
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
    """Fit the order over the usable range of a ladder of steps.

    Parameters
    ----------
    steps
        Steps [s] from coarse to fine.
    errors
        Error at each step.
    level
        Error of the reference. Errors close to it are ignored.
    saturation
        Errors at or above this value are ignored.

    Returns
    -------
    OrderFit or None
        The fit over the range of at least three steps that lies on a line and spans the most decades of error. This
        excludes the preasymptotic start and the rounding floor. If no range lies on a line, the fit with the
        smallest deviation; None if fewer than two steps are usable or no error decreases with the step.
    """
    return _fit_order_cached(tuple(steps), tuple(errors), level, saturation)


@lru_cache(maxsize=1024)
def _fit_order_cached(
    steps: tuple[float, ...], errors: tuple[float, ...], level: float, saturation: float
) -> OrderFit | None:
    """Compute `fit_order`. Results are cached, because most curves have not changed when they are fitted again."""
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
        # Two tolerances may result in the same steps.
        if len({dt for dt, _ in clean[first : first + count]}) > 1
    ]
    converging = [line for line in lines if line.fit.order > 0]
    straight = [line for line in converging if line.max_deviation <= _MAX_LINE_DEVIATION]
    if straight:
        return max(straight, key=lambda line: line.error_decades).fit
    return min(converging, key=lambda line: line.max_deviation).fit if converging else None


class _LineFit(NamedTuple):
    fit: OrderFit
    max_deviation: float
    """Largest distance of a fitted point from the line [decades]."""
    error_decades: float
    """Ratio of the largest to the smallest fitted error [decades]."""


def _fit_line(points: Sequence[tuple[float, float]]) -> _LineFit:
    """Return the line fitted to (step, error) pairs in logarithmic coordinates. Plain Python is used, because NumPy is
    slow for three numbers and the window fits often."""
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
