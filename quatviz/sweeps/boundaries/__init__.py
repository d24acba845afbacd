"""Boundaries that theory knows, drawn over maps: one file each. `lines` finds those of a plan."""

import numpy as np

from quatviz.base.errors import InputError
from quatviz.base.registry import Registry
from quatviz.sweeps.boundaries.base import Boundary
from quatviz.sweeps.chart import Span
from quatviz.sweeps.plan import SweepPlan

BOUNDARIES: Registry[type[Boundary]] = Registry(__name__, Boundary)
_ALONG = 25
"""Points along each axis at which a boundary is looked for: between them it is taken for straight."""


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
    across, up = (np.linspace(span.low, span.high, _ALONG) for span in spans)
    values = np.full((len(across), len(up)), np.nan)
    for i, j in np.ndindex(values.shape):
        point = np.array([spans[0].value(float(across[i])), spans[1].value(float(up[j]))])
        try:
            values[i, j] = kind.value(plan.preset_at(point))
        except InputError:
            continue
    found = contour_generator(across, up, np.ma.masked_invalid(values.T)).lines(0.0)
    return [np.asarray(line) for line in found]
