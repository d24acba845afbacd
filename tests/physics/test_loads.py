"""Every load: its kernels against its NumPy version, each other and finite differences; packing of all loads of a
body."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba import njit

import quatviz as qv
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import LOAD_FORMS, LOADS, bind, body_torque, generalized_force, pack_loads
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import matrix_L, rotate_back, rotation_matrix

BODY = qv.Body(inertia=[[3.1, 0.1, -0.05], [0.1, 2.1, 0.2], [-0.05, 0.2, 1.3]])
TIME = 0.3
SAMPLES: dict[str, Any] = {
    name: load for name, load_class in LOADS.items() for load in load_class.samples()[:1]
}
FRAMED = (qv.PointForce, qv.Torque)
OMEGA = (0.1, 0.2, 0.3)


@njit
def _kernels(loads, t, p, omega):
    return body_torque(loads, t, p, omega), generalized_force(loads, t, p, omega)


def by_kernels(loads: list[Load], entry: str, p: np.ndarray, omega=OMEGA) -> tuple[np.ndarray, np.ndarray]:
    """Torque (3) and generalized force (4) of loads that are packed for an entry."""
    packed = pack_loads(bind(loads, BODY), entry)
    torque, force = _kernels(packed, TIME, tuple(map(float, p)), tuple(map(float, omega)))
    return np.array(torque), np.array(force)


def test_every_load_kind_has_a_sample() -> None:
    assert set(SAMPLES) == set(LOADS)


@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_gradient_matches_the_potential_off_the_sphere(load_name: str) -> None:
    load = SAMPLES[load_name].bind(BODY)
    if not load.has_potential:
        return
    p, t = np.array([0.9, -0.4, 0.7, 0.2]), np.array(TIME)
    slopes = [(load.potential(t, p + step) - load.potential(t, p - step)) / 2e-6 for step in 1e-6 * np.eye(4)]
    force = by_kernels([SAMPLES[load_name]], "potential", p)[1]
    assert force == pytest.approx(-np.array(slopes), rel=1e-7)


ORIENTATIONS = np.random.default_rng(5).normal(size=(6, 4))
ORIENTATIONS /= np.linalg.norm(ORIENTATIONS, axis=1, keepdims=True)


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_every_kernel_entry_gives_the_same_torque(load_name: str, frame: str) -> None:
    load = SAMPLES[load_name]
    if isinstance(load, FRAMED):
        load = replace(load, frame=frame)
    for p in ORIENTATIONS:
        torques = [by_kernels([load], entry, p)[0] for entry in LOAD_FORMS]
        for torque in torques[1:]:
            assert torque == pytest.approx(torques[0], abs=1e-12)
        for entry in LOAD_FORMS:
            force = by_kernels([load], entry, p)[1]
            assert 0.5 * matrix_L(p) @ force == pytest.approx(torques[0], abs=1e-12)


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("load_name", ["gravity", "point_force"])
def test_radial_parts_of_load_forms_match_their_forces(load_name: str, frame: str) -> None:
    """p^T Q is 0, 2 u^T A^T f, and 2 u^T A^T f + 2 u^T f."""
    load = SAMPLES[load_name]
    if isinstance(load, FRAMED):
        load = replace(load, frame=frame)
    for p in ORIENTATIONS:
        force = load.bind(BODY).force(np.zeros(1), p[None])
        assert force is not None
        f, u = force[0][0], force[1]
        split = 2.0 * u @ rotation_matrix(p).T @ f
        expected = {"torque": 0.0, "split": split, "gradient": split + 2.0 * u @ f}
        for entry, idle in expected.items():
            assert p @ by_kernels([load], entry, p)[1] == pytest.approx(idle, abs=1e-12), entry


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_constant_force_flag_matches_the_force(load_name: str, frame: str) -> None:
    load = SAMPLES[load_name]
    if isinstance(load, qv.PointForce):
        load = replace(load, frame=frame)
    bound = load.bind(BODY)
    force = bound.force(np.linspace(0.0, 100.0, len(ORIENTATIONS)), ORIENTATIONS)
    if force is None:
        assert bound.constant_force_frame is None
        return
    seen = {"space": force[0], "body": rotate_back(ORIENTATIONS, force[0])}
    still = [name for name, forces in seen.items() if forces == pytest.approx(np.tile(forces[0], (6, 1)))]
    assert still == ([] if bound.constant_force_frame is None else [bound.constant_force_frame])


@pytest.mark.parametrize("frame", ["space", "body"])
@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_displayed_loads_equal_the_values_of_their_kernels(load_name: str, frame: str) -> None:
    load = SAMPLES[load_name]
    if isinstance(load, FRAMED):
        load = replace(load, frame=frame)
    t, omega, bound = np.full(len(ORIENTATIONS), TIME), ORIENTATIONS[:, 1:], load.bind(BODY)
    rows = zip(ORIENTATIONS, omega, strict=True)
    torques = np.array([by_kernels([load], "torque", *row)[0] for row in rows])
    assert bound.torque(t, ORIENTATIONS, omega) == pytest.approx(torques, abs=1e-12)
    # A plug-in without further declarations is evaluated by its kernel.
    assert Load.torque_on(load, BODY, t, ORIENTATIONS, omega) == pytest.approx(torques, abs=1e-12)
    force = bound.force(t, ORIENTATIONS)
    assert (force is not None) == (type(load).force_on is not Load.force_on or bound.is_point_force)
    if force is not None:
        arms = rotation_matrix(ORIENTATIONS) @ force[1]
        in_space = np.einsum("nij,nj->ni", rotation_matrix(ORIENTATIONS), torques)
        assert np.cross(arms, force[0]) == pytest.approx(in_space, abs=1e-12)


@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_zero_load_is_detected(load_name: str) -> None:
    load = SAMPLES[load_name]
    assert not load.bind(BODY).is_zero
    names = {
        "attitude_control": ("stiffness", "damping"),
        "gravity_gradient": ("gravitational_parameter",),
        "pivot_friction": ("dry", "viscous"),
    }.get(load_name, ())
    magnitudes = names or [
        name
        for name in ("weight", "force", "torque", "stiffness", "coefficient", "quadratic")
        if hasattr(load, name)
    ]
    zeros: dict[str, Any] = {name: 0.0 * np.asarray(getattr(load, name)) for name in magnitudes}
    if load_name == "torque_law":
        zeros = {"law": "n = [0, 0, 0]"}
    nothing = replace(load, **zeros)
    assert nothing.bind(BODY).is_zero
    assert nothing.bind(BODY).torque(np.zeros(6), ORIENTATIONS, ORIENTATIONS[:, 1:]) == pytest.approx(0.0)
    if hasattr(load, "point") or hasattr(load, "centre"):
        name = "point" if hasattr(load, "point") else "centre"
        assert replace(load, **{name: [0.0, 0.0, 0.0]}).bind(BODY).is_zero


@pytest.mark.parametrize("entry", LOAD_FORMS)
def test_constant_loads_are_combined(entry: str) -> None:
    """In one load form, a body-fixed force has a radial part of fourth degree, which needs a row."""
    constant = [
        SAMPLES["gravity"],
        SAMPLES["point_force"],
        SAMPLES["torque"],
        qv.Torque(torque=[0.3, -0.8, 0.5], frame="body"),
        qv.PointForce(force=[0.4, -0.2, 1.5], point=[0.1, 0.6, -0.7], frame="body"),
    ]
    packed = pack_loads(bind(constant * 3, BODY), entry)
    assert packed.row_count == (3 if entry == "gradient" else 0)
    assert packed.has_variable == (entry == "gradient")
    for p in ORIENTATIONS:
        parts = [by_kernels([load], entry, p) for load in constant]
        whole = by_kernels(constant * 3, entry, p)
        for total, summands in zip(whole, zip(*parts, strict=True), strict=True):
            assert total == pytest.approx(3.0 * np.sum(summands, axis=0), rel=1e-12)
    assert not pack_loads(bind([], BODY), entry).present


@pytest.mark.parametrize("entry", LOAD_FORMS)
@pytest.mark.parametrize("load_name", ["gravity", "point_force", "torque"])
@pytest.mark.parametrize("frame", ["space", "body"])
def test_timed_load_is_a_scaled_constant_load(load_name: str, entry: str, frame: str) -> None:
    load = SAMPLES[load_name]
    if isinstance(load, FRAMED):
        load = replace(load, frame=frame)
    name = {"gravity": "weight", "point_force": "force", "torque": "torque"}[load_name]
    magnitude = getattr(load, name)
    timed = f"{magnitude}*cos(t)" if load_name == "gravity" else [f"({x})*cos(t)" for x in magnitude]
    driven = replace(load, **{name: timed})
    assert not driven.bind(BODY).is_zero
    assert driven.bind(BODY).constant_force_frame is None
    for p in ORIENTATIONS:
        for timed_value, still in zip(
            by_kernels([driven], entry, p), by_kernels([load], entry, p), strict=True
        ):
            assert timed_value == pytest.approx(np.cos(TIME) * still, abs=1e-12)


def test_zero_length_spring_has_no_force() -> None:
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    spring = qv.Spring(stiffness=4.0, point=[0.5, 0.0, 0.0], anchor=[0.5, 0.0, 0.0], rest_length=0.8)
    force = spring.bind(BODY).force(np.zeros(1), still)
    assert force is not None
    assert force[0].tolist() == [[0.0, 0.0, 0.0]]


def test_changed_loads_do_not_recompile() -> None:
    preset = qv.load_preset("torque_free")
    lanes = [
        name
        for name, family in FORMULATIONS.items()
        if not family.carries_ring and not family.has_closed_form
    ]
    qv.simulate(preset, lanes=lanes, duration=0.1, sample_interval=0.1)
    compiled = len(blocks.fixed_step_block.dispatcher.signatures)
    for loads in ([SAMPLES["gravity"]], [SAMPLES["gravity"]] * 3, [SAMPLES["spring"], SAMPLES["damping"]]):
        loaded = qv.Preset(body=preset.body, initial=preset.initial, loads=loads)
        qv.simulate(loaded, lanes=lanes, duration=0.1, sample_interval=0.1)
    assert len(blocks.fixed_step_block.dispatcher.signatures) == compiled


def test_loads_are_additive() -> None:
    preset = qv.load_preset("torque_free")
    half = qv.Gravity(weight=300.0, centre=[0.0, 0.1, 0.4])
    whole = qv.Gravity(weight=600.0, centre=[0.0, 0.1, 0.4])
    ends = []
    for loads in ([half, half], [whole]):
        loaded = qv.Preset(body=preset.body, initial=preset.initial, loads=loads)
        run = qv.simulate(loaded, lanes=["newton_euler"], duration=2.0, dt=1e-3, sample_interval=0.1)
        ends.append(run["newton_euler"].p[-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)
