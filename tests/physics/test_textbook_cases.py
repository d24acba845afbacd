"""Closed forms of textbooks that no preset, formulation or other test was made from: gyrostats, orbits, damping, pivots."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipj, fresnel

import quatviz as qv

FORMS = ("newton_euler", "hamilton", "lagrange_projected")


def moved(
    body: qv.Body, omega: Any, duration: float, dt: float, p: Any = (1.0, 0.0, 0.0, 0.0), loads: Any = (),
    form: str = "newton_euler", interval: float = 0.05, integrator: str = "gauss6",
) -> Any:  # fmt: skip
    initial = qv.Initial(euler_parameters=list(p), angular_velocity=list(omega))
    preset = qv.Preset(body=body, initial=initial, loads=loads, run=qv.RunSettings(duration, dt, interval))
    return qv.simulate(preset, lanes=[qv.Lane(form, integrator=integrator)]).lanes[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("stored", [1.2, -0.9, 0.2])
def test_wobble_of_a_triaxial_gyrostat(stored: float, form: str) -> None:
    """Hughes, Spacecraft Attitude Dynamics, 6.3: w1'' = -(h + (J3 - J2) nu)(h + (J3 - J1) nu)/(J1 J2) w1."""
    J, nu, size = np.array([1.0, 2.0, 1.5]), 1.0, 1e-6
    rotor = qv.Rotor(axis=[0, 0, 1], law="constant_momentum", momentum=stored)
    lane = moved(qv.Body(inertia=J, rotors=[rotor]), [size, 0.0, nu], 10.0, 1e-2, form=form)
    square = (stored + (J[2] - J[1]) * nu) * (stored + (J[2] - J[0]) * nu) / (J[0] * J[1])
    assert (square > 0.0) == (stored != 0.2)
    expected = size * np.cos(np.sqrt(complex(square)) * lane.t).real
    assert lane.omega[:, 0] == pytest.approx(
        expected, abs=1e-9 * size * np.exp(np.sqrt(max(-square, 0)) * 10)
    )


@pytest.mark.parametrize("form", FORMS)
def test_spin_of_an_axisymmetric_body_under_viscous_torques(form: str) -> None:
    """Each rate decays by its own coefficient, and the wobble turns by the integral of (J3 - J1)/J1 w3."""
    J1, J3, d1, d3 = 3.0, 4.0, 0.2, 0.5
    body, damping = qv.Body(inertia=[J1, J1, J3]), qv.Damping(matrix=[d1, d1, d3])
    lane = moved(body, [0.3, -0.2, 5.0], 20.0, 1e-2, loads=[damping], form=form)
    spin = 5.0 * np.exp(-d3 / J3 * lane.t)
    turned = (J3 - J1) / J1 * (5.0 - spin) * J3 / d3
    across = (0.3 - 0.2j) * np.exp(-d1 / J1 * lane.t + 1j * turned)
    assert lane.omega[:, 2] == pytest.approx(spin, abs=1e-11)
    assert lane.omega[:, 0] + 1j * lane.omega[:, 1] == pytest.approx(across, abs=1e-11)


@pytest.mark.parametrize("form", FORMS)
def test_spin_up_by_a_constant_torque_is_a_fresnel_integral(form: str) -> None:
    """Boedewadt 1952: w = exp(i phi) (w0 + M/J1 * integral of exp(-i phi)), phi = (J3 - J1)/J1 * integral of w3."""
    J1, J3, spin, M1, M3 = 2.0, 3.0, 0.4, 0.3, 0.6
    lane = moved(
        qv.Body(inertia=[J1, J1, J3]),
        [0.1, 0.05, spin],
        15.0,
        5e-3,
        loads=[qv.Torque(torque=[M1, 0.0, M3])],
        form=form,
    )
    k = (J3 - J1) / J1
    a, b, t = k * M3 / (2.0 * J3), k * spin, lane.t
    sine, cosine = fresnel(np.sqrt(2.0 * a / np.pi) * (t + b / (2.0 * a)))
    primitive = np.sqrt(np.pi / (2.0 * a)) * (cosine - 1j * sine) * np.exp(1j * b**2 / (4.0 * a))
    expected = np.exp(1j * (a * t**2 + b * t)) * (0.1 + 0.05j + M1 / J1 * (primitive - primitive[0]))
    assert lane.omega[:, 0] + 1j * lane.omega[:, 1] == pytest.approx(expected, abs=1e-11)
    assert lane.omega[:, 2] == pytest.approx(spin + M3 / J3 * t, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_slow_and_fast_regular_precession_of_a_top(sign: float, form: str) -> None:
    """Goldstein 5.7: J1 cos(theta) W^2 - J3 w3 W + weight l = 0. The nutation stays where it is."""
    J1, J3, weight, length, theta, spin = 5.0, 1.0, 20.0, 1.0, 0.6, 40.0
    root = np.sqrt((J3 * spin) ** 2 - 4.0 * J1 * np.cos(theta) * weight * length)
    rate = (J3 * spin + sign * root) / (2.0 * J1 * np.cos(theta))
    lane = moved(
        qv.Body(inertia=[J1, J1, J3], about="pivot"), [0.0, rate * np.sin(theta), spin], 5.0, 1e-3,
        p=(np.cos(theta / 2), np.sin(theta / 2), 0.0, 0.0), form=form,
        loads=[qv.Gravity(weight=weight, centre=[0.0, 0.0, length])],
    )  # fmt: skip
    e0, e1, e2, e3 = lane.p.T
    axis = np.stack([2.0 * (e1 * e3 + e0 * e2), 2.0 * (e2 * e3 - e0 * e1), 1.0 - 2.0 * (e1**2 + e2**2)])
    expected = [
        np.sin(theta) * np.sin(rate * lane.t),
        -np.sin(theta) * np.cos(rate * lane.t),
        np.cos(theta) + 0.0 * lane.t,
    ]
    assert np.abs(axis - expected).max() < 1e-10


@pytest.mark.parametrize("form", FORMS)
def test_reaction_of_a_physical_pendulum(form: str) -> None:
    """Along the rod m g cos + m l w^2 with w^2 = 2 m g l (cos - cos0)/J; across it m g sin (1 - m l^2/J)."""
    mass, length, J, start, weight = 2.0, 0.7, 1.4, 2.0, 2.0 * 9.81
    body = qv.Body(inertia=[J, J, 0.6], about="pivot", mass=mass, centre_of_mass=[0.0, 0.0, -length])
    lane = moved(
        body, [0.0, 0.0, 0.0], 6.0, 1e-3, p=(np.cos(start / 2), np.sin(start / 2), 0.0, 0.0), form=form,
        loads=[qv.Gravity(weight=weight, centre=[0.0, 0.0, -length])],
    )  # fmt: skip
    angle = 2.0 * np.arctan2(lane.p[:, 1], lane.p[:, 0])
    _, y, z = lane.pivot_force_space.T
    square = 2.0 * weight * length * (np.cos(angle) - np.cos(start)) / J
    along = -y * np.sin(angle) + z * np.cos(angle)
    across = y * np.cos(angle) + z * np.sin(angle)
    assert along == pytest.approx(weight * np.cos(angle) + mass * length * square, abs=1e-9)
    assert across == pytest.approx(weight * np.sin(angle) * (1.0 - mass * length**2 / J), abs=1e-9)


ORBIT: dict[str, Any] = {
    "gravitational_parameter": 1.0, "distance": 1.0, "direction": [0.0, 0.0, 1.0], "normal": [0.0, 1.0, 0.0],
}  # fmt: skip
"""An orbit with the mean motion 1 rad/s; at the start z points up and x forward."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("start", [1e-3, 0.5, 1.4])
def test_pitch_in_a_circular_orbit_of_any_amplitude(start: float, form: str) -> None:
    """sin(pitch) = sin(start) cd(t sqrt(3 (J1 - J3)/J2), sin(start)^2); small: the frequency sqrt(3 (J1 - J3)/J2) n."""
    J = np.array([0.9, 1.0, 0.4])
    lane = moved(
        qv.Body(inertia=J), [0.0, 1.0, 0.0], 30.0, 5e-3, p=(np.cos(start / 2), 0.0, np.sin(start / 2), 0.0),
        loads=[qv.GravityGradient(**ORBIT, orbit="circular")], form=form,
    )  # fmt: skip
    _, cn, dn, _ = ellipj(np.sqrt(3.0 * (J[0] - J[2]) / J[1]) * lane.t, np.sin(start) ** 2)
    assert np.sin(np.radians(lane.orbital_angles[:, 0])) == pytest.approx(np.sin(start) * cn / dn, abs=1e-10)


