"""The d'Alembert-Lagrange forms: six right-hand sides, one motion, six multipliers."""

from itertools import combinations

import numpy as np
import pytest
from helpers import LANES, STATES, derivative, random_preset, reference_preset

import quatviz as qv
from quatviz.physics.kernels.linear_solve import solve3, solve5
from quatviz.physics.mechanics.rotations import rate_from_omega

FORMS = [lane for lane in LANES if lane.startswith(("lagrange_full/", "lagrange_simplified/"))]
PRESET = reference_preset("point_force")


def state(scale: float) -> np.ndarray:
    """A state at `scale` times the unit sphere, tangent to it only for scale 1."""
    p = np.array([0.5, -0.1, 0.7, 0.5])
    p /= np.linalg.norm(p)
    p_rate = rate_from_omega(p, np.array([0.4, -1.3, 0.8]))
    return np.concatenate((scale * p, p_rate + (scale - 1.0) * np.array([0.3, 0.2, -0.5, 0.9])))


def test_there_are_twelve_forms() -> None:
    assert len(FORMS) == 12


def test_accelerations_agree_on_the_sphere() -> None:
    accelerations = [derivative(lane, PRESET, state(1.0))[0][4:] for lane in FORMS]
    for acceleration in accelerations:
        assert acceleration == pytest.approx(accelerations[0], abs=1e-13)


@pytest.mark.parametrize("solve", ["", "_closed"])
def test_lagrange_right_hand_sides_differ_off_the_sphere(solve: str) -> None:
    """As pairs (p'', lambda): `gradient` differs from `split` by a force along p, which only affects
    lambda."""
    forms = [lane for lane in FORMS if lane.endswith("_closed") == bool(solve)]
    results = {lane: derivative(lane, PRESET, state(1.1)) for lane in forms}
    for first, second in combinations(forms, 2):
        difference = np.append(results[first][0] - results[second][0], results[first][1] - results[second][1])
        assert np.abs(difference).max() > 1e-3, (first, second)
        along_p = {first.removesuffix(solve)[-5:], second.removesuffix(solve)[-5:]} == {"split", "dient"}
        same_gyroscopic = first.split("/")[0] == second.split("/")[0]
        if not (along_p and same_gyroscopic):
            assert np.abs(results[first][0] - results[second][0]).max() > 1e-3, (first, second)


def test_closed_differs_from_augmented_off_the_sphere() -> None:
    for lane in FORMS:
        if not lane.endswith("_closed"):
            difference = (
                derivative(lane, PRESET, state(1.1))[0] - derivative(f"{lane}_closed", PRESET, state(1.1))[0]
            )
            assert np.abs(difference).max() > 1e-3, lane


def test_augmented_form_keeps_the_constraint_off_the_sphere() -> None:
    """(|p|^2)'' = 0 off the sphere for `augmented`, 2 |p'|^2 (1 - |p|^2) for `closed`."""
    y = state(1.1)
    p, p_rate = y[:4], y[4:]
    for lane in FORMS:
        second = 2.0 * (p @ derivative(lane, PRESET, y)[0][4:] + p_rate @ p_rate)
        law = 2.0 * p_rate @ p_rate * (1.0 - p @ p) if lane.endswith("_closed") else 0.0
        assert second == pytest.approx(law, abs=1e-12), lane


def test_lambdas_of_the_point_force() -> None:
    run = qv.simulate(PRESET, lanes=FORMS, dt=1e-3, duration=10.0, sample_interval=0.01)
    rows = [round(time / 0.01) for time in STATES["point_force"]["times"]]
    for lane in run.lanes:
        published = [values[lane.name.removesuffix("_closed")] for values in STATES["point_force"]["lambda"]]
        assert lane.lam[rows] == pytest.approx(published, abs=1e-9), lane.name
        assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-9), lane.name


LOADS = [
    qv.PointForce(force=[1.0, -2.0, 0.5], point=[0.2, 0.4, -0.3], frame="body"),
    qv.PointForce(force=[0.3, 0.8, -1.1], point=[-0.5, 0.1, 0.6]),
    qv.Gravity(weight=3.0, centre=[0.1, 0.2, 0.3]),
    qv.Torque(torque=[0.2, -0.1, 0.4]),
    qv.Spring(stiffness=2.0, point=[0.3, 0.1, 0.2], anchor=[1.0, 0.0, 0.5], rest_length=0.4),
    qv.Damping(coefficient=0.05),
]


def test_all_loads_give_one_motion_and_theoretical_lambdas() -> None:
    free = random_preset(5, gravity=False)
    preset = qv.Preset(body=free.body, initial=free.initial, loads=LOADS)
    run = qv.simulate(preset, lanes=["newton_euler", *FORMS], dt=1e-3, duration=5.0, sample_interval=0.05)
    for form in FORMS:
        assert run.orientation_error(form, "newton_euler").max() < 1e-9, form
        assert run[form].lam == pytest.approx(run[form].lam_theory, abs=1e-8), form
    assert np.ptp(run["lagrange_simplified/gradient"].lam) > 1.0


def test_parts_of_lambda() -> None:
    run = qv.simulate(PRESET, lanes=[*FORMS, "hamilton"], dt=1e-3, duration=1.0, sample_interval=0.1)
    parts = run["lagrange_simplified/gradient"].lam_parts
    assert list(parts) == ["4T", "2uᵀAᵀf", "2uᵀf"]
    assert parts["4T"] == pytest.approx(4.0 * run["hamilton"].kinetic, abs=1e-9)
    assert parts["2uᵀf"] == pytest.approx(2.0 * (0.3 * 1.0 - 0.2 * 2.0 - 0.7 * 1.5), abs=1e-14)
    assert run["lagrange_full/torque"].lam_parts == {}
    assert not run["lagrange_full/torque"].lam_theory.any()
    assert np.isnan(run["hamilton"].lam).all()
    assert np.isnan(run["hamilton"].lam_theory).all()


@pytest.mark.parametrize(("solve", "size"), [(solve3, 3), (solve5, 5)])
def test_pivoted_solve(solve, size: int) -> None:
    random = np.random.default_rng(size)
    for case in range(50):
        matrix, right = random.normal(size=(size, size)), random.normal(size=size)
        if case % 2:
            matrix[0, 0] = 0.0  # elimination without pivoting would divide by this
            matrix[-1] *= 1e6
        assert solve(tuple(matrix.ravel()), tuple(right)) == pytest.approx(
            np.linalg.solve(matrix, right), rel=1e-9
        )
