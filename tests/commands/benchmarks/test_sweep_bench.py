"""The benchmark of sweeps compares with an equivalent C program."""

import numpy as np

from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.commands.benchmarks.sweep import plan_of, run_c


def test_c_program_finds_the_same_flips() -> None:
    plan = plan_of(9, 1500)
    seconds, flips = run_c(plan, 1500, 10)
    flip_times = run_chunk(plan, 0, plan.point_count)["flips"][0]
    assert seconds > 0
    assert len(set(flips)) > 3
    np.testing.assert_array_equal(flips, flip_times)
