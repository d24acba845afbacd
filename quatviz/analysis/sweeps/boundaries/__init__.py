"""Boundaries that theory knows, drawn over maps: one file each. `lines` finds those of a plan."""

import numpy as np

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.chart import Span
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError
from quatviz.base.registry import Registry

BOUNDARIES: Registry[type[Boundary]] = Registry(__name__, Boundary)
_ALONG = 25
"""Points along each axis at which a boundary is looked for."""
_HALVINGS, _ASKED = 3, 2
"""How often points half-way between are added, and how often of these its values there are asked for where it passes, unless
cubics through those that are known foretold them."""
_FORETOLD = 1e-3
"""Of the largest value: what they may differ by."""


def boundary_of(plan: SweepPlan) -> type[Boundary] | None:
    """The one that is known of what a plan measures first, over a map; None where there is none."""
    if len(plan.grid) != 2 or plan.scattered:
        return None
    fitting = (
        kind for kind in BOUNDARIES.values() if plan.measures[0] in kind.measures and kind.fits(plan.preset)
    )
    return next(fitting, None)


def lines(plan: SweepPlan, kind: type[Boundary]) -> list[np.ndarray]:
    """A boundary as lines (n, 2) in coordinates of the map's spans. Points that no preset may be have none beside them."""
    from contourpy import contour_generator  # late: only maps need it

    spans = [Span.of(plan, place) for place in plan.grid]
    values = np.full((_ALONG, _ALONG), np.nan)
    _ask(plan, kind, spans, values, np.isnan(values))
    nearly, foretold = _FORETOLD * np.nanmax(np.abs(values), initial=0.0), False
    for number in range(_HALVINGS):
        wanted = _between(_passed(values))
        values = _halved(_halved(values).T).T
        if number < _ASKED and not foretold:
            guess = values[wanted]
            _ask(plan, kind, spans, values, wanted)
            foretold = np.allclose(guess, values[wanted], rtol=0.0, atol=nearly)
    across, up = _places(spans, values)
    found = contour_generator(across, up, np.ma.masked_invalid(values.T)).lines(0.0)
    return [np.asarray(line) for line in found]


def _places(spans: list[Span], values: np.ndarray) -> list[np.ndarray]:
    return [np.linspace(span.low, span.high, count) for span, count in zip(spans, values.shape, strict=True)]


def _ask(
    plan: SweepPlan, kind: type[Boundary], spans: list[Span], values: np.ndarray, wanted: np.ndarray
) -> None:
    """Write the values of these points, NaN where no preset may be."""
    across, up = _places(spans, values)
    for i, j in np.argwhere(wanted):
        point = np.array([spans[0].value(float(across[i])), spans[1].value(float(up[j]))])
        try:
            values[i, j] = kind.value(plan.preset_at(point))
        except InputError:
            values[i, j] = np.nan


def _passed(values: np.ndarray) -> np.ndarray:
    """Cells (m-1, n-1) through which a boundary passes, and those beside them of which some corners may be no preset."""
    corners = [values[:-1, :-1], values[1:, :-1], values[:-1, 1:], values[1:, 1:]]
    above = np.sum([corner > 0.0 for corner in corners], axis=0)
    there = np.sum([np.isfinite(corner) for corner in corners], axis=0)
    passed = (above > 0) & (above < there)
    m, n = passed.shape
    beside = np.pad(passed, 1)
    near = np.any([beside[i : i + m, j : j + n] for i, j in np.ndindex(3, 3)], axis=0)
    found: np.ndarray = passed | (near & (there > 0) & (there < 4))
    return found


def _between(cells: np.ndarray) -> np.ndarray:
    """Points (2m+1, 2n+1) of a grid with half the steps that lie at and in these of its cells (m, n), but for their corners."""
    m, n = cells.shape
    found = np.zeros((2 * m + 1, 2 * n + 1), dtype=bool)
    for i, j in np.ndindex(3, 3):
        found[i : i + 2 * m - 1 : 2, j : j + 2 * n - 1 : 2] |= cells
    found[::2, ::2] = False
    return found


def _halved(values: np.ndarray) -> np.ndarray:
    """Values (2m-1, n) with half the steps along the first axis: on the cubic through four neighbours, or half-way between two
    where one of the four is missing, or the cubic passes zero and they do not."""
    first, last = (3.0 * ends[0] - 3.0 * ends[1] + ends[2] for ends in (values[:3], values[:-4:-1]))
    wide = np.concatenate([first[None], values, last[None]])
    before, low, high, after = wide[:-3], wide[1:-2], wide[2:-1], wide[3:]
    cubic, straight = (9.0 * (low + high) - before - after) / 16.0, (low + high) / 2.0
    leaves = ((low > 0.0) == (high > 0.0)) & ((cubic > 0.0) != (low > 0.0))
    found = np.empty((2 * len(values) - 1, values.shape[1]))
    found[::2], found[1::2] = values, np.where(np.isfinite(cubic) & ~leaves, cubic, straight)
    return found
