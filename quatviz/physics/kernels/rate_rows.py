"""Derivatives of many states, computed by one compiled call."""

from quatviz.physics.kernels.algebra import load, store
from quatviz.physics.kernels.binder import compiled, rhs


@compiled
def rate_rows(par, t, y, rows, rates):
    """Write the derivative at `t` [s] of each state in `rows` (k, m) into `rates` (k, m). `y` gives the number of
    components of a state."""
    for row in range(rows.shape[0]):
        store(rates, row, rhs(par, t, load(rows, row, y)))
