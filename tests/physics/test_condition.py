"""The condition number of the linear system of each formulation."""

import numpy as np
import pytest
from helpers import LANES, random_preset

import quatviz as qv


def run(lanes):
    return qv.simulate(
        random_preset(2, gravity=False), lanes=lanes, dt=1e-3, duration=0.5, sample_interval=0.05
    )


@pytest.mark.parametrize("name", LANES)
def test_every_formulation_has_a_condition_number(name: str) -> None:
    lane = run([name]).lanes[0]
    assert (lane.condition >= 1.0).all()
    assert lane.condition.shape == lane.t.shape


def test_forms_that_solve_only_J_have_its_condition_number() -> None:
    inertia = random_preset(2, gravity=False).body.inertia
    expected = np.linalg.cond(inertia, 1)
    for lane in run(
        ["newton_euler", "hamilton", "udwadia_schutte", "lagrange_full/torque_closed", "lie_group"]
    ).lanes:
        assert lane.condition == pytest.approx(expected, rel=1e-12)


def test_condition_number_grows_with_large_J0() -> None:
    lanes = [qv.Lane("udwadia_schutte_fundamental", J0=J0, name=str(J0)) for J0 in (1.0, 1e4)]
    close, far = run(lanes).lanes
    assert far.condition.min() > 1e3 * close.condition.max()


def test_condition_number_near_gimbal_lock_scales_as_det_S_squared() -> None:
    lane = qv.simulate(qv.load_preset("gimbal_lock"), lanes=["euler_angles/321"])["euler_angles/321"]
    near, far = lane.condition[-1], lane.condition[0]
    assert near > 100.0 * far
    assert near * lane.singularity[-1] ** 2 == pytest.approx(far * lane.singularity[0] ** 2, rel=10.0)


def test_cost_of_the_condition_number_is_measured() -> None:
    lane = run(["lagrange_full/torque"]).lanes[0]
    assert 0.0 < lane.engine.solver.cost < 1e-3
