"""Making a run and looking at it compiles nothing: that is for the child process."""

import numpy as np

import quatviz as qv
from quatviz.display.data.frame_builder import run_info
from quatviz.display.data.row_cache import RunColumns
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.export.table import Table
from quatviz.physics.kernels import blocks
from quatviz.simulation.simulation import Simulation


def test_making_a_run_and_reading_its_motion_compiles_nothing() -> None:
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


def test_reading_no_rows_of_a_lane_that_is_not_ready_compiles_nothing() -> None:
    """The preview of a figure did: the window stood still until lambda's kernel was there, and kept the compiler's memory."""
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
