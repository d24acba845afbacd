"""Selection of a kernel by argument types: fast, and never that of another type."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.integrators.rk4 import RK4
from quatviz.physics.kernels.binder import compiled
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation


class Pair(NamedTuple):
    a: float
    b: float


class Other(NamedTuple):
    c: float
    d: float


@compiled
def last(pair, rows):
    return pair[1] * rows[-1, 0]


ROWS = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (ROWS, 4.0),
        (np.asfortranarray(ROWS), 4.0),
        (ROWS[:, ::-1], 5.0),
        (ROWS[::2], 4.0),
        (ROWS.astype(np.float32), 4.0),
        (ROWS.astype(int), 4.0),
    ],
    ids=["rows", "columns", "backwards", "every_other", "single", "whole"],
)
@pytest.mark.parametrize(
    "pair", [Pair(0.0, 2.0), Other(0.0, 2.0), (0.0, 2.0), (0, 2), (True, np.float64(2.0))]
)
def test_bound_kernel_matches_every_argument_type(
    rows: np.ndarray, expected: float, pair: tuple[float, float]
) -> None:
    read_only = rows.view()
    read_only.flags.writeable = False
    for given in (rows, read_only):
        assert last.entry_point(pair, given)(pair, given) == 2.0 * expected


def test_lanes_of_one_formulation_share_a_bound_kernel() -> None:
    runs = [Simulation(qv.load_preset("torque_free").with_run(duration=0.1)) for _ in range(3)]
    for run in runs:
        run.lanes[0].advance(5)
    block: Any = RK4.block
    entries = {id(block.entry_point(*arguments_of(run.lanes[0]))) for run in runs}
    assert len(entries) == 1


def arguments_of(lane: LaneRun) -> tuple[Any, ...]:
    segment = lane.problem.segments[0]
    state = tuple(lane.history.rows[0].tolist())
    rows = lane.history.rows[1:2].copy()
    return (lane.solver.state.method, segment.parameters, segment.projection, 0, segment.steps_per_sample, 1,
            lane.solver.segment.dt, segment.threshold, state, rows)  # fmt: skip
