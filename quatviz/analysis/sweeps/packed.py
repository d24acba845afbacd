"""The loop that computes several bodies at once, in packs of numbers. It is numba's from the first line: imported when runs
are."""

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
    """Advance every body by the samples that fit into `rows`, `steps_per_sample` steps of `dt` [s] each, `steps_done` of which led
    to the states (k, b), which are written over. `rows` (s * k, b) is given the state at each sample. `numbers`
    (n, b) are those of the parameters, (n, width) where `has_own_numbers` is 0 and all bodies have the same; `y` gives the
    length of a state.
    """
    align_stack()
    width = len(y)
    samples = rows.shape[0] // width
    for column in range(0, states.shape[1], kind.width):
        parameters = parameters_at(kind, par, numbers, column * has_own_numbers)
        state = state_at(y, states, column)
        for sample in range(samples):
            first = steps_done + sample * steps_per_sample
            # forms with a singularity or a chart are not packed: of those nothing can end here
            _, _, state = make_steps(
                method, parameters, project, first, first + steps_per_sample, dt, -1.0, 1.0, state
            )
            put_state(state, rows, sample * width, column)
        put_state(state, states, 0, column)
