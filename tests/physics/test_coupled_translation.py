"""A free body whose rotation and translation depend on each other: S3(41)-(44) against equations written down here, closed forms,
conserved quantities, and all forms against each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import relative_angle, rotate, rotation_matrix

MASS, J = 4.0, np.diag([1.0, 2.0, 2.5])
BODY = qv.Body(inertia=J, mass=MASS)
START: dict[str, Any] = {
    "euler_parameters": [0.8, 0.6, 0.0, 0.0],
    "angular_velocity": [0.4, 1.5, 0.3],
    "position": [0.2, 0.0, 0.1],
    "velocity": [0.1, 0.2, 0.3],
}
SPRING: dict[str, Any] = {
    "stiffness": 8.0,
    "point": [0.5, -0.3, 0.2],
    "anchor": [1.0, 0.4, -2.0],
    "rest_length": 0.8,
}
GUIDE: dict[str, Any] = {"stiffness": 3.0, "point": [0.4, 0.1, -0.6], "direction": [0.2, 0.9, 0.3]}
ALL_KINDS = (
    qv.Spring(**SPRING),
    qv.GuidedSpring(**GUIDE),
    qv.Gravity(weight=39.24, centre=[0.0, 0.0, 0.0]),
    qv.PointForce(force=["0.3*sin(t)", 0.2, 0.1], point=[0.1, 0.2, 0.3], frame="body"),
    qv.PointForce(force=[0.0, "0.5*t", 0.4], point=[0.2, -0.2, 0.1], frame="space"),
    qv.Torque(torque=[0.1, -0.2, 0.3]),
    qv.Damping(coefficient=0.05),
)
ADAPTIVE_LANE = "hamilton,integrator=dop853"
FOUR_FORMS = ("newton_euler", "hamilton", "hamilton_canonical", "lagrange_full/split")
ALL_FORMS = (
    *FOUR_FORMS,
    "hamilton_canonical/literal",
    "lagrange_full/torque",
    "lagrange_full/gradient",
    "lagrange_simplified/gradient",
    "lagrange_projected",
    "udwadia_schutte",
    "udwadia_schutte_fundamental",
    "euler_angles/321,dt=1.25e-4",
    "lie_group",
    "modified_rodrigues",
)


def moving(loads: Sequence[Load], body: qv.Body = BODY, duration: float = 3.0, **start: object) -> Preset:
    initial = qv.Initial(**{**START, **start})
    return Preset(body=body, initial=initial, loads=loads, run=qv.RunSettings(duration, 1e-3, 0.02))


def reference_motion(t: np.ndarray) -> np.ndarray:
    """(p, omega, c, c') (n, 13) under `ALL_KINDS`, by Newton's and Euler's equations with forces at their points."""

    def slope(time: float, y: np.ndarray) -> np.ndarray:
        p, omega, c, v = y[:4], y[4:7], y[7:10], y[10:]
        A = rotation_matrix(p / np.linalg.norm(p))
        forces = []
        u = np.array(SPRING["point"])
        r = c + A @ u - SPRING["anchor"]
        forces.append((-8.0 * (np.linalg.norm(r) - 0.8) * r / np.linalg.norm(r), u))
        u, d = np.array(GUIDE["point"]), np.array(GUIDE["direction"])
        forces.append((-3.0 * (d @ (c + A @ u)) * d, u))
        forces.append((np.array([0.0, 0.0, -39.24]), np.zeros(3)))
        forces.append((A @ [0.3 * np.sin(time), 0.2, 0.1], np.array([0.1, 0.2, 0.3])))
        forces.append((np.array([0.0, 0.5 * time, 0.4]), np.array([0.2, -0.2, 0.1])))
        torque = np.array([0.1, -0.2, 0.3]) - 0.05 * omega
        torque = torque + sum(np.cross(point, A.T @ f) for f, point in forces)
        rate = np.linalg.solve(J, torque - np.cross(omega, J @ omega))
        w, x = p[0], p[1:]
        p_rate = 0.5 * np.concatenate(([-x @ omega], w * omega + np.cross(x, omega)))
        return np.concatenate((p_rate, rate, v, sum(f for f, _ in forces) / MASS))

    y = np.concatenate(
        [START["euler_parameters"], START["angular_velocity"], START["position"], START["velocity"]]
    )
    solved = solve_ivp(slope, (0.0, t[-1]), y, method="DOP853", t_eval=t, rtol=1e-12, atol=1e-13)
    return np.asarray(solved.y.T)


@pytest.mark.parametrize("lane_text", [f"{ADAPTIVE_LANE},rtol=1e-11,atol=1e-12", *ALL_FORMS])
def test_every_form_matches_newton_euler_with_off_center_forces(lane_text: str) -> None:
    lane = qv.simulate(moving(ALL_KINDS), lanes=[lane_text], dt=1e-3).lanes[0]
    assert lane.status == "ok", lane.message
    expected = reference_motion(lane.t)
    assert relative_angle(lane.p, expected[:, :4]).max() < 3e-9
    assert lane.omega == pytest.approx(expected[:, 4:7], abs=3e-9)
    assert lane.centre == pytest.approx(expected[:, 7:10], abs=3e-9)
    assert lane.centre_velocity == pytest.approx(expected[:, 10:], abs=3e-9)
    assert lane.momentum == pytest.approx(MASS * expected[:, 10:], abs=1e-8)
    if not np.isnan(lane.lam).any():
        assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-6)


