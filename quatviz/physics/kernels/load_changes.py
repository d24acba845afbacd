"""Access of kernels to the table of abrupt load changes, which `physics.loads.load_changes` makes.

The table keeps adaptive steps from skipping a change.
"""

import numpy as np

from quatviz.physics.kernels.binder import inline

START, RESUME, LONGEST = range(3)
"""Columns of the table.

- `START`: time [s] from which a row applies; minus infinity in the first row.
- `RESUME`: time [s] at which the integration resumes after a jump or kink at `START`; NaN if the row has none.
- `LONGEST`: longest step [s] while the row applies.
"""

NO_CHANGES = np.array([[-np.inf, np.nan, np.inf]])
"""Table (1, 3) of loads that never change abruptly."""
NO_CHANGES.setflags(write=False)

_EPS = float(np.finfo(float).eps)


@inline
def latest_end(changes, row, t, step):
    """Return `(end, is_switch)`, where `end` [s] is the latest time at which a step from `t` [s] may end.

    The row `row` of the table applies at `t`. The step is at most `step` [s] long, not longer than the table allows, and
    never passes a jump or kink. `is_switch` is True if it ends at a jump or kink.
    """
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
    """Return the index of the row that applies at `t` [s].

    The search starts at `row`, which applies at an earlier time.
    """
    while row + 1 < changes.shape[0] and changes[row + 1, START] <= t:
        row += 1
    return row


@inline
def time_behind_switches(changes, row, t):
    """Return `(time, row)`: the time [s] at which an integration that has reached `t` [s] resumes, and the table row that
    applies there.

    The time is `t`, or just after the jumps and kinks at `t`. Times that differ by rounding errors count as equal.
    """
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
