"""The loop that computes several bodies at once, in packs of numbers. It is numba's from the first line: imported when runs
are."""

from quatviz.analysis.sweeps.side_by_side import (
    FreePacked,
    Packed,
    observed_row,
    parameters_at,
    put_state,
    state_at,
)
from quatviz.physics.kernels.binder import compiled, projection, step
from quatviz.physics.kernels.blocks import PROJECT_RATES
from quatviz.physics.kernels.packs import WIDTH, align_stack

PACKED, FREE = Packed(WIDTH), FreePacked(WIDTH)


@compiled
def advance_packs(
    kind, method, par, numbers, has_own_numbers, project, steps_done, steps_per_sample, dt, y, states, rows
):
    """Advance every body by the samples that fit into `rows`, `steps_per_sample` steps of `dt` [s] each, `steps_done` of which led
    to the states (k, b), which are written over. `rows` (s * w, b) is given w numbers of each sample: see `seen`. `numbers`
    (n, b) are those of the parameters, (n, width) where `has_own_numbers` is 0 and all bodies have the same; `y` gives the
    length of a state.
    """
    align_stack()
    width = len(observed_row(par, y))
    samples = rows.shape[0] // width
    for column in range(0, states.shape[1], kind.width):
        parameters = parameters_at(kind, par, numbers, column * has_own_numbers)
        state = state_at(kind, y, states, column)
        for sample in range(samples):
            first = steps_done + sample * steps_per_sample
            for number in range(first, first + steps_per_sample):
                _, state = step(method, parameters, number * dt, dt, state)
                if project > 0:
                    state = projection(parameters, project == PROJECT_RATES, state)
            put_state(kind, observed_row(parameters, state), rows, sample * width, column)
        put_state(kind, state, states, 0, column)
