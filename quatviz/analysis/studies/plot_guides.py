"""What helps the eye in a plot of a study: what it is over, lines of a whole order, and markers that do not hide each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.orders import OrderFit
from quatviz.analysis.studies.result import Curve

_GUIDE_OFFSET = 4.0
"""A guide lies this many times below the lowest curve of its order."""
_MAX_ORDER_DIFFERENCE = 0.35
_MARKER_OVERLAP_DECADES = 0.1
"""Decades within which two markers hide each other."""


@dataclass(frozen=True)
class OrderGuide:
    """error = `errors[i]` at `steps[i]` [s], two ends, coarse first."""

    order: int
    steps: tuple[float, float]
    errors: tuple[float, float]


def abscissa(point: StudyPoint, over_tolerances: bool) -> float:
    """Where a point stands in the plot of errors: at its step [s], or at its tolerance in a study over these, in which methods of
    fixed steps stand nowhere but among the costs."""
    if not over_tolerances:
        return point.mean_step
    return math.nan if point.case.tolerance is None else point.case.tolerance


def order_guides(curves: Sequence[Curve]) -> list[OrderGuide]:
    """One guide for each whole order near which a curve's own is."""
    fits: dict[int, list[OrderFit]] = {}
    for curve in curves:
        if curve.fit is not None:
            order = round(curve.fit.order)
            if order > 0 and abs(curve.fit.order - order) < _MAX_ORDER_DIFFERENCE:
                fits.setdefault(order, []).append(curve.fit)
    guide_lines = []
    for order, order_fits in sorted(fits.items()):
        coarse, fine = max(fit.coarse for fit in order_fits), min(fit.fine for fit in order_fits)
        middle = (coarse * fine) ** 0.5
        factor = min(fit.error(middle) for fit in order_fits) / middle**order / _GUIDE_OFFSET
        guide_lines.append(
            OrderGuide(order, (coarse, middle), (factor * coarse**order, factor * middle**order))
        )
    return guide_lines


def overlap_counts(curves: Sequence[Curve]) -> list[int]:
    """For each curve how many later ones lie on it: drawn first, with a marker larger by so many sizes, it
    shows around them."""
    return [sum(_overlap(curve, later) for later in curves[n + 1 :]) for n, curve in enumerate(curves)]


def legend_text(curve: Curve) -> str:
    """What a legend says of a curve: lane, integrator, and how fast its error falls."""
    if curve.fit is not None:
        return f"{curve.title}: order {curve.fit.order:z.2f}"
    if all(point.status != "ok" for point in curve.points):
        return f"{curve.title}: did not finish"
    return curve.title


def _overlap(first: Curve, second: Curve) -> bool:
    """Whether most markers of the one lie on markers of the other."""
    second_errors = {
        point.case.sort_key: error
        for point, error in zip(second.points, second.errors, strict=True)
        if error > 0
    }
    pairs = [
        (error, second_errors[point.case.sort_key])
        for point, error in zip(first.points, first.errors, strict=True)
        if error > 0 and point.case.sort_key in second_errors
    ]
    close = [abs(math.log10(error / second_error)) < _MARKER_OVERLAP_DECADES for error, second_error in pairs]
    return 2 * sum(close) > len(close)
