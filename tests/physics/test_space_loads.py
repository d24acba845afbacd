"""Gravity gradient, attitude control and internal dissipation: their known effects."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Preset
from quatviz.physics.loads import conserves_energy
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, relative_angle, rotate

MU, R = 3.2, 2.0
RATE = np.sqrt(MU / R**3)
LONG = qv.Body(inertia=[3.0, 3.4, 1.0])
"""Longest along body z, which wants to hang along the vertical."""

ORBIT = qv.GravityGradient(
    gravitational_parameter=MU, distance=R, direction=[0, 0, 1], orbit="circular", normal=[0, 1, 0]
)


def orbiting(tilt: float, **changes: Any) -> Preset:
    """A body in the plane of its orbit: z turned by `tilt` from the direction to the center about y, the orbit's normal."""
    load = ORBIT
    rate = RATE if load.orbit == "circular" else 0.0
    return Preset(
        body=LONG,
        initial=qv.Initial(
            euler_parameters=from_rotation_vector([0, tilt, 0]), angular_velocity=[0, rate, 0]
        ),
        loads=[replace(load, **changes)],
        run=qv.RunSettings(20.0, 1e-3, 0.01),
    )


def test_long_body_on_a_circular_orbit_points_at_the_center() -> None:
    lane = qv.simulate(orbiting(0.0), lanes=["newton_euler"]).lanes[0]
    expected = from_rotation_vector(RATE * lane.t[:, None] * np.array([0.0, 1.0, 0.0]))
    assert relative_angle(lane.p, expected).max() < 1e-9


def test_gravity_gradient_libration_has_the_pendulum_period() -> None:
    """theta'' = -3/2 n^2 (J1 - J3)/J2 sin 2 theta, exactly: period 4 K(sin^2 theta_0) / (n sqrt(3 (J1 - J3)/J2))."""
    tilt = 0.5
    lane = qv.simulate(orbiting(tilt), lanes=["hamilton"], duration=40.0).lanes[0]
    turned = 2.0 * np.unwrap(np.arctan2(lane.p[:, 2], lane.p[:, 0])) - RATE * lane.t
    rows = np.flatnonzero(turned[:-1] * turned[1:] < 0)
    crossings = lane.t[rows] - turned[rows] * 0.01 / (turned[rows + 1] - turned[rows])
    period = 4.0 * ellipk(np.sin(tilt) ** 2) / (RATE * np.sqrt(3.0 * (3.0 - 1.0) / 3.4))
    assert 2.0 * np.diff(crossings).mean() == pytest.approx(period, rel=1e-4)
    assert np.abs(turned).max() == pytest.approx(tilt, abs=1e-4)


def test_gravity_gradient_without_orbit_conserves_energy() -> None:
    preset = orbiting(0.4, orbit="fixed")
    still = replace(preset, initial=replace(preset.initial, angular_velocity=[0.0, 0.0, 0.0]))
    lane = qv.simulate(still, lanes=["hamilton_canonical"]).lanes[0]
    assert np.abs(lane.energy_drift).max() < 1e-9
    assert conserves_energy(still.loads[0])
    assert not conserves_energy(orbiting(0.4).loads[0])
    assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-8)


def test_orbit_conserves_the_jacobi_integral_but_not_energy() -> None:
    preset = orbiting(0.5)
    tumbling = replace(preset, initial=replace(preset.initial, angular_velocity=[0.3, 0.5, -0.2]))
    lane = qv.simulate(tumbling, lanes=["lagrange_full/torque"]).lanes[0]
    jacobi = lane.energy - RATE * lane.h_space[:, 1]
    assert np.ptp(jacobi) < 1e-9
    assert np.ptp(lane.energy) > 1e-2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"direction": [0, 0, 0]}, "a direction"),
        ({"normal": [0, 0, 0]}, "a direction"),
        ({"normal": [0, 1, 1]}, "45 degrees"),
        ({"distance": 0.0}, "above 0"),
    ],
)
def test_invalid_orbit_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(ORBIT, **changes)


TARGET = np.array([0.6, -0.2, 0.5, 0.4]) / 0.9


def controlled(turn: float, sign: float = 1.0) -> Preset:
    axis = np.array([0.48, -0.6, 0.64])
    start = multiply(TARGET, from_rotation_vector(turn * axis))
    return Preset(
        body=qv.Body(inertia=[1.0, 1.0, 1.0]),
        initial=qv.Initial(euler_parameters=sign * start, angular_velocity=[0, 0, 0]),
        loads=[qv.AttitudeControl(stiffness=2.0, damping=1.5, target=0.3 * TARGET)],
        run=qv.RunSettings(30.0, 1e-3, 0.05),
    )


