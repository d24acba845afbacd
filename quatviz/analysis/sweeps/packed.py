"""The loop that computes several bodies at once, in packs of numbers. It is numba's from the first line: imported when runs
are."""

from quatviz.analysis.sweeps.side_by_side import FreePacked, Packed, parameters_at, put_state, seen, state_at
from quatviz.physics.kernels.binder import compiled, projection, step
from quatviz.physics.kernels.blocks import PROJECT_RATES
from quatviz.physics.kernels.packs import WIDTH, align_stack

PACKED, FREE = Packed(WIDTH), FreePacked(WIDTH)


@compiled
def advance_packs(kind, method, par, numbers, own, project, made, steps_per_sample, dt, y, states, rows):
    """Advance every body by the samples that fit into `rows`, `steps_per_sample` steps of `dt` [s] each, `made` of which led
    to the states (k, b), which are written over. `rows` (s * w, b) is given w numbers of each sample: see `seen`. `numbers`
    (n, b) are those of the parameters, (n, width) where `own` is 0 and all bodies have the same; `y` gives the length of a
    state.
    """
    align_stack()
    width = len(seen(par, y))
    samples = rows.shape[0] // width
    for column in range(0, states.shape[1], kind.width):
        here = parameters_at(kind, par, numbers, column * own)
        state = state_at(kind, y, states, column)
        for sample in range(samples):
            first = made + sample * steps_per_sample
            for number in range(first, first + steps_per_sample):
                _, state = step(method, here, number * dt, dt, state)
                if project > 0:
                    state = projection(here, project == PROJECT_RATES, state)
            put_state(kind, seen(here, state), rows, sample * width, column)
        put_state(kind, state, states, 0, column)
