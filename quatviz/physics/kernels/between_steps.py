"""What the equations of a lane lead to between two rows that its own steps have led to."""

from quatviz.physics.kernels.algebra import load, store
from quatviz.physics.kernels.binder import chart, compiled, step


@compiled
def advance_rows(method, par, times, parts, length, substeps, y, starts, reached, full, keeps_chart):
    """Integrate from each of `starts` (n, k), states at `times` (n,) [s], by `substeps` steps of the explicit `method`.

    Written are the states `reached` (n, k) after the part `parts[i]`, 0 to 1, of `length` [s], those after the `full` length, and
    whether a step of that length `keeps_chart` (n,), the coordinates that it began with; `y` gives the length of a state.
    """
    for number in range(2 * starts.shape[0]):
        i, is_full = number // 2, number % 2 == 1
        state, h = load(starts, i, y), (length if is_full else parts[i] * length) / substeps
        for substep in range(substeps):
            _, state = step(method, par, times[i] + substep * h, h, state)
        if is_full:
            store(full, i, state)
            keeps_chart[i] = chart(par, state) == state
        else:
            store(reached, i, state)
