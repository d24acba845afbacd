"""Making a run and inspecting it compiles nothing; a child process does that."""

from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.frame_builder import run_info
from quatviz.display.data.row_cache import RunColumns
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.export.table import Table
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.between_steps import advance_rows
from quatviz.simulation.simulation import Simulation


def test_creating_a_run_and_reading_it_compiles_nothing() -> None:
    preset = qv.load_preset("six_lambdas")
    before = (
        len(blocks.measure_rows.dispatcher.signatures),
        len(blocks.fixed_step_block.dispatcher.signatures),
    )
    lane = Simulation(preset).lanes[0]
    assert lane.h.shape == (1, 3)
    assert lane.energy.shape == (1,)
    assert (
        len(blocks.measure_rows.dispatcher.signatures),
        len(blocks.fixed_step_block.dispatcher.signatures),
    ) == before
    assert not lane.prepared


def test_reading_zero_rows_compiles_nothing() -> None:
    """The preview of a figure once blocked the window until the kernel of lambda was compiled."""
    preset = qv.load_preset("six_lambdas")
    simulation = Simulation(preset)
    columns = RunColumns(simulation, run_info(simulation, LaneStyles.default_for(len(simulation.lanes))))
    before = len(blocks.measure_rows.dispatcher.signatures)
    for lane in simulation:
        for quantity in ("lam", "singularity"):
            times, values = columns.values(lane.name, quantity)
            assert len(times) == len(values) == 0
            for rows in (slice(0, 0), slice(None), slice(0, 5), np.array([], dtype=int)):
                assert values[rows].shape == (0, 1)
    columns.close()
    assert np.isnan(Table.from_run(simulation).columns[0].values).all()
    assert len(blocks.measure_rows.dispatcher.signatures) == before


@pytest.mark.parametrize("settings", [{"integrator": "dop853"}, {"dt": 0.01}, {"dt": 0.0025}, {"dt": 0.001}])
def test_reading_rows_between_samples_compiles_nothing(settings: dict[str, Any]) -> None:
    preset = qv.load_preset("heavy_top").with_run(
        lanes=["newton_euler"], sample_interval=0.01, duration=0.1, **settings
    )
    lane = qv.simulate(preset).lanes[0].engine
    before = len(advance_rows.dispatcher.signatures)
    per_sample = lane.rows_per_sample
    assert per_sample > 1
    motion = lane.motion_within(0, per_sample * (lane.samples - 1) + 1)
    assert np.array_equal(motion.omega[::per_sample], lane.omega)
    assert len(advance_rows.dispatcher.signatures) == before
    assert motion.omega == pytest.approx(lane.motion_at_times(motion.t).omega, abs=1e-8)
