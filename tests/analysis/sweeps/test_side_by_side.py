"""Runs computed side by side equal single runs bit for bit, including how they end."""

from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.batches import BatchPlanner
from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.analysis.sweeps.engine import BatchStepper, loop_of, run_lane
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.errors import InputError
from quatviz.simulation.simulation import Simulation

MEASURES = ("flips", "first_flip")
SIDES = {
    "initial.angular_velocity[0]": qv.Axis.linear(-1.0, 1.0, 9),
    "initial.angular_velocity[2]": qv.Axis.linear(-1.0, 1.0, 9),
}
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "starts": ("intermediate_axis", SIDES, {"lanes": "newton_euler", "dt": 1e-2, "duration": 8.0}),
    "bodies, of which some are none": (
        "intermediate_axis",
        {"body.inertia[0]": qv.Axis.linear(0.5, 6.0, 70)},
        {"lanes": "newton_euler", "dt": 1e-2, "duration": 8.0},
    ),
    "loads that move": (
        "gravity_gradient",
        {"body.inertia[2]": qv.Axis.linear(20.0, 80.0, 8), "initial.rotation_vector[1]": qv.Axis.linear(0, 1, 8)},
        {"lanes": "newton_euler", "dt": 5.0, "duration": 1000.0},
    ),
    "weights, steps and attitudes": (
        "heavy_top",
        {
            "loads[0].weight": [5.0, 20.0],
            "initial.rotation_vector[0]": qv.Axis.random(0.1, 1.0, 20),
            "lanes[0].dt": [1e-3, 2e-3],
        },
        {"lanes": "newton_euler", "duration": 1.0},
    ),
    "steps that blow up": (
        "stiff_top",
        {"initial.angular_momentum[2]": qv.Axis.linear(100.0, 5000.0, 64)},
        {"lanes": "newton_euler", "dt": 1e-2, "sample_interval": 1e-2, "duration": 0.5},
    ),
    "singular on the way": (
        "heavy_top",
        {"initial.rotation_vector[0]": [0.0, 0.2, 0.3, 0.4], "initial.angular_momentum[2]": qv.Axis.linear(0.0, 20.0, 16)},
        {"lanes": "euler_angles/313", "dt": 5e-3, "duration": 2.0},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_batched_runs_equal_single_runs_exactly(case: str) -> None:
    name, over, settings = CASES[case]
    plan = SweepPlan.create(qv.load_preset(name), over, measure=MEASURES, **settings)
    assert BatchPlanner(plan, 0).can_batch
    results = run_chunk(plan, 0, plan.point_count)
    values = plan.values_at(plan.grid_indices(0, plan.point_count))
    for index in {
        *range(0, plan.point_count, 9),
        *np.unique(results["status"][0], return_index=True)[1].tolist(),
    }:
        status = STATUSES[results["status"][0, index]]
        if status == "refused":
            with pytest.raises(InputError) as refusal:
                plan.preset_at(values[index], 0)
            assert results["reason"][0, index] == refusal.value.sentence
            continue
        run = Simulation(plan.preset_at(values[index], 0))
        with np.errstate(all="ignore"):
            alone = run_lane(plan.preset, run, plan.measure_classes)
        assert (results["status"][0, index], results["reason"][0, index]) == (
            alone.status[0],
            alone.reasons.get(0, ""),
        )
        np.testing.assert_array_equal(results["ended"][0, index], alone.ended[0])
        for measure in MEASURES:
            np.testing.assert_array_equal(results[measure][0, index], alone.measured[measure][0])
        _compare_states(plan, values[index], run)
    ends = {"bodies, of which some are none": 6, "steps that blow up": 2, "singular on the way": 1}
    assert (results["status"] == ends.get(case, 0)).any()


def _compare_states(plan: SweepPlan, values: np.ndarray, run: Simulation) -> None:
    """Compare attitude and rate at every sample of a run in a batch with those of its lane."""
    (batch,), _ = BatchPlanner(plan, 0).make_batches(values[None])
    bodies = BatchStepper(loop_of(batch), slice(0, 1))
    motion = run.lanes[0].motion()
    while bodies.remaining:
        with np.errstate(all="ignore"):
            first, rows = bodies.advance()
        p, omega = bodies.observe(rows)
        last = min(first + p.shape[1], run.lanes[0].samples)
        count = last - first
        np.testing.assert_array_equal(p[:, :count, 0].T, motion.p[first:last])
        np.testing.assert_array_equal(omega[:, :count, 0].T, motion.omega[first:last])
