"""Drag on the rotation: closed forms of its three parts, their sum, and refusals."""

from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.loads.base import split_by_time_function

SPHERE = qv.Body(inertia=[2.0, 2.0, 2.0])
START = np.array([3.0, -1.0, 0.5])
"""Angular velocity [rad/s, body] at t = 0."""
FORMULATIONS = ("newton_euler", "hamilton", "lagrange_full/torque", "udwadia_schutte", "lagrange_projected")


def rates_of(load: qv.Damping, formulation: str) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) [s] and angular velocity (n, 3) [rad/s, body] of a sphere under this drag."""
    preset = qv.Preset(
        body=SPHERE,
        initial=qv.Initial(rotation_vector=[0.9, 0.3, 0.2], angular_velocity=START),
        loads=[load],
    )
    lane = qv.simulate(preset, lanes=[formulation], duration=2.0, dt=1e-3, sample_interval=0.1)[formulation]
    assert lane.status == "ok"
    return lane.t, lane.omega


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_anisotropic_drag_of_a_sphere_decays_per_axis(formulation: str) -> None:
    """J omega_i' = -D_i omega_i has the solution omega_i(0) exp(-D_i t/J)."""
    coefficients = np.array([0.2, 0.7, 1.1])
    t, omega = rates_of(qv.Damping(matrix=coefficients), formulation)
    assert omega == pytest.approx(START * np.exp(-np.outer(t, coefficients) / 2.0), abs=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_linear_and_quadratic_drag_of_a_sphere_have_a_closed_form(formulation: str) -> None:
    """J w' = -c w - q w^2 of w = |omega| is Bernoulli's equation: w = 1/((1/w0 + q/c) exp(c t/J) - q/c)."""
    c, q, speed = 0.4, 0.3, np.linalg.norm(START)
    t, omega = rates_of(qv.Damping(coefficient=c, quadratic=q), formulation)
    expected = 1.0 / ((1.0 / speed + q / c) * np.exp(c * t / 2.0) - q / c)
    assert omega == pytest.approx(np.outer(expected / speed, START), abs=1e-11)


def test_purely_quadratic_drag_decays_as_one_over_time() -> None:
    t, omega = rates_of(qv.Damping(quadratic=0.5), "newton_euler")
    speed = np.linalg.norm(START)
    assert np.linalg.norm(omega, axis=1) == pytest.approx(speed / (1.0 + 0.25 * speed * t), abs=1e-11)


def test_constant_drag_matrix_adds_to_a_timed_coefficient() -> None:
    """J w' = -(D + c0 sin t) w, with the integral D t + c0 (1 - cos t)."""
    t, omega = rates_of(qv.Damping(coefficient="0.5*sin(t)", matrix=[0.3, 0.3, 0.3]), "hamilton")
    decay = np.exp(-(0.3 * t + 0.5 * (1.0 - np.cos(t))) / 2.0)
    assert omega == pytest.approx(np.outer(decay, START), abs=1e-11)


def test_drag_matrix_is_counted_once_with_expressions() -> None:
    load = qv.Damping(coefficient="t", matrix=[1.0, 2.0, 3.0], quadratic="2*t")
    parts: list[Any] = [part for part, _ in split_by_time_function(load)]
    assert [part.matrix.trace() for part in parts] == [6.0, 0.0, 0.0]


def test_energy_decreases_by_the_work_of_the_drag() -> None:
    """Simpson's rule over the samples, of an asymmetric body with a full matrix."""
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 2.5]),
        initial=qv.Initial(rotation_vector=[0.9, 0.3, 0.2], angular_velocity=START),
        loads=[qv.Damping(matrix=[[0.3, 0.1, 0.0], [0.1, 0.2, 0.05], [0.0, 0.05, 0.1]], quadratic=0.05)],
    )
    run = qv.simulate(preset, lanes=["newton_euler"], duration=4.0, dt=1e-3, sample_interval=1e-2)
    lane = run["newton_euler"]
    power = np.einsum("ni,ni->n", lane.torque, lane.omega)
    work = np.sum((power[:-2:2] + 4.0 * power[1:-1:2] + power[2::2]) * 1e-2 / 3.0)
    assert lane.energy[-1] - lane.energy[0] == pytest.approx(work, rel=1e-8)
    assert (np.diff(lane.energy) < 0.0).all()


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "a symmetric matrix"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "no eigenvalue below 0"),
        ([0.1, -0.2, 0.3], "no eigenvalue below 0"),
        ([0.1, 0.2], "3 rows of 3 numbers"),
        ([0.1, "t", 0.3], "3 rows of 3 numbers"),
    ],
)
def test_invalid_drag_matrix_is_refused(matrix: list, expected: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        qv.Damping(matrix=matrix)
    assert expected in str(refusal.value)
    assert refusal.value.key == "matrix"


def test_internal_dissipation_moves_h_to_the_major_axis() -> None:
    """tan(angle of e3 from h) grows as exp(c (1/Ja - 1/Jt) t) for a symmetric body; Likins 1967."""
    axial, transverse, coefficient, start = 0.5, 2.0, 0.05, 0.2
    preset = qv.Preset(
        body=qv.Body(inertia=[transverse, transverse, axial]),
        initial=qv.Initial(
            euler_parameters=[1, 0, 0, 0], angular_momentum=[np.sin(start), 0.0, np.cos(start)]
        ),
        loads=[qv.InternalDissipation(coefficient=coefficient)],
    )
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=40.0, dt=5e-3, sample_interval=1.0)[
        "newton_euler"
    ]
    growth = np.exp(coefficient * (1.0 / axial - 1.0 / transverse) * lane.t)
    cone_angles = np.radians(lane.cone_angles)
    assert np.tan(cone_angles[:, 2]) == pytest.approx(np.tan(start) * growth, rel=1e-8)
    assert (np.cos(cone_angles) ** 2).sum(axis=1) == pytest.approx(1.0, abs=1e-12)


def test_cone_angles_of_a_resting_body_are_undefined() -> None:
    body = qv.Body(inertia=[1.0, 2.0, 2.5])
    at_rest = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0])
    run = qv.simulate(qv.Preset(body=body, initial=at_rest, loads=[]), lanes=["newton_euler"], duration=0.1)
    assert np.isnan(run["newton_euler"].cone_angles).all()