def test_spring_at_the_center_of_mass_leaves_the_rotation_free() -> None:
    """c = a + (c0 - a) cos wt + v0/w sin wt with w^2 = k/m; the rotation is that of the body without loads."""
    anchor, w = np.array([1.0, 0.5, -0.3]), np.sqrt(9.0 / MASS)
    spring = qv.Spring(stiffness=9.0, point=[0.0, 0.0, 0.0], anchor=anchor)
    settings: dict[str, Any] = {"integrator": "rk4", "dt": 1e-3}
    free = qv.simulate(moving([]), lanes=["newton_euler"], **settings).lanes[0]
    for lane in qv.simulate(moving([spring]), lanes=list(FOUR_FORMS), **settings).lanes:
        c0, v0 = np.array(START["position"]) - anchor, np.array(START["velocity"])
        expected = anchor + np.outer(np.cos(w * lane.t), c0) + np.outer(np.sin(w * lane.t), v0) / w
        assert lane.centre == pytest.approx(expected, abs=1e-11), lane.name
        assert relative_angle(lane.p, free.p).max() < 1e-10, lane.name


def test_off_center_spring_conserves_energy_and_momentum() -> None:
    spring = qv.Spring(**SPRING)
    lanes = qv.simulate(
        moving([spring], duration=10.0), lanes=list(FOUR_FORMS), integrator="gauss6", dt=2e-3
    ).lanes
    for lane in lanes:
        assert np.abs(lane.energy_drift).max() < 1e-10, lane.name
        about_anchor = lane.h_space + np.cross(lane.centre - SPRING["anchor"], lane.momentum)
        assert np.ptp(about_anchor, axis=0).max() < 1e-9, lane.name
        assert relative_angle(lane.p, lanes[0].p).max() < 1e-10, lane.name
        assert lane.centre == pytest.approx(lanes[0].centre, abs=1e-10), lane.name
    elongation = rotate(lanes[0].p, np.broadcast_to(SPRING["point"], (len(lanes[0]), 3))) + lanes[0].centre
    length = np.linalg.norm(elongation - SPRING["anchor"], axis=1)
    energy = 0.5 * MASS * (lanes[0].centre_velocity ** 2).sum(axis=1) + 4.0 * (length - 0.8) ** 2
    energy += 0.5 * np.einsum("ni,ij,nj->n", lanes[0].omega, J, lanes[0].omega)
    assert lanes[0].energy == pytest.approx(energy, rel=1e-12)
    assert np.ptp(lanes[0].kinetic) > 1.0


