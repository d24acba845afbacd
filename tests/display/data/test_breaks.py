"""Jumps of curves: consecutive jumps count as one, at the right time."""

from functools import partial

import numpy as np

from quatviz.display.data.jump_index import JumpIndex
from quatviz.physics.observables.jumps import SINGULAR, WRAP, find_angle_jumps

PAST_THE_LOCK = np.array(
    [
        [-91.6, 88.870, 37.0],
        [-79.7, 89.392, 48.9],
        [-14.8, 89.742, 113.7],
        [50.2, 89.391, 178.6],
        [62.1, 88.865, -169.6],
        [66.4, 88.320, -165.3],
    ]
)
"""The 3-2-1 angles [deg] of the box of the preset `gimbal_lock`, from t = 4.98 s on, each 0.01 s: nearest the lock at 5 s."""


def test_singular_jump_followed_by_a_wrap_is_at_the_singularity() -> None:
    """The marker was at 5.02 s, where the bank wraps. Lesson and preset say 5 s, where the pitch is nearest to 90 degrees."""
    breaks = JumpIndex(3, partial(find_angle_jumps, sequence="321"))
    breaks.grow(PAST_THE_LOCK)
    before, behind, causes = breaks.grouped_jumps_of_any
    assert (before.tolist(), behind.tolist(), causes.tolist()) == ([1], [3], [SINGULAR])
    assert [group.tolist() for group in breaks.grouped_jumps(2)] == [[1], [3], [SINGULAR]]
    assert breaks.rows(2).tolist() == [2, 3, 4], "the curve is cut at each of them"


def test_separate_wraps_stay_separate() -> None:
    breaks = JumpIndex(3, partial(find_angle_jumps, sequence="321"))
    turning = np.zeros((8, 3))
    turning[:, 2] = [170.0, 178.0, -174.0, -166.0, 175.0, 177.0, 179.0, -179.0]
    breaks.grow(turning)
    before, behind, causes = breaks.grouped_jumps_of_any
    assert (before.tolist(), behind.tolist()) == ([1, 3, 6], [2, 4, 7])
    assert set(causes.tolist()) == {WRAP}