@pytest.mark.parametrize("form", FORMS)
def test_roll_and_yaw_have_the_two_frequencies_of_debra_and_delp(form: str) -> None:
    """s^4 + (1 + 3 k1 + k1 k3) s^2 + 4 k1 k3 = 0, k1 = (J2 - J3)/J1 and k3 = (J2 - J1)/J3."""
    J, size = np.array([0.9, 1.0, 0.4]), 1e-5
    lane = moved(
        qv.Body(inertia=J), [0.0, 1.0, 0.0], 40.0, 1e-2, p=(1.0, 0.5 * size, 0.0, 0.3 * size),
        loads=[qv.GravityGradient(**ORBIT, orbit="circular")], form=form,
    )  # fmt: skip
    k1, k3 = (J[1] - J[2]) / J[0], (J[1] - J[0]) / J[2]
    squares = np.roots([1.0, 1.0 + 3.0 * k1 + k1 * k3, 4.0 * k1 * k3])
    waves = [wave(np.sqrt(-square) * lane.t) for square in squares for wave in (np.cos, np.sin)]
    for angle in np.radians(lane.orbital_angles[:, 1:]).T:
        weights, *_ = np.linalg.lstsq(np.transpose(waves), angle, rcond=None)
        assert np.abs(np.transpose(waves) @ weights - angle).max() < 1e-4 * size
        assert np.abs(angle).max() > 0.3 * size