@pytest.mark.parametrize(
    ("method", "order"), [("rk4", 4.0), ("implicit_midpoint", 2.0), ("munthe_kaas4", 4.0)]
)
def test_translation_converges_with_the_order_of_the_rotation(method: str, order: float) -> None:
    preset = moving([qv.Spring(**SPRING)])
    end = qv.simulate(preset, lanes=["newton_euler"], integrator="dop853", rtol=1e-13, atol=1e-14).lanes[0]
    errors = []
    for dt in (0.02, 0.01):
        lane = qv.simulate(preset, lanes=["newton_euler"], integrator=method, dt=dt).lanes[0]
        errors.append(np.linalg.norm(lane.centre[-1] - end.centre[-1]))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.35)


def test_potential_of_position_and_attitude_equals_the_spring() -> None:
    u, a, k = SPRING["point"], SPRING["anchor"], SPRING["stiffness"]

    def value(c, p):
        e0, e1, e2, e3 = p
        x = c[0] - a[0] + (e0**2 + e1**2 - e2**2 - e3**2) * u[0] + 2 * (e1 * e2 - e0 * e3) * u[1]
        x += 2 * (e1 * e3 + e0 * e2) * u[2]
        return 0.5 * k * x * x

    def gradient(c, p):
        e0, e1, e2, e3 = p
        x = c[0] - a[0] + (e0**2 + e1**2 - e2**2 - e3**2) * u[0] + 2 * (e1 * e2 - e0 * e3) * u[1]
        x += 2 * (e1 * e3 + e0 * e2) * u[2]
        f = k * x
        return (f, 0.0, 0.0), (
            2 * f * (e0 * u[0] - e3 * u[1] + e2 * u[2]),
            2 * f * (e1 * u[0] + e2 * u[1] + e3 * u[2]),
            2 * f * (-e2 * u[0] + e1 * u[1] + e0 * u[2]),
            2 * f * (-e3 * u[0] - e0 * u[1] + e1 * u[2]),
        )

    u, a, k = tuple(map(float, u)), tuple(map(float, a)), float(k)
    potential = qv.Potential(value, gradient)
    # Equal to a guided spring along x with the guide at the anchor and the initial position shifted accordingly.
    guided = qv.GuidedSpring(stiffness=k, point=list(u), direction=[1.0, 0.0, 0.0])
    shifted = np.array(START["position"]) - [a[0], 0.0, 0.0]
    for form in FOUR_FORMS:
        lane = qv.simulate(moving([potential], duration=1.0), lanes=[form]).lanes[0]
        other = qv.simulate(moving([guided], duration=1.0, position=shifted), lanes=[form]).lanes[0]
        assert lane.centre - [a[0], 0.0, 0.0] == pytest.approx(other.centre, abs=1e-10), form
        assert lane.p == pytest.approx(other.p, abs=1e-10), form
        assert lane.energy == pytest.approx(other.energy, rel=1e-10), form
        assert np.abs(lane.energy_drift).max() < 1e-9, form
        assert qv.simulate(moving([potential], duration=0.2), lanes=[form]).lanes[0].warnings == ()


def test_interpolated_values_equal_those_of_shorter_samples() -> None:
    preset = moving([qv.Spring(**SPRING)])
    for integrator in ("rk4", "dop853"):
        coarse, fine = (
            qv.simulate(
                preset, lanes=["hamilton"], integrator=integrator, dt=1e-3, sample_interval=interval
            ).lanes[0]
            for interval in (0.1, 0.01)
        )
        assert coarse.at(fine.t).centre == pytest.approx(fine.centre, abs=1e-7), integrator
        assert coarse.at(fine.t).energy == pytest.approx(fine.energy, rel=1e-7), integrator


