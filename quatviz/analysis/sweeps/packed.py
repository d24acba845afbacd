"""Compiled loop that advances several bodies at once in SIMD packs. It needs numba, so it is imported only for runs."""

from quatviz.analysis.sweeps.side_by_side import (
    FreePacked,
    Packed,
    parameters_at,
    put_state,
    state_at,
)
from quatviz.physics.kernels.binder import compiled
from quatviz.physics.kernels.blocks import make_steps
from quatviz.physics.kernels.packs import WIDTH, align_stack

PACKED, FREE = Packed(WIDTH), FreePacked(WIDTH)


@compiled
def advance_packs(
    kind, method, par, numbers, has_own_numbers, project, steps_done, steps_per_sample, dt, y, states, rows
):
    """Advance every body and store its samples.

    Parameters
    ----------
    kind
        `Packed` or `FreePacked`, with the width of a pack.
    method, par, project
        Integrator, parameters and projection of the formulation.
    numbers
        Numerical parameters: (n, b) with one column per body, or (n, width) if `has_own_numbers` is 0 and all
        bodies share them.
    steps_done
        Number of steps that led to `states`.
    steps_per_sample, dt
        Number of steps per sample, and step [s].
    y
        Any state, whose length is the number k of state components.
    states
        States (k, b), overwritten with the final ones.
    rows
        Samples (s * k, b), overwritten.
    """
    align_stack()
    width = len(y)
    samples = rows.shape[0] // width
    for column in range(0, states.shape[1], kind.width):
        parameters = parameters_at(kind, par, numbers, column * has_own_numbers)
        state = state_at(y, states, column)
        for sample in range(samples):
            first = steps_done + sample * steps_per_sample
            # Formulations with a singularity or a chart are never packed, so no run can end here.
            _, _, state = make_steps(
                method, parameters, project, first, first + steps_per_sample, dt, -1.0, 1.0, state
            )
            put_state(state, rows, sample * width, column)
        put_state(state, states, 0, column)
