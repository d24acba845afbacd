"""Theoretical boundaries that are drawn over maps, one file each. `boundary_lines` computes the boundary for a plan."""

import numpy as np

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.chart import AxisSpan
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError
from quatviz.base.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(__name__, Boundary)
_GRID_POINTS = 25
"""Number of grid points per axis at which a boundary is evaluated first."""
_REFINEMENTS, _EVALUATED_REFINEMENTS = 3, 2
"""Number of refinements, each of which halves the spacing of the grid; and number of those at the beginning in which
new points near the boundary are evaluated. In later refinements, new points are interpolated.

Evaluation stops earlier if cubic interpolation predicts the new values accurately.
"""
_INTERPOLATION_TOLERANCE = 1e-3
"""Largest accepted error of the interpolation, relative to the largest value on the grid."""


def known_boundary(plan: SweepPlan) -> type[Boundary] | None:
    """Return the boundary known for the first measure of a plan, or None if there is none or the plan is not a map."""
    if len(plan.grid_axes) != 2 or plan.random_axes:
        return None
    matches = (
        boundary
        for boundary in BOUNDARIES.values()
        if plan.measures[0] in boundary.measures and boundary.applies_to(plan.preset)
    )
    return next(matches, None)


def boundary_lines(plan: SweepPlan, boundary: type[Boundary]) -> list[np.ndarray]:
    """Return the boundary as lines (n, 2) in coordinates of the map's axes, omitting points without a valid preset."""
    from contourpy import contour_generator  # needed only for maps

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
    """Write the value of `boundary` at each point in `mask` (m, n) into `values` (m, n), and NaN where the
    preset is not valid."""
    x, y = _grid_coordinates(spans, values)
    for i, j in np.argwhere(mask):
        point = np.array([spans[0].value(float(x[i])), spans[1].value(float(y[j]))])
        try:
            values[i, j] = boundary.value(plan.preset_at(point))
        except InputError:
            values[i, j] = np.nan


def _crossed_cells(values: np.ndarray) -> np.ndarray:
    """Return a mask (m-1, n-1) of the cells that the boundary crosses.

    Adjacent cells are included if some of their corners are not valid presets.
    """
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
    """Return a mask (2m+1, 2n+1) of points in the grid with half the spacing.

    The mask selects the new points inside or on the edge of the cells that the mask `cells` (m, n) selects.
    """
    m, n = cells.shape
    mask = np.zeros((2 * m + 1, 2 * n + 1), dtype=bool)
    for i, j in np.ndindex(3, 3):
        mask[i : i + 2 * m - 1 : 2, j : j + 2 * n - 1 : 2] |= cells
    mask[::2, ::2] = False
    return mask


def _interpolate_midpoints(values: np.ndarray) -> np.ndarray:
    """Return values (2m-1, n) on a grid with half the spacing along the first axis. New values are interpolated by the
    cubic through four neighbors.

    Linear interpolation is used instead if one of the four values is missing, or if the cubic crosses zero and the line
    does not.
    """
    first, last = (3.0 * ends[0] - 3.0 * ends[1] + ends[2] for ends in (values[:3], values[:-4:-1]))
    extended = np.concatenate([first[None], values, last[None]])
    before, low, high, after = extended[:-3], extended[1:-2], extended[2:-1], extended[3:]
    cubic, linear = (9.0 * (low + high) - before - after) / 16.0, (low + high) / 2.0
    has_false_crossing = ((low > 0.0) == (high > 0.0)) & ((cubic > 0.0) != (low > 0.0))
    refined = np.empty((2 * len(values) - 1, values.shape[1]))
    refined[::2], refined[1::2] = values, np.where(np.isfinite(cubic) & ~has_false_crossing, cubic, linear)
    return refined
