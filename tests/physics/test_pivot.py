"""The force on the pivot, and friction in the pivot."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import rotation_matrix

FORMULATIONS = ("newton_euler", "hamilton", "lagrange_full/gradient", "udwadia_schutte", "euler_angles/321")
MASS, LENGTH, GRAVITY = 2.0, 0.6, 9.81
"""Of a bar [kg, m] that hangs by its end, and the acceleration of gravity [m/s^2]."""


def swinging_bar(angle: float, spin: float = 0.0) -> qv.Preset:
    """A thin bar held by its end, let go at an angle [rad] from the lowest position about x, with a rate [rad/s]."""
    moment = MASS * LENGTH**2 / 3.0
    return qv.Preset(
        body=qv.Body(
            inertia=[moment, moment, 1e-3 * moment],
            about="pivot",
            mass=MASS,
            centre_of_mass=[0, 0, -LENGTH / 2],
        ),
        initial=qv.Initial(rotation_vector=[angle, 0, 0], angular_velocity=[spin, 0, 0]),
        loads=[qv.Gravity(weight=MASS * GRAVITY, centre=[0, 0, -LENGTH / 2])],
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_pivot_force_of_a_swinging_bar_matches_the_textbook(formulation: str) -> None:
    """Along the bar W cos a + m w^2 L/2, across it W sin a/4, for w^2 = 3 g/L (cos a - cos a0)."""
    start = 1.2
    run = qv.simulate(swinging_bar(start), lanes=[formulation], duration=2.0, dt=1e-3, sample_interval=0.02)
    lane = run[formulation]
    angle = 2.0 * np.arctan2(lane.p[:, 1], lane.p[:, 0])
    weight, square = MASS * GRAVITY, 3.0 * GRAVITY / LENGTH * (np.cos(angle) - np.cos(start))
    force = lane.pivot_force
    assert force[:, 2] == pytest.approx(weight * np.cos(angle) + MASS * square * LENGTH / 2, abs=1e-8)
    assert force[:, 1] == pytest.approx(weight * np.sin(angle) / 4.0, abs=1e-8)
    assert np.abs(force[:, 0]).max() < 1e-10
    assert np.linalg.norm(lane.pivot_force_space, axis=1) == pytest.approx(np.linalg.norm(force, axis=1))


def test_pivot_force_at_rest_equals_the_weight() -> None:
    lane = qv.simulate(swinging_bar(0.0), lanes=["newton_euler"], duration=0.5)["newton_euler"]
    assert lane.pivot_force_space == pytest.approx(
        np.tile([0.0, 0.0, MASS * GRAVITY], (len(lane.t), 1)), abs=1e-12
    )


def test_pivot_force_is_momentum_rate_minus_weight() -> None:
    """m c'' by differences of the velocity of the center of mass, of a body that tumbles under gravity and a point force."""
    preset = qv.Preset(
        body=qv.Body(
            inertia=[[1.4, 0.1, 0.0], [0.1, 1.7, 0.2], [0.0, 0.2, 0.9]],
            about="pivot",
            mass=1.5,
            centre_of_mass=[0.2, -0.1, 0.4],
        ),
        initial=qv.Initial(rotation_vector=[0.5, 0.4, -0.3], angular_velocity=[2.0, -1.0, 3.0]),
        loads=[
            qv.Gravity(weight=14.0, centre=[0.2, -0.1, 0.4]),
            qv.PointForce(force=[3.0, 1.0, "2*cos(t)"], point=[0.1, 0.5, 0.0], frame="body"),
            qv.Torque(torque=[0.4, 0.2, -0.1]),
        ],
    )
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=1.0, dt=1e-4, sample_interval=1e-3)[
        "newton_euler"
    ]
    velocity = lane.centre_velocity
    acceleration = (velocity[:-4] - 8 * velocity[1:-3] + 8 * velocity[3:-1] - velocity[4:]) / 12e-3
    A = rotation_matrix(lane.p[2:-2])
    t = lane.t[2:-2]
    applied = np.einsum("nij,nj->ni", A, np.stack((3.0 + 0 * t, 1.0 + 0 * t, 2.0 * np.cos(t)), axis=1))
    applied[:, 2] -= 14.0
    assert lane.pivot_force_space[2:-2] == pytest.approx(1.5 * acceleration - applied, abs=1e-7)


def test_free_body_has_no_pivot_force() -> None:
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.1)["newton_euler"]
    assert np.isnan(lane.pivot_force).all()


def bearing(**friction: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and rate [rad/s] about z of a sphere of 2 kg m^2 in a pivot with this friction, from 1.5 rad/s."""
    preset = qv.Preset(
        body=qv.Body(inertia=[2.0, 2.0, 2.0], about="pivot"),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 1.5]),
        loads=[qv.PivotFriction(**friction)],
    )
    lane = qv.simulate(preset, lanes=["hamilton"], duration=12.0, dt=1e-3, sample_interval=0.05)["hamilton"]
    return lane.t, lane.omega[:, 2]


def test_dry_friction_of_a_sphere_matches_its_closed_form() -> None:
    """J w' = -tau w/s with s = sqrt(w^2 + eps^2) has the integral s - eps artanh(eps/s) = ... - tau t/J."""
    tau, epsilon = 0.3, 0.02
    t, rate = bearing(dry=tau, rate=epsilon)
    s = np.hypot(rate, epsilon)
    integral = s - epsilon * np.arctanh(epsilon / s)
    moving = rate > 1e-3 * epsilon
    assert moving.sum() > 200
    assert (integral - integral[0])[moving] == pytest.approx(-tau * t[moving] / 2.0, abs=1e-9)
    assert rate[-1] == pytest.approx(0.0, abs=1e-8), "1.5 rad/s end after 10 s"


def test_viscous_friction_decays_exponentially() -> None:
    t, rate = bearing(viscous=0.4)
    assert rate == pytest.approx(1.5 * np.exp(-0.2 * t), abs=1e-12)


def test_friction_without_a_pivot_is_reported() -> None:
    preset = replace(qv.load_preset("torque_free"), loads=(qv.PivotFriction(dry=1.0),))
    assert "turns about its center of mass" in " ".join(
        qv.simulate(preset, lanes=["newton_euler"], duration=0.1)["newton_euler"].warnings
    )


@pytest.mark.parametrize(("key", "value"), [("dry", -1.0), ("viscous", -0.1), ("rate", 0.0)])
def test_negative_friction_is_refused(key: str, value: float) -> None:
    with pytest.raises(qv.InputError) as refusal:
        qv.PivotFriction(**{key: value})
    assert refusal.value.key == key
