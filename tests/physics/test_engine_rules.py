"""Rules of game engines for the gyroscopic term, against the formulas of their sources in NumPy."""

import numpy as np
import pytest
from helpers import reference_preset

import quatviz as qv
from quatviz.physics.mechanics.rotations import multiply

RULES = ("engine_explicit", "engine_implicit", "engine_clamped")
DT = 0.02
BODY = qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]])
INITIAL = qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6])
TORQUE = np.array([0.3, -0.2, 0.5])


def skew(v: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def rate_after(rule: str, J: np.ndarray, w: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return omega after one step, as Bullet and Jolt compute it."""
    if rule == "engine_implicit":
        residual = DT * np.cross(w, J @ w)
        jacobian = J + DT * (skew(w) @ J - skew(J @ w))
        w = w - np.linalg.solve(jacobian, residual)
        return w + DT * np.linalg.solve(J, n)
    h = J @ w - DT * np.cross(w, J @ w)
    if rule == "engine_clamped":
        h *= np.linalg.norm(J @ w) / np.linalg.norm(h)
    return np.linalg.solve(J, h + DT * n)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("is_loaded", [False, True], ids=["free", "torque"])
def test_steps_are_those_of_the_source(rule: str, is_loaded: bool) -> None:
    loads = [qv.Torque(torque=TORQUE, frame="body")] if is_loaded else []
    preset = qv.Preset(body=BODY, initial=INITIAL, loads=loads)
    lanes = [qv.Lane("newton_euler", integrator=rule), qv.Lane("hamilton", integrator=rule)]
    run = qv.simulate(preset, lanes=lanes, dt=DT, duration=5 * DT, sample_interval=DT)
    for lane in run.lanes:
        solution = run[lane.name]
        p, w = solution.p[0], solution.omega[0]
        for step in range(1, 6):
            w = rate_after(rule, BODY.inertia, w, TORQUE if is_loaded else np.zeros(3))
            angle = DT * np.linalg.norm(w)
            turn = np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * w / np.linalg.norm(w)))
            p = multiply(p, turn)
            assert solution.omega[step] == pytest.approx(w, abs=1e-13)
            assert solution.p[step] == pytest.approx(p, abs=1e-13)


def test_energy_of_a_free_body_rises_or_falls() -> None:
    preset = reference_preset("torque_free")
    lanes = [qv.Lane("newton_euler", integrator=rule, name=rule) for rule in RULES]
    run = qv.simulate(preset, lanes=lanes, dt=0.01, duration=2.0, sample_interval=0.01)
    J = preset.body.inertia
    h = {rule: run[rule].omega @ J for rule in RULES}
    lengths = {rule: np.linalg.norm(h[rule], axis=1) for rule in RULES}
    assert (np.diff(lengths["engine_explicit"]) > 0.0).all()
    assert (np.diff(lengths["engine_implicit"]) < 0.0).all()
    assert lengths["engine_clamped"] == pytest.approx(lengths["engine_clamped"][0], rel=1e-13)
