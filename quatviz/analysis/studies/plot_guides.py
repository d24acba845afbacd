"""What helps the eye in a plot of a study: what it is over, lines of a whole order, and markers that do not hide each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quatviz.analysis.studies.measurement import Point
from quatviz.analysis.studies.orders import Fit
from quatviz.analysis.studies.result import Curve

_BELOW = 4.0
"""A guide lies this many times below the lowest curve of its order."""
_NEAR = 0.35
_SAME = 0.1
"""Decades within which two markers hide each other."""


@dataclass(frozen=True)
class Guide:
    """error = `errors[i]` at `steps[i]` [s], two ends, coarse first."""

    order: int
    steps: tuple[float, float]
    errors: tuple[float, float]


def along(point: Point, over_tolerances: bool) -> float:
    """Where a point stands in the plot of errors: at its step [s], or at its tolerance in a study over these, in which methods of
    fixed steps stand nowhere but among the costs."""
    if not over_tolerances:
        return point.step
    return math.nan if point.case.tolerance is None else point.case.tolerance


def guides(curves: Sequence[Curve]) -> list[Guide]:
    """One guide for each whole order near which a curve's own is."""
    fits: dict[int, list[Fit]] = {}
    for curve in curves:
        if curve.fit is not None:
            order = round(curve.fit.order)
            if order > 0 and abs(curve.fit.order - order) < _NEAR:
                fits.setdefault(order, []).append(curve.fit)
    made = []
    for order, same in sorted(fits.items()):
        coarse, fine = max(fit.coarse for fit in same), min(fit.fine for fit in same)
        middle = (coarse * fine) ** 0.5
        factor = min(fit.error(middle) for fit in same) / middle**order / _BELOW
        made.append(Guide(order, (coarse, middle), (factor * coarse**order, factor * middle**order)))
    return made


def layers(curves: Sequence[Curve]) -> list[int]:
    """For each curve how many later ones lie on it: drawn first, with a marker larger by so many sizes, it
    shows around them."""
    return [sum(_meet(curve, later) for later in curves[n + 1 :]) for n, curve in enumerate(curves)]


def legend_text(curve: Curve) -> str:
    """What a legend says of a curve: lane, integrator, and how fast its error falls."""
    if curve.fit is not None:
        return f"{curve.title}: order {curve.fit.order:.2f}"
    if all(point.status != "ok" for point in curve.points):
        return f"{curve.title}: did not finish"
    return curve.title


def _meet(one: Curve, other: Curve) -> bool:
    """Whether most markers of the one lie on markers of the other."""
    there = {
        point.case.fineness: error
        for point, error in zip(other.points, other.errors, strict=True)
        if error > 0
    }
    both = [
        (error, there[point.case.fineness])
        for point, error in zip(one.points, one.errors, strict=True)
        if error > 0 and point.case.fineness in there
    ]
    close = [abs(math.log10(error / its)) < _SAME for error, its in both]
    return 2 * sum(close) > len(close)
