"""SciPy's solvers as integrators: independent results, tolerances, stiff motions, chart changes, failing steps."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import STATES, reference_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

CASE = "point_force"
LOOSE = {"radau": 1e-6, "lsoda": 1e-7}
TIMES: dict[str, Any] = {"dt": 0.01, "duration": 2.0, "sample_interval": 0.01}


def lane_of(preset: Preset, integrator: str, form: str = "newton_euler", **settings: float) -> LaneRun:
    run = Simulation(preset.with_run(lanes=[form], integrator=integrator, **{**TIMES, **settings}))
    run.complete(jobs=1)
    return run.lanes[0]


@pytest.mark.parametrize("integrator", LOOSE)
def test_scipy_methods_agree_with_80_bit_states_and_gain_digits_with_tolerance(integrator: str) -> None:
    errors, steps = [], []
    for share in (1.0, 1e-2, 1e-4):
        lane = lane_of(reference_preset(CASE), integrator, rtol=LOOSE[integrator] * share)
        e = STATES[CASE]["e"][STATES[CASE]["times"].index(2.0)]
        errors.append(relative_angle(lane.p[-1], e))
        steps.append(lane.solver.steps)
    assert np.all(np.diff(np.log10(errors)) < -1.0), errors
    assert errors[-1] < 1e-9
    assert np.all(np.diff(steps) > 0)


@pytest.mark.parametrize("integrator", LOOSE)
def test_dense_samples_are_as_accurate_as_step_ends(integrator: str) -> None:
    lane = lane_of(reference_preset(CASE), integrator)
    fine = lane_of(reference_preset(CASE), "dop853")
    assert lane.solver.steps < 0.8 * lane.samples
    assert relative_angle(lane.p, fine.p).max() < 1e-8


def test_stiff_solver_takes_few_steps() -> None:
    """A top in honey sinks for minutes, but its spin decays within milliseconds, which limits explicit steps."""
    top = qv.load_preset("heavy_top")
    stiff = replace(top, loads=[*top.loads, qv.Damping(coefficient=3000.0)])
    times: dict[str, Any] = {"duration": 2.0, "sample_interval": 0.1}
    explicit = lane_of(stiff, "dop853", rtol=1e-7, **times)
    for integrator in LOOSE:
        lane = lane_of(stiff, integrator, rtol=1e-7, **times)
        assert lane.solver.steps < 0.3 * explicit.solver.steps, (
            integrator,
            lane.solver.steps,
            explicit.solver.steps,
        )
        assert relative_angle(lane.p, explicit.p).max() < 1e-5


def test_concurrent_solvers_are_independent() -> None:
    """ODEPACK keeps global state, so one lane could change another."""
    preset = reference_preset(CASE).with_run(lanes=["newton_euler", "hamilton"], integrator="lsoda", **TIMES)
    together = Simulation(preset)
    for lane in together:
        lane.prepare()
    for _ in range(200):
        for lane in together:
            lane.advance(1)
    for lane in together:
        alone = lane_of(reference_preset(CASE), "lsoda", lane.name)
        assert np.array_equal(alone.history.rows, lane.history.rows)


def test_chart_change_restarts_or_refuses_the_solver() -> None:
    preset = qv.load_preset("half_turn")
    settings: dict[str, Any] = {"rtol": 1e-8, "duration": 4.0, "sample_interval": 0.1}
    changing = lane_of(preset, "radau", "modified_rodrigues", **settings)
    assert np.abs(np.diff(changing.history.rows[:, 3:6], axis=0)).max() > 0.5, "it changes charts on the way"
    assert relative_angle(changing.p, lane_of(preset, "dop853", **settings).p).max() < 1e-6
    with pytest.raises(InputError, match="a multistep method loses its stored values") as refusal:
        lane_of(preset, "lsoda", "modified_rodrigues")
    assert refusal.value.key == "run.integrator"
    assert "radau" in refusal.value.remedy


@pytest.mark.parametrize("integrator", LOOSE)
def test_failed_solver_reports_its_reason(integrator: str) -> None:
    preset = qv.load_preset("torque_free")
    fast = replace(preset, initial=replace(preset.initial, angular_momentum=[1e9, 0.0, 1e9]))
    lane = lane_of(fast, integrator, dt=1.0, sample_interval=1.0, duration=10.0)
    assert lane.status == "step_failed"
    assert "needed more than a hundred steps for each dt" in lane.message
    assert 0 < lane.solver.steps <= 1101
    with pytest.raises(InputError, match="an altered state would contradict"):
        lane_of(preset, integrator, "hamilton,stabilisation=project")
    locked = lane_of(qv.load_preset("gimbal_lock"), integrator, "euler_angles/321", duration=8.0, rtol=1e-7)
    assert locked.status == "singular"
    assert locked.ended_at == pytest.approx(5.0, abs=0.05)


@pytest.mark.parametrize("integrator", LOOSE)
def test_lane_can_be_read_between_steps(integrator: str) -> None:
    run = Simulation(reference_preset(CASE).with_run(lanes=["newton_euler"], integrator=integrator, **TIMES))
    lane = run.lanes[0]
    lane.prepare()
    lane.advance(200, max_steps=3)
    assert lane.solver.steps == 3
