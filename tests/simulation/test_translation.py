"""Position of the center of mass: on a pivot, in free flight, under body-fixed thrust, and unknown ones."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import rotate
from quatviz.simulation import center_of_mass_motion

BODY = qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0)
THRUST = qv.PointForce(force=[0.6, 0.0, 0.0], point=[0.0, 0.0, 0.0], frame="body")


class UnplacedSpring(qv.Spring):
    """A load that depends on the center of mass in an undeclared way."""

    center_column = None


def flying(loads: Sequence[Load], **initial: object) -> Preset:
    start = {"euler_parameters": [1, 0, 0, 0], "angular_velocity": [0, 0, 1.5], **initial}
    return Preset(body=BODY, initial=qv.Initial(**start), loads=loads, run=qv.RunSettings(6.0, 1e-3, 0.02))


def test_body_fixed_thrust_gives_a_cycloid() -> None:
    """m c'' = f (cos wt, sin wt): c = f/(m w^2) (1 - cos wt, wt - sin wt), for a spin about z."""
    lane = qv.simulate(flying([THRUST]), lanes=["newton_euler"]).lanes[0]
    w, size = 1.5, 0.6 / (4.0 * 1.5**2)
    expected = size * np.stack((1 - np.cos(w * lane.t), w * lane.t - np.sin(w * lane.t), 0 * lane.t), axis=1)
    assert lane.centre == pytest.approx(expected, abs=1e-8)
    rate = size * w * np.stack((np.sin(w * lane.t), 1 - np.cos(w * lane.t), 0 * lane.t), axis=1)
    assert lane.centre_velocity == pytest.approx(rate, abs=1e-8)


def test_translation_error_is_of_fourth_order() -> None:
    errors = []
    for interval in (0.1, 0.05, 0.025):  # rotation per sample interval
        lane = qv.simulate(flying([THRUST]), lanes=["newton_euler"], sample_interval=interval).lanes[0]
        w, size = 1.5, 0.6 / (4.0 * 1.5**2)
        errors.append(np.abs(lane.centre[:, 0] - size * (1 - np.cos(w * lane.t))).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.3)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(4.0, abs=0.3)


@pytest.mark.parametrize("lane", ["euler_angles/321", "modified_rodrigues", "lagrange_full/split", "exact"])
def test_translation_is_equal_in_all_lanes(lane: str) -> None:
    """Signs of p and chart changes do not affect the path."""
    loads = (
        [qv.PointForce(force=[0.6, "0.2*sin(t)", 0.1], point=[0, 0, 0], frame="body")]
        if lane != "exact"
        else []
    )
    preset = flying(loads, angular_velocity=[0.4, 1.5, 0.3], velocity=[0.1, 0.2, 0.3], position=[1, 2, 3])
    run = qv.simulate(preset, lanes=["newton_euler", lane])
    first, second = run.lanes
    samples = min(len(first), len(second))
    assert samples > 100
    assert second.centre[:samples] == pytest.approx(first.centre[:samples], abs=1e-6)
    assert first.centre[0].tolist() == [1.0, 2.0, 3.0]


def test_translation_does_not_depend_on_the_interval_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(center_of_mass_motion, "BLOCK", 7)
    run = qv.simulate(flying([THRUST]), lanes=["newton_euler", "hamilton"])
    whole = run["newton_euler"].centre
    pieces = run["hamilton"]
    assert pieces.engine.motion_at(np.array([17, 3, 250])).centre == pytest.approx(
        whole[[17, 3, 250]], abs=1e-12
    )
    assert pieces.motion(100, 140).centre == pytest.approx(whole[100:140], abs=1e-12)
    assert pieces.motion(5, 5).centre.shape == (0, 3)


def test_center_of_mass_on_a_pivot_follows_the_attitude() -> None:
    lane = qv.simulate(qv.load_preset("heavy_top"), lanes=["newton_euler"], duration=2.0).lanes[0]
    arm = np.broadcast_to([0.0, 0.0, 1.0], (len(lane), 3))
    assert lane.centre == pytest.approx(rotate(lane.p, arm), abs=1e-14)
    slope = np.gradient(lane.centre, lane.t, axis=0)
    assert lane.centre_velocity[5:-5] == pytest.approx(slope[5:-5], abs=2e-3)


@pytest.mark.parametrize(
    "change",
    [
        {"body": replace(BODY, mass=None)},
        {"body": replace(BODY, about="pivot")},
        {"loads": [UnplacedSpring(stiffness=1.0, point=[0.1, 0, 0], anchor=[1, 0, 0])]},
    ],
)
def test_unknown_center_of_mass_is_nan(change: dict[str, object]) -> None:
    preset = replace(flying([THRUST]), **change)  # type: ignore[arg-type]
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.2).lanes[0]
    assert np.isnan(lane.centre).all()
    assert np.isnan(lane.centre_velocity).all()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (qv.Body(inertia=[1.0, 2.0, 2.5]), "without a mass"),
        (qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0, about="pivot"), "about a pivot"),
    ],
)
def test_unused_initial_position_is_reported(body: qv.Body, message: str) -> None:
    for preset, is_reported in ((flying([], velocity=[0, 0, 1]), True), (flying([]), False)):
        lane = qv.simulate(replace(preset, body=body), lanes=["newton_euler"], duration=0.02).lanes[0]
        assert np.isnan(lane.centre).all()
        assert [message in remark for remark in lane.warnings] == [True] * is_reported


@pytest.mark.parametrize("lane", ["newton_euler", "exact", "newton_euler,integrator=dop853"])
@pytest.mark.parametrize("interval", [0.1, 0.5])
def test_path_does_not_depend_on_the_sample_interval(lane: str, interval: float) -> None:
    """With one radian per sample the path was once off by 1e-3 m, and with five radians it was entirely wrong."""
    preset = replace(
        qv.load_preset("torque_free"),
        body=BODY,
        loads=[qv.PointForce(force=[1.0, 0.0, 0.5], point=[0.0, 0.0, 0.0], frame="body")],
        initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[1.0, 10.0, 2.0]),
    )
    coarse, fine = (
        qv.simulate(preset, lanes=[lane], sample_interval=dt, duration=2.0, dt=0.001).lanes[0]
        for dt in (interval, 0.002)
    )
    every = round(interval / 0.002)
    assert coarse.status == fine.status == "ok"
    assert coarse.centre == pytest.approx(fine.centre[::every], abs=2e-6)
    assert coarse.centre_velocity == pytest.approx(fine.centre_velocity[::every], abs=2e-6)
