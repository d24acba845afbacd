"""The gravity gradient on a Kepler ellipse: Kepler's equation, published libration, limits, and refusals."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import quatviz as qv
from quatviz.physics.loads.gravity_gradient import GravityGradient, solve_kepler
from quatviz.physics.loads.gravity_gradient.kernel import eccentric_anomaly
from quatviz.physics.mechanics.euler_sequences import p_from_angles

ORBIT: dict[str, Any] = {
    "gravitational_parameter": 1.0,
    "distance": 1.0,
    "direction": [0.0, 0.0, 1.0],
    "normal": [0.0, 1.0, 0.0],
}
"""Mean motion of 1 rad/s; at the start up is z, and forward is x."""


@pytest.mark.parametrize("eccentricity", [0.0, 0.1, 0.6, 0.95, 0.999, 1.0 - 1e-9, 1.0 - 1e-12])
def test_both_kepler_solvers_satisfy_keplers_equation(eccentricity: float) -> None:
    small = np.geomspace(1e-14, 1.0, 60)
    for M in (*np.linspace(-20.0, 20.0, 201), *small, *-small):
        turns = 2.0 * np.pi * np.round(M / (2.0 * np.pi))
        by_array = float(solve_kepler(np.array([M]), eccentricity)[0]) - turns
        by_kernel = eccentric_anomaly(M, eccentricity)
        slope = 1.0 - eccentricity * np.cos(by_kernel)
        for E in (by_array, by_kernel):
            residual = E - eccentricity * np.sin(E) - (M - turns)
            assert abs(residual) <= 1e-14 + 4e-15 * abs(M)
        assert np.remainder(by_array - by_kernel + 1.0, 2.0 * np.pi) - 1.0 == pytest.approx(
            0.0, abs=1e-14 + 1e-14 / slope
        )


def rotating_with_orbit(eccentricity: float, pitch_rate: float) -> qv.Initial:
    """A body aligned with the orbital frame at the pericenter; `pitch_rate` is per true anomaly."""
    true_anomaly_rate = (1.0 + eccentricity) ** 2 / (1.0 - eccentricity**2) ** 1.5
    rate = true_anomaly_rate * (1.0 + pitch_rate)
    return qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, rate, 0])


@pytest.mark.parametrize(
    "formulation", ["newton_euler", "hamilton", "lagrange_full/torque", "euler_angles/213"]
)
def test_forced_libration_has_the_period_of_the_orbit(formulation: str) -> None:
    """Beletsky's odd solution for e = 0.1 and (A - C)/B = 0.8: one start, three angles of a shooting at 1e-13."""
    body = qv.Body(inertia=[0.9, 1.0, 0.1])
    load = GravityGradient(**ORBIT, orbit="elliptic", eccentricity=0.1)
    preset = qv.Preset(body=body, initial=rotating_with_orbit(0.1, 0.121564810238651), loads=[load])
    run = qv.simulate(preset, lanes=[formulation], duration=2.0 * np.pi, dt=1e-3, sample_interval=1e-3)
    lane = run[formulation]
    E = solve_kepler(lane.t, 0.1)
    nu = np.degrees(np.unwrap(np.arctan2(np.sqrt(0.99) * np.sin(E), np.cos(E) - 0.1)))
    pitch, roll, yaw = np.radians(lane.orbital_angles).T
    expected = [0.09027684538373529, 0.1445368456539322, 0.11689591758810118]
    assert CubicSpline(nu, pitch)([45.0, 90.0, 135.0]) == pytest.approx(expected, abs=1e-9)
    assert pitch[-1] == pytest.approx(pitch[0], abs=1e-3)
    assert np.abs([roll, yaw]).max() < 1e-9


