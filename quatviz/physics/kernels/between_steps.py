"""States between two recorded rows of a lane, computed from its equations by shorter steps."""

from quatviz.physics.kernels.algebra import load, store
from quatviz.physics.kernels.binder import chart, compiled, step


@compiled
def advance_rows(method, par, times, parts, length, substeps, y, starts, reached, full, keeps_chart):
    """Integrate from each of the states `starts` (n, k) at `times` (n,) [s], with the explicit `method`.

    State i is integrated twice, each time by `substeps` steps: over the fraction `parts[i]`, 0 to 1, of `length` [s],
    with the result in `reached` (n, k), and over the whole `length`, with the result in `full` (n, k). `keeps_chart`
    (n,) becomes True where the state in `full` needs no change of coordinates. `y` gives the number of components of a
    state.
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
