"""How adaptive steps are kept from leaping over what loads do: the table of `physics.loads.load_changes`, as kernels read it."""

import numpy as np

from quatviz.physics.kernels.binder import inline

START, RESUME, LONGEST = range(3)
"""Columns of the table: the time [s] from which a row holds; the time at which the integration goes on behind a jump or kink
at `START`, or NaN if the row has none; the longest step [s] while the row holds. The first row starts at minus infinity."""

NO_CHANGES = np.array([[-np.inf, np.nan, np.inf]])
"""The table (1, 3) of loads that never change abruptly."""
NO_CHANGES.setflags(write=False)

_EPS = float(np.finfo(float).eps)


@inline
def latest_end(changes, row, t, step):
    """`(end, is_switch)` of a step from `t` [s] in this row of the table: at most `step` [s] later, and such that it leaps over
    nothing. `is_switch` says that a jump or kink is at the end."""
    longest = changes[row, LONGEST]
    if longest < step:
        step = longest
    for later in range(row + 1, changes.shape[0]):
        ahead = changes[later, START] - t
        if not ahead < step:
            break
        if changes[later, RESUME] > 0.0:
            return changes[later, START], True
        longest = changes[later, LONGEST]
        if longest < step:
            step = longest if longest > ahead else ahead
    return t + step, False


@inline
def row_at(changes, row, t):
    """The row that holds at `t` [s], looked for from an earlier `row` on."""
    while row + 1 < changes.shape[0] and changes[row + 1, START] <= t:
        row += 1
    return row


@inline
def time_behind_switches(changes, row, t):
    """`(time, row)` where the integration goes on from `t` [s]: behind the jumps and kinks at `t`, up to rounding errors."""
    row = row_at(changes, row, t)
    if changes[row, RESUME] > t:
        t = changes[row, RESUME]
    while (
        row + 1 < changes.shape[0]
        and changes[row + 1, RESUME] > 0.0
        and changes[row + 1, START] - t <= 32.0 * _EPS * abs(t)
    ):
        row += 1
        t = changes[row, RESUME]
        row = row_at(changes, row, t)
    return t, row
