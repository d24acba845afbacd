"""Making a run and looking at it compiles nothing: that is for the child process."""

from __future__ import annotations

import quatviz as qv
from quatviz.core import kernel
from quatviz.simulation.simulation import Simulation


def test_making_a_run_and_reading_its_motion_compiles_nothing() -> None:
    preset = qv.load_preset("six_lambdas")
    before = len(kernel.measure_rows.signatures), len(kernel.fixed_step_block.signatures)
    lane = Simulation(preset).lanes[0]
    assert lane.h.shape == (1, 3)
    assert lane.energy.shape == (1,)
    assert (len(kernel.measure_rows.signatures), len(kernel.fixed_step_block.signatures)) == before
    assert not lane.prepared