@pytest.mark.parametrize("eccentricity", [0.05, 0.3, 0.7])
def test_planar_motion_satisfies_beletskys_equation(eccentricity: float) -> None:
    """(1 + e cos nu) x'' - 2 e sin nu (x' + 1) + 3 k sin x cos x = 0 in the true anomaly, by SciPy's DOP853."""
    k, start = 0.6, 0.3
    body = qv.Body(inertia=[0.8, 1.0, 0.2])
    load = GravityGradient(**ORBIT, orbit="elliptic", eccentricity=eccentricity)
    preset = qv.Preset(body=body, initial=rotating_with_orbit(eccentricity, start), loads=[load])
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=6.0, dt=5e-4, sample_interval=0.05)[
        "newton_euler"
    ]

    def rhs(nu: float, y: np.ndarray) -> list[float]:
        x, rate = y
        numerator = 2.0 * eccentricity * np.sin(nu) * (rate + 1.0) - 3.0 * k * np.sin(x) * np.cos(x)
        return [rate, numerator / (1.0 + eccentricity * np.cos(nu))]

    E = solve_kepler(lane.t, eccentricity)
    nu = np.unwrap(np.arctan2(np.sqrt(1.0 - eccentricity**2) * np.sin(E), np.cos(E) - eccentricity))
    solution = solve_ivp(rhs, (0.0, nu[-1]), [0.0, start], "DOP853", nu, rtol=1e-13, atol=1e-14)
    pitch = np.unwrap(np.radians(lane.orbital_angles[:, 0]))
    assert pitch == pytest.approx(solution.y[0], abs=1e-9)


def test_zero_eccentricity_equals_the_circular_orbit() -> None:
    body = qv.Body(inertia=[0.9, 1.0, 0.3])
    initial = qv.Initial(rotation_vector=[0.05, 0.3, 0.1], angular_velocity=[0.0, 1.0, 0.0])
    ends = []
    for orbit in ("circular", "elliptic"):
        load = GravityGradient(**ORBIT, orbit=orbit)
        preset = qv.Preset(body=body, initial=initial, loads=[load])
        run = qv.simulate(preset, lanes=["newton_euler"], duration=20.0, dt=1e-2, sample_interval=1.0)
        ends.append(run["newton_euler"].p[-1])
    assert ends[0].tolist() == ends[1].tolist()


def test_distance_and_direction_match_the_ellipse() -> None:
    """From r = a (1 - e^2)/(1 + e cos nu), and Kepler's second law by differences."""
    e, start = 0.4, 1.1
    load = GravityGradient(**ORBIT, orbit="elliptic", eccentricity=e, true_anomaly=start)
    assert load.vertical(0.0) == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)
    t = np.linspace(0.0, 2.0 * np.pi, 2001)
    frames = load.orbital_frame(t)
    assert frames is not None
    up, forward = frames[:, :, 2], frames[:, :, 0]
    angle = np.unwrap(np.arctan2(up[:, 0], up[:, 2]))
    radius = (1.0 - e * e) / (1.0 + e * np.cos(start + angle))
    areal_speed = radius[1:-1] ** 2 * np.gradient(angle, t)[1:-1]
    assert areal_speed == pytest.approx(np.sqrt(1.0 - e * e), rel=1e-4)
    assert angle[-1] == pytest.approx(2.0 * np.pi, abs=1e-12)
    assert np.linalg.det(frames) == pytest.approx(1.0)
    assert forward[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)


def test_orbital_angles_match_the_orbital_frame() -> None:
    load = GravityGradient(**ORBIT, orbit="circular")
    angles = np.radians([20.0, -10.0, 35.0])
    preset = qv.Preset(
        body=qv.Body(inertia=[0.9, 1.0, 0.3]),
        initial=qv.Initial(euler_parameters=p_from_angles(angles, "213"), angular_velocity=[0, 0, 0]),
        loads=[load],
    )
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.1, dt=0.01)["newton_euler"]
    assert lane.orbital_angles[0] == pytest.approx([20.0, -10.0, 35.0], abs=1e-12)


def test_orbital_angles_are_undefined_without_an_orbit() -> None:
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.1)["newton_euler"]
    assert np.isnan(lane.orbital_angles).all()


@pytest.mark.parametrize(
    ("fields", "key", "expected"),
    [
        ({"orbit": "elliptic", "eccentricity": 1.0}, "eccentricity", "a number below 1"),
        ({"orbit": "elliptic", "eccentricity": 1.2}, "eccentricity", "a number below 1"),
        ({"orbit": "elliptic", "eccentricity": -0.1}, "eccentricity", "at least 0"),
        ({"orbit": "circular", "eccentricity": 0.1}, "eccentricity", "the orbit is circular"),
        ({"orbit": "fixed", "true_anomaly": 0.1}, "true_anomaly", "the orbit is fixed"),
        ({"orbit": "elliptic", "direction": [0, 1, 1]}, "direction", "a right angle"),
    ],
)
def test_non_elliptic_orbit_is_refused(fields: dict, key: str, expected: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        GravityGradient(**(ORBIT | fields))
    assert refusal.value.key == key
    assert expected in str(refusal.value)
