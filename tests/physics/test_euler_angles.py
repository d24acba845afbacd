"""Euler-angle lanes: twelve sequences and their singularities."""

import numpy as np
import pytest
from helpers import derivative, random_preset

import quatviz as qv
from quatviz.physics.formulations import make_formulation
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, S, angles_from_p, det_S, p_from_angles


def middle(sequence: str, distance: float) -> float:
    """The second angle at this distance from the singularity [rad]."""
    return distance if sequence[0] == sequence[2] else 0.5 * np.pi - distance


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_acceleration_of_angles_matches_eulers_equation(sequence: str) -> None:
    preset = random_preset(2, gravity=True)
    angles, rates = np.array([0.4, middle(sequence, 0.7), -1.1]), np.array([0.9, -0.6, 1.3])
    omega = S(angles, sequence) @ rates
    acceleration = derivative(f"euler_angles/{sequence}", preset, np.concatenate((angles, rates)))[0][3:]
    step = 1e-5
    moved = [S(angles + sign * step * rates, sequence) for sign in (1, -1)]
    omega_rate = S(angles, sequence) @ acceleration + (moved[0] - moved[1]) / (2 * step) @ rates
    p = p_from_angles(angles, sequence)
    euler = derivative("newton_euler", preset, np.concatenate((omega, p)))[0][:3]
    assert omega_rate == pytest.approx(euler, abs=1e-8)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_acceleration_of_angles_scales_as_one_over_det_S(sequence: str) -> None:
    """S2(11): q'' = S^-1 (...), for given rates and torque."""
    free = random_preset(1, gravity=False)
    preset = qv.Preset(body=free.body, initial=free.initial, loads=[qv.Torque(torque=[0.3, 0.8, -0.5])])
    dets, sizes = [], []
    for distance in np.geomspace(1e-2, 1e-6, 9):
        angles = np.array([0.4, middle(sequence, distance), -1.1])
        y = np.concatenate((angles, [0.2, -0.3, 0.5]))
        dets.append(abs(det_S(angles, sequence)))
        sizes.append(np.linalg.norm(derivative(f"euler_angles/{sequence}", preset, y)[0][3:]))
    slope = np.polyfit(np.log(dets), np.log(sizes), 1)[0]
    assert slope == pytest.approx(-1.0, abs=0.02)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_singularity_measure_is_det_S(sequence: str) -> None:
    preset = random_preset(4, gravity=False)
    lane = qv.simulate(
        preset, lanes=[f"euler_angles/{sequence}"], dt=1e-3, duration=0.2, sample_interval=0.01
    )[f"euler_angles/{sequence}"]
    assert lane.singularity == pytest.approx(det_S(angles_from_p(lane.p, sequence), sequence), abs=1e-12)


def test_lane_that_starts_singular_ends_and_others_run() -> None:
    preset = qv.load_preset("torque_free")
    run = qv.simulate(preset, lanes=["euler_angles/313", "euler_angles/321"], duration=1.0)
    locked, other = run.lanes
    assert (locked.status, len(locked), locked.ended_at) == ("singular", 1, 0.0)
    assert "3-1-3 angles are locked" in locked.message
    assert "det S" in locked.message
    assert "Try 1-2-3 or any Euler-parameter form" in locked.message
    assert other.status == "ok"


def test_lane_ends_before_the_singularity() -> None:
    """For a pitch rate of 1 rad/s, det S of 3-2-1 is cos t, and the limit is 5 |omega| dt. No step passes this
    singularity, so none is suggested."""
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 1.0, 1.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 1.0, 0.0]),
    )
    for dt in (1e-3, 0.1):
        run = qv.simulate(preset, lanes=["euler_angles/321"], dt=dt, duration=3.0, sample_interval=dt)
        lane = run["euler_angles/321"]
        assert lane.status == "singular"
        assert ("for steps of this length" in lane.message, "dt = " in lane.message) == (dt == 0.1, False)
        assert lane.ended_at is not None
        assert 0.0 <= lane.ended_at - np.arccos(max(5e-3, 5.0 * dt)) < dt
        assert lane.t[-1] < lane.ended_at
        assert f"ended at t = {lane.ended_at:.6g} s" in lane.message


def test_no_lane_continues_past_a_singularity_with_wrong_motion() -> None:
    """2-3-1 on the heavy top reaches det S = 0.017, where an angle changes by 0.3 rad per step of 1e-4 s."""
    run = qv.simulate(
        qv.load_preset("heavy_top"), lanes=["hamilton", "euler_angles/231"], dt=1e-4, duration=10.0
    )
    lane = run["euler_angles/231"]
    assert lane.status == "singular"
    assert run.orientation_error(lane.name, "hamilton").max() < 1e-4


def test_initial_state_and_attitude_are_inverse() -> None:
    random = np.random.default_rng(7)
    body = random_preset(0, gravity=False).body
    for sequence in SEQUENCES:
        formulation = make_formulation(f"euler_angles/{sequence}")
        parameters = formulation.parameters(body, [])
        p, omega = random.normal(size=4), random.normal(size=3)
        p /= np.linalg.norm(p)
        seen_p, seen_omega = formulation.observe(formulation.start(p, omega, parameters)[None], parameters)
        assert seen_p[0] == pytest.approx(p, abs=1e-14)
        assert seen_omega[0] == pytest.approx(omega, abs=1e-10)


def test_angles_of_a_lane_match_its_attitude() -> None:
    preset = random_preset(6, gravity=True)
    run = qv.simulate(preset, lanes=["newton_euler"], dt=1e-3, duration=1.0, sample_interval=0.1)
    lane = run["newton_euler"]
    assert lane.angles_313.tolist() == np.degrees(angles_from_p(lane.p, "313")).tolist()
    assert lane.det_S_313 == pytest.approx(np.sin(np.radians(lane.angles_313[:, 1])))
