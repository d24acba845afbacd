"""The one-angle model S3(46) follows the disk, and refuses motions about no fixed axis with a reason."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.export.figures.figure import method_text
from quatviz.physics.observables.published_values import disk_angle


def test_one_angle_model_matches_the_disk() -> None:
    run = qv.simulate(qv.load_preset("spring_disk"), lanes=["one_angle", "exact", "newton_euler"])
    lane = run["one_angle"]
    assert lane.status == "ok"
    assert run.orientation_error("one_angle", reference="exact").max() < 1e-12
    assert lane.omega == pytest.approx(run["exact"].omega, abs=1e-12)
    angle, rate = disk_angle(lane.t)
    assert 2.0 * np.arctan2(lane.p[:, 3], lane.p[:, 0]) == pytest.approx(angle, abs=1e-9)
    assert lane.h[:, 2] == pytest.approx(2.0 * rate, abs=1e-9)


def test_one_angle_model_is_integrated() -> None:
    lanes = qv.simulate(qv.load_preset("spring_disk"), lanes=["one_angle", "exact"], duration=0.1).engine
    one_angle, exact = lanes
    assert not one_angle.formulation.is_exact
    assert exact.formulation.is_exact
    assert "DOP853" in method_text(one_angle)
    assert method_text(exact) == "exact solution"


def test_one_angle_model_matches_a_damped_tilted_pendulum() -> None:
    preset = qv.Preset(
        body=qv.Body(inertia=[2.0, 3.0, 4.0]),
        initial=qv.Initial(rotation_vector=[0.3, -0.7, 0.2], angular_velocity=[0.0, 2.0, 0.0]),
        loads=[qv.Torque(torque=[0.0, 0.5, 0.0], frame="body"), qv.Damping(coefficient=0.4)],
    )
    run = qv.simulate(preset, lanes=["one_angle", "newton_euler"], duration=5.0)
    assert run["one_angle"].status == "ok"
    assert run.orientation_error("one_angle", reference="newton_euler").max() < 1e-9


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("torque_free", "principal axis"),
        ("heavy_top", "a torque tilts the axis of rotation"),
        ("ring_damper", "a ring"),
    ],
)
def test_motion_without_a_fixed_axis_is_refused(name: str, reason: str) -> None:
    lane = qv.simulate(qv.load_preset(name), lanes=["one_angle"], duration=0.1).lanes[0]
    assert lane.status == "no_closed_form"
    assert reason in lane.message


def test_resting_body_without_torque_is_refused() -> None:
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 2.5]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0]),
    )
    lane = qv.simulate(preset, lanes=["one_angle"], duration=0.1).lanes[0]
    assert "the body is at rest and no load turns it" in lane.message
