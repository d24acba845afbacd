"""Every kind of load: its kernels against each other and against finite differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.core import kernel
from quatviz.core.loads import LOADS
from quatviz.core.loads.base import ROW, Load
from quatviz.core.rotations import matrix_L, rotation_matrix
from quatviz.formulations import FORMULATIONS

BODY = qv.Body(inertia=[[3.1, 0.1, -0.05], [0.1, 2.1, 0.2], [-0.05, 0.2, 1.3]])
TIME = 0.3
SAMPLES: dict[str, Load] = {
    "damping": qv.Damping(coefficient=0.7),
    "attitude_control": qv.AttitudeControl(stiffness=0.9, damping=0.3, target=[0.6, -0.2, 0.5, 0.4]),
    "gravity_gradient": qv.GravityGradient(
        gravitational_parameter=0.4,
        distance=1.2,
        direction=[1.0, 2.0, 0.0],
        orbit="circular",
        normal=[2.0, -1.0, 3.0],
    ).bound(BODY),
    "internal_dissipation": qv.InternalDissipation(coefficient=0.4).bound(BODY),
    "gravity": qv.Gravity(weight=7.0, centre=[0.3, -0.2, 0.9]),
    "guided_spring": qv.GuidedSpring(stiffness=3.0, point=[0.4, 0.1, -0.6], direction=[0.2, 0.9, 0.3]),
    "point_force": qv.PointForce(force=[1.0, 2.0, -1.5], point=[0.3, -0.2, 0.7]),
    "spring": qv.Spring(stiffness=4.0, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0], rest_length=0.8),
    "torque": qv.Torque(torque=[0.3, -0.8, 0.5], frame="space"),
}


def called(function, load: Load, *arguments: tuple[float, ...]) -> np.ndarray:
    row = tuple(load.row()) + (0.0,) * (ROW - len(load.row()))
    return np.array(function(row, TIME, *arguments))


def test_every_kind_has_a_sample() -> None:
    assert set(SAMPLES) == set(LOADS)


@pytest.mark.parametrize("kind", sorted(LOADS))
def test_gradient_is_the_slope_of_the_potential_also_off_the_sphere(kind: str) -> None:
    load = SAMPLES[kind]
    if type(load).gradient_kernel is None:
        return
    p, t = np.array([0.9, -0.4, 0.7, 0.2]), np.array(TIME)
    slopes = [(load.potential(t, p + step) - load.potential(t, p - step)) / 2e-6 for step in 1e-6 * np.eye(4)]
    assert called(type(load).gradient_kernel, load, tuple(p)) == pytest.approx(slopes, rel=1e-7)


@pytest.mark.parametrize("kind", sorted(LOADS))
def test_torque_follows_from_potential_and_from_the_force(kind: str) -> None:
    load = SAMPLES[kind]
    p = np.array([0.5, -0.1, 0.7, 0.5])
    p /= np.linalg.norm(p)
    torque = called(type(load).torque_kernel, load, tuple(p), (0.1, 0.2, 0.3))
    if type(load).gradient_kernel is not None:
        gradient = called(type(load).gradient_kernel, load, tuple(p))
        assert torque == pytest.approx(-0.5 * matrix_L(p) @ gradient, abs=1e-12)
    application = type(load).application_kernel
    if application is not None:
        force, point = application(load.row() + (0.0,) * (ROW - len(load.row())), TIME, tuple(p))
        assert torque == pytest.approx(np.cross(point, rotation_matrix(p).T @ np.array(force)), abs=1e-12)


ORIENTATIONS = np.random.default_rng(5).normal(size=(6, 4))
ORIENTATIONS /= np.linalg.norm(ORIENTATIONS, axis=1, keepdims=True)
FORCES = {"gravity", "guided_spring", "point_force", "spring"}


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("kind", sorted(LOADS))
def test_what_is_shown_of_a_load_is_what_its_kernel_computes(kind: str, frame: str) -> None:
    load = SAMPLES[kind]
    if isinstance(load, qv.PointForce | qv.Torque):
        load = replace(load, frame=frame)
    t, omega = np.full(len(ORIENTATIONS), TIME), ORIENTATIONS[:, 1:]
    rows = [(tuple(p), tuple(w)) for p, w in zip(ORIENTATIONS, omega, strict=True)]
    torques = np.array([called(type(load).torque_kernel, load, *row) for row in rows])
    assert load.moment(t, ORIENTATIONS, omega) == pytest.approx(torques, abs=1e-12)
    # A plug-in that says nothing more is asked through its kernel.
    assert Load.moment(load, t, ORIENTATIONS, omega) == pytest.approx(torques, abs=1e-12)
    acting = load.acting(t, ORIENTATIONS)
    assert (acting is not None) == (kind in FORCES)
    if acting is not None:
        arms = rotation_matrix(ORIENTATIONS) @ acting[1]
        in_space = np.einsum("nij,nj->ni", rotation_matrix(ORIENTATIONS), torques)
        assert np.cross(arms, acting[0]) == pytest.approx(in_space, abs=1e-12)


def test_a_spring_whose_ends_meet_pulls_nowhere() -> None:
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    spring = qv.Spring(stiffness=4.0, point=[0.5, 0.0, 0.0], anchor=[0.5, 0.0, 0.0], rest_length=0.8)
    acting = spring.acting(np.zeros(1), still)
    assert acting[0].tolist() == [[0.0, 0.0, 0.0]]


def test_loads_never_recompile() -> None:
    preset = qv.load_preset("torque_free")
    lanes = [
        name for name, family in FORMULATIONS.items() if not family.carries_ring and not family.closed_form
    ]
    qv.simulate(preset, lanes=lanes, duration=0.1, sample_interval=0.1)
    compiled = len(kernel.fixed_step_block.signatures)
    for loads in ([SAMPLES["gravity"]], [SAMPLES["gravity"]] * 3):
        loaded = qv.Preset(body=preset.body, initial=preset.initial, loads=loads)
        qv.simulate(loaded, lanes=lanes, duration=0.1, sample_interval=0.1)
    assert len(kernel.fixed_step_block.signatures) == compiled


def test_two_loads_add_up() -> None:
    preset = qv.load_preset("torque_free")
    half = qv.Gravity(weight=300.0, centre=[0.0, 0.1, 0.4])
    whole = qv.Gravity(weight=600.0, centre=[0.0, 0.1, 0.4])
    ends = []
    for loads in ([half, half], [whole]):
        loaded = qv.Preset(body=preset.body, initial=preset.initial, loads=loads)
        run = qv.simulate(loaded, lanes=["newton_euler"], duration=2.0, dt=1e-3, sample_interval=0.1)
        ends.append(run["newton_euler"].p[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