@pytest.mark.parametrize("turn", [2.5, 3.1, 3.3, 5.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_control_takes_the_short_way_and_stops(turn: float, sign: float) -> None:
    """5 rad one way are 1.28 rad the other way; p and -p are one attitude."""
    preset = controlled(turn, sign)
    lane = qv.simulate(preset, lanes=["newton_euler"]).lanes[0]
    error = relative_angle(lane.p, np.broadcast_to(TARGET, lane.p.shape))
    away = min(turn, 2.0 * np.pi - turn)
    assert error[0] == pytest.approx(away, abs=1e-9)
    assert error.max() < away + 1e-9, "never farther than at the start"
    assert error[-1] < 1e-3
    assert np.linalg.norm(lane.omega[-1]) < 1e-3


def test_control_near_its_target_is_a_damped_oscillator() -> None:
    """J theta'' + D theta' + K/2 theta = 0: q is half the angle."""
    lane = qv.simulate(controlled(1e-3), lanes=["newton_euler"]).lanes[0]
    error = lane.p @ np.array([0.6, -0.2, 0.5, 0.4]) / 0.9
    angle = 2.0 * np.arccos(np.clip(np.abs(error), 0.0, 1.0))
    slow = -0.75 + np.sqrt(0.75**2 - 1.0 + 0j)
    expected = 1e-3 * np.real(np.exp(slow * lane.t) * (1.0 - 0.75j / slow.imag))
    assert angle[:60] == pytest.approx(np.abs(expected[:60]), abs=2e-7)


def sinking(tilt: float) -> Preset:
    """A long symmetric body that spins almost about its axis."""
    return Preset(
        body=qv.Body(inertia=[4.0, 4.0, 0.5]),
        initial=qv.Initial(
            euler_parameters=[1, 0, 0, 0], angular_momentum=[2.0 * np.sin(tilt), 0.0, 2.0 * np.cos(tilt)]
        ),
        loads=[qv.InternalDissipation(coefficient=0.05)],
        run=qv.RunSettings(80.0, 1e-3, 0.05),
    )


def test_dissipation_leads_to_a_flat_spin() -> None:
    """tan theta grows by exp(c (1/Ja - 1/Jt) t), |h| stays, the energy falls from h^2/2Ja to h^2/2Jt."""
    tilt = 0.05
    lane = qv.simulate(sinking(tilt), lanes=["lagrange_simplified/torque"]).lanes[0]
    theta = np.arctan2(np.linalg.norm(lane.h[:, :2], axis=1), lane.h[:, 2])
    grown = np.arctan(np.tan(tilt) * np.exp(0.05 * (1.0 / 0.5 - 1.0 / 4.0) * lane.t))
    assert theta == pytest.approx(grown, abs=1e-9)
    assert np.abs(np.linalg.norm(lane.h, axis=1) - 2.0).max() < 1e-10
    assert (np.diff(lane.energy) < 1e-13).all()
    assert lane.energy[-1] == pytest.approx(2.0**2 / (2.0 * 4.0), rel=5e-3)


def test_dissipation_conserves_the_direction_of_h() -> None:
    lane = qv.simulate(sinking(0.3), lanes=["newton_euler"]).lanes[0]
    away = np.linalg.norm(lane.h_space - lane.h_space[0], axis=1) / 2.0
    wobble = np.linalg.norm(np.cross(lane.omega, lane.h), axis=1).max() / 4.0 * 0.05 / (2.0 / 4.0)
    assert away.max() < 2.0 * wobble
    assert away.max() > 1e-4, "it is no real damper: the docstring says so"


def test_dissipation_does_not_act_on_steady_spins_or_rest() -> None:
    preset = sinking(0.0)
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=5.0).lanes[0]
    assert lane.omega == pytest.approx(np.tile([0.0, 0.0, 4.0], (len(lane.t), 1)), abs=1e-12)
    still = replace(preset, initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0]))
    assert not qv.simulate(still, lanes=["newton_euler"], duration=5.0).lanes[0].omega.any()
    assert rotate(lane.p[-1:], lane.h[-1:])[0] == pytest.approx([0, 0, 2.0], abs=1e-12)
