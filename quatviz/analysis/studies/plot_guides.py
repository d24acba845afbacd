"""Aids for the plots of a study: abscissa, guide lines of integer order, and markers that stay visible."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.orders import OrderFit
from quatviz.analysis.studies.result import Curve

_GUIDE_OFFSET = 4.0
"""Vertical distance of a guide line from the curves, as a ratio of errors. The guide line is drawn below all curves of
its order, at this distance from the lowest of them."""
_MAX_ORDER_DIFFERENCE = 0.35
"""Largest difference between the fitted order of a curve and the integer order of its guide line."""
_MARKER_OVERLAP_DECADES = 0.1
"""Distance [decades] below which two markers hide each other."""


@dataclass(frozen=True)
class OrderGuide:
    """A guide line whose slope is an integer order. It begins at `errors[0]` for the coarse step `steps[0]` [s] and
    ends at `errors[1]` for the fine step `steps[1]`."""

    order: int
    steps: tuple[float, float]
    errors: tuple[float, float]


def abscissa(point: StudyPoint, over_tolerances: bool) -> float:
    """Return the abscissa of a point in the convergence plot: its step [s], or its tolerance if `over_tolerances`.

    For fixed-step integrators the result is NaN if `over_tolerances` is True, so that the point is not drawn.
    """
    if not over_tolerances:
        return point.mean_step
    return math.nan if point.case.tolerance is None else point.case.tolerance


def order_guides(curves: Sequence[Curve]) -> list[OrderGuide]:
    """Return one guide for each integer order that is close to the fitted order of a curve."""
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
    """Return, for each curve, the number of later curves that coincide with it.

    The size of a curve's markers grows with this number, so that they remain visible around the markers of
    the later curves, which are drawn over them.
    """
    return [sum(_overlap(curve, later) for later in curves[n + 1 :]) for n, curve in enumerate(curves)]


def legend_text(curve: Curve) -> str:
    """Return the legend label of a curve: lane, integrator and order."""
    if curve.fit is not None:
        return f"{curve.title}: order {curve.fit.order:z.2f}"
    if all(point.status != "ok" for point in curve.points):
        return f"{curve.title}: did not finish"
    return curve.title


def _overlap(first: Curve, second: Curve) -> bool:
    """Return True if most markers of the first curve lie on markers of the second."""
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