ELLIPSE_INERTIA = np.array([0.9, 1.0, 0.1])


@cache
def rate_of_odd_libration(e: float) -> float:
    """dx/dnu at periapsis for which x = 0 at both apsides, from Beletsky's equation by shooting."""
    k = (ELLIPSE_INERTIA[0] - ELLIPSE_INERTIA[2]) / ELLIPSE_INERTIA[1]

    def slope(nu: float, y: np.ndarray) -> list[float]:
        forced = 2.0 * e * np.sin(nu) * (y[1] + 1.0) - 3.0 * k * np.sin(y[0]) * np.cos(y[0])
        return [y[1], forced / (1.0 + e * np.cos(nu))]

    def at_apoapsis(rate: float) -> float:
        return float(solve_ivp(slope, (0.0, np.pi), [0.0, rate], "DOP853", rtol=1e-12, atol=1e-12).y[0, -1])

    trials = np.linspace(-3.5, 1.4, 50)
    ends = np.array([at_apoapsis(rate) for rate in trials])
    crossings = np.flatnonzero(ends[:-1] * ends[1:] < 0.0)
    rates = [brentq(at_apoapsis, trials[i], trials[i + 1], xtol=1e-13) for i in crossings]
    return min(rates, key=abs)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("eccentricity", [0.1, 0.2, 0.3, 0.4, 0.5])
def test_odd_periodic_libration_on_an_ellipse(eccentricity: float, form: str) -> None:
    """Beletsky's equation in the true anomaly, with x = 0 at both apsides by shooting; after an orbit the body is back."""
    e, rate = eccentricity, rate_of_odd_libration(eccentricity)
    anomaly_rate = (1.0 + e) ** 2 / (1.0 - e**2) ** 1.5
    load = qv.GravityGradient(**ORBIT, orbit="elliptic", eccentricity=e)
    interval = np.pi / 500.0
    lane = moved(
        qv.Body(inertia=ELLIPSE_INERTIA), [0.0, anomaly_rate * (1.0 + rate), 0.0], 2.0 * np.pi, interval / 4.0,
        loads=[load], interval=interval, form=form,
    )  # fmt: skip
    pitch = np.radians(lane.orbital_angles[:, 0])
    assert np.abs(pitch[[500, 1000]]).max() < 1e-8
    assert np.abs(pitch).max() > e / 2.0
    assert pitch[:501] == pytest.approx(-pitch[:499:-1], abs=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_bearing_friction_brings_wheel_and_body_to_one_rate(form: str) -> None:
    """The relative speed decays at the rate c (1/I + 1/(J - I)), and both end at h/J."""
    J, inertia, friction, spin, speed = 5.0, 0.4, 0.3, 0.2, 50.0
    wheel = qv.Rotor(axis=[0, 0, 2], inertia=inertia, friction=friction, speed=speed)
    lane = moved(qv.Body(inertia=[6.0, 7.0, J], rotors=[wheel]), [0.0, 0.0, spin], 10.0, 5e-3, form=form)
    relative = speed * np.exp(-friction * (1.0 / inertia + 1.0 / (J - inertia)) * lane.t)
    common = spin + inertia * speed / J
    assert lane.rotor_speed[:, 0] == pytest.approx(relative, abs=1e-10)
    assert lane.omega[:, 2] == pytest.approx(common - inertia / J * relative, abs=1e-11)


@pytest.mark.parametrize("form", FORMS)
def test_dry_friction_stops_a_spin_at_a_constant_rate(form: str) -> None:
    """Coulomb: w = w0 - tau t/J. Regularized, sqrt(w^2 + e^2) + e ln(w/(e + sqrt(w^2 + e^2))) falls at that rate."""
    J3, torque, rate, spin = 0.8, 0.4, 0.01, 6.0
    friction = qv.PivotFriction(dry=torque, rate=rate)
    lane = moved(
        qv.Body(inertia=[1.0, 1.0, J3], about="pivot"),
        [0.0, 0.0, spin],
        11.5,
        1e-3,
        loads=[friction],
        form=form,
    )
    size = np.hypot(lane.omega[:, 2], rate)
    fallen = size + rate * np.log(lane.omega[:, 2] / (rate + size))
    assert fallen == pytest.approx(fallen[0] - torque / J3 * lane.t, abs=1e-10)
    assert lane.omega[:, 2] == pytest.approx(spin - torque / J3 * lane.t, abs=5.0 * rate)
