"""Boundaries that theory knows, drawn over maps: one file each. `boundary_lines` finds those of a plan."""

import numpy as np

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.chart import AxisSpan
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError
from quatviz.base.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(__name__, Boundary)
_GRID_POINTS = 25
"""Points along each axis at which a boundary is looked for."""
_REFINEMENTS, _EVALUATED_REFINEMENTS = 3, 2
"""How often points half-way between are added, and how often of these its values there are asked for where it passes, unless
cubics through those that are known foretold them."""
_INTERPOLATION_TOLERANCE = 1e-3
"""Of the largest value: what they may differ by."""


def known_boundary(plan: SweepPlan) -> type[Boundary] | None:
    """The one that is known of what a plan measures first, over a map; None where there is none."""
    if len(plan.grid_axes) != 2 or plan.random_axes:
        return None
    matches = (
        boundary
        for boundary in BOUNDARIES.values()
        if plan.measures[0] in boundary.measures and boundary.applies_to(plan.preset)
    )
    return next(matches, None)


def boundary_lines(plan: SweepPlan, boundary: type[Boundary]) -> list[np.ndarray]:
    """A boundary as lines (n, 2) in coordinates of the map's spans. Points that no preset may be have none beside them."""
    from contourpy import contour_generator  # late: only maps need it

    spans = [AxisSpan.from_plan(plan, axis_index) for axis_index in plan.grid_axes]
    values = np.full((_GRID_POINTS, _GRID_POINTS), np.nan)
    _evaluate(plan, boundary, spans, values, np.isnan(values))
    tolerance, is_interpolated = _INTERPOLATION_TOLERANCE * np.nanmax(np.abs(values), initial=0.0), False
    for refinement in range(_REFINEMENTS):
        new_points = _refined_mask(_crossed_cells(values))
        values = _interpolate_midpoints(_interpolate_midpoints(values).T).T
        if refinement < _EVALUATED_REFINEMENTS and not is_interpolated:
            interpolated = values[new_points]
            _evaluate(plan, boundary, spans, values, new_points)
            is_interpolated = np.allclose(interpolated, values[new_points], rtol=0.0, atol=tolerance)
    x, y = _grid_coordinates(spans, values)
    contours = contour_generator(x, y, np.ma.masked_invalid(values.T)).lines(0.0)
    return [np.asarray(line) for line in contours]


def _grid_coordinates(spans: list[AxisSpan], values: np.ndarray) -> list[np.ndarray]:
    return [np.linspace(span.low, span.high, count) for span, count in zip(spans, values.shape, strict=True)]


def _evaluate(
    plan: SweepPlan, boundary: type[Boundary], spans: list[AxisSpan], values: np.ndarray, mask: np.ndarray
) -> None:
    """Write the values of these points, NaN where no preset may be."""
    x, y = _grid_coordinates(spans, values)
    for i, j in np.argwhere(mask):
        point = np.array([spans[0].value(float(x[i])), spans[1].value(float(y[j]))])
        try:
            values[i, j] = boundary.value(plan.preset_at(point))
        except InputError:
            values[i, j] = np.nan


def _crossed_cells(values: np.ndarray) -> np.ndarray:
    """Cells (m-1, n-1) through which a boundary passes, and those beside them of which some corners may be no preset."""
    corners = [values[:-1, :-1], values[1:, :-1], values[:-1, 1:], values[1:, 1:]]
    above = np.sum([corner > 0.0 for corner in corners], axis=0)
    finite_count = np.sum([np.isfinite(corner) for corner in corners], axis=0)
    crossed = (above > 0) & (above < finite_count)
    m, n = crossed.shape
    padded = np.pad(crossed, 1)
    adjacent = np.any([padded[i : i + m, j : j + n] for i, j in np.ndindex(3, 3)], axis=0)
    cells: np.ndarray = crossed | (adjacent & (finite_count > 0) & (finite_count < 4))
    return cells


def _refined_mask(cells: np.ndarray) -> np.ndarray:
    """Points (2m+1, 2n+1) of a grid with half the steps that lie at and in these of its cells (m, n), but for their corners."""
    m, n = cells.shape
    mask = np.zeros((2 * m + 1, 2 * n + 1), dtype=bool)
    for i, j in np.ndindex(3, 3):
        mask[i : i + 2 * m - 1 : 2, j : j + 2 * n - 1 : 2] |= cells
    mask[::2, ::2] = False
    return mask


def _interpolate_midpoints(values: np.ndarray) -> np.ndarray:
    """Values (2m-1, n) with half the steps along the first axis: on the cubic through four neighbours, or half-way between two
    where one of the four is missing, or the cubic passes zero and they do not."""
    first, last = (3.0 * ends[0] - 3.0 * ends[1] + ends[2] for ends in (values[:3], values[:-4:-1]))
    extended = np.concatenate([first[None], values, last[None]])
    before, low, high, after = extended[:-3], extended[1:-2], extended[2:-1], extended[3:]
    cubic, linear = (9.0 * (low + high) - before - after) / 16.0, (low + high) / 2.0
    has_false_crossing = ((low > 0.0) == (high > 0.0)) & ((cubic > 0.0) != (low > 0.0))
    refined = np.empty((2 * len(values) - 1, values.shape[1]))
    refined[::2], refined[1::2] = values, np.where(np.isfinite(cubic) & ~has_false_crossing, cubic, linear)
    return refined