def test_events_do_not_move_the_center_of_mass() -> None:
    spring = qv.Spring(**SPRING)
    events = [
        qv.Kick(at=0.4, impulse=[0.0, 0.2, 0.5]),
        qv.SetState(at=0.6, angular_velocity=[0.0, 0.0, 2.0]),
        qv.ChangeModel(at=0.8, body=replace(BODY, mass=8.0)),
    ]
    lane = qv.simulate(
        replace(moving([spring], duration=1.0), events=events), lanes=["lagrange_full/split"]
    ).lanes[0]
    assert lane.status == "ok", lane.message
    steps = np.abs(np.diff(lane.centre_velocity, axis=0)).max()
    assert steps < 0.2
    assert np.abs(np.diff(lane.centre, axis=0)).max() < 0.05
    doubled = round(0.8 / 0.02)
    assert lane.momentum[doubled] == pytest.approx(8.0 * lane.centre_velocity[doubled])


@pytest.mark.parametrize("form", ["newton_euler", "euler_angles/321", "udwadia_schutte"])
def test_reversed_time_restores_the_initial_state(form: str) -> None:
    preset = replace(moving([qv.Spring(**SPRING)], duration=2.0), events=[qv.Reverse(at=1.0)])
    lane = qv.simulate(preset, lanes=[form]).lanes[0]
    assert lane.centre[-1] == pytest.approx(np.array(START["position"]), abs=1e-8)
    assert lane.centre_velocity[-1] == pytest.approx(-np.array(START["velocity"]), abs=1e-8)


def test_rotors_work_with_coupled_translation() -> None:
    wheel = qv.Rotor(axis=[0.0, 0.0, 1.0], inertia=0.4, speed=5.0)
    preset = moving([qv.Spring(**SPRING)], body=BODY.with_rotors([wheel]))
    lanes = qv.simulate(preset, lanes=["newton_euler", "lagrange_projected"], integrator="gauss6").lanes
    for lane in lanes:
        assert np.abs(lane.energy_drift).max() < 1e-10
        about_anchor = lane.h_space + np.cross(lane.centre - SPRING["anchor"], lane.momentum)
        assert np.ptp(about_anchor, axis=0).max() < 1e-9
    assert lanes[1].centre == pytest.approx(lanes[0].centre, abs=1e-10)


@pytest.mark.parametrize("form", ["udwadia_schutte_unconstrained", "mistaken"])
def test_form_without_coupled_translation_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="would hold the center of mass fixed"):
        qv.simulate(moving([qv.Spring(**SPRING)]), lanes=[form])
    held = replace(moving([qv.Spring(**SPRING)], duration=0.1), body=replace(BODY, mass=None))
    assert qv.simulate(held, lanes=[form]).lanes[0].status == "ok"


def test_closed_form_and_rattle_refuse_coupled_translation() -> None:
    lane = qv.simulate(moving([qv.Spring(**SPRING)]), lanes=["exact", "newton_euler"]).lanes[0]
    assert lane.status == "no_closed_form"
    assert "coupled" in lane.message
    with pytest.raises(InputError):
        qv.simulate(moving([qv.Spring(**SPRING)]), lanes=["lagrange_full/split"], integrator="rattle")


def test_sweep_includes_coupled_translation() -> None:
    table = qv.sweep(
        moving([qv.Spring(**SPRING)], duration=0.5),
        {"loads[0].stiffness": np.linspace(1.0, 9.0, 12).tolist()},
        lanes=["newton_euler"],
        measure="energy_drift",
    )
    assert float(np.nanmax(np.abs(table["energy_drift"]))) < 1e-8
    assert (table["status"] == 0).all()


def test_most_formulations_support_coupled_translation() -> None:
    preset = moving([qv.Spring(**SPRING)], duration=0.02)
    moved = []
    for name, family in FORMULATIONS.items():
        try:
            lane = qv.simulate(
                preset, lanes=[f"{name}/{family.variants[0]}" if family.variants else name]
            ).lanes[0]
        except InputError:
            continue
        if not np.isnan(lane.centre[0]).any():
            moved.append(name)
    assert len(moved) >= 9
