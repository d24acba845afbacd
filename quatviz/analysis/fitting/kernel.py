"""Compiled loop that computes motions of a free body for a fit."""

import math

from quatviz.physics.formulations.newton_euler.kernel import NewtonEulerParameters as Parameters
from quatviz.physics.kernels.algebra import load, store
from quatviz.physics.kernels.binder import compiled, inline
from quatviz.physics.kernels.blocks import PROJECT_NOTHING, make_steps

MATRIX_TEMPLATE = (0.0,) * 9
"""Template of a row-major 3x3 matrix: `load` reads as many numbers from an array as its template has."""
_STATE_TEMPLATE = (0.0,) * 7
"""Template of a state of `newton_euler`, which has seven numbers."""


@compiled
def compute_states(method, par, times, max_step, bodies, starts, rows):
    """Write the states of several motions into `rows`.

    Parameters
    ----------
    method, par
        Integrator and parameters. The inertias in `par` are replaced by those in `bodies`.
    times
        Times (n,) [s].
    max_step
        Largest step [s]. Steps between two times have equal length.
    bodies
        Inertias and their inverses (m, 18), row-major.
    starts
        States (m, 7) at the first time.
    rows
        States (m, n, 7), overwritten.
    """
    for index in range(starts.shape[0]):
        parameters = Parameters(
            False, load(bodies, index, MATRIX_TEMPLATE), _inverse_inertia(bodies, index), par.loads
        )
        y = load(starts, index, _STATE_TEMPLATE)
        store(rows[index], 0, y)
        for row in range(1, times.shape[0]):
            span = times[row] - times[row - 1]
            count = max(1, math.ceil(span / max_step))
            dt = span / count
            # Loads of a fit do not depend on time, so steps are counted from zero.
            _, _, y = make_steps(method, parameters, PROJECT_NOTHING, 0, count, dt, -1.0, 1.0, y)
            store(rows[index], row, y)


@inline
def _inverse_inertia(bodies, index):
    return load(bodies[:, 9:], index, MATRIX_TEMPLATE)
