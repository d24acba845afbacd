"""The curves of h and omega of a free body lie on two quadrics."""

import numpy as np
import pytest

from quatviz.physics.geometry import polhodes

FULL = np.array([[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]])
BODIES = {
    "principal": np.diag([400.0, 307.808385, 200.0]),
    "full": FULL,
    "planar": np.diag([1.0, 2.0, 3.0]),
    "oblate": np.diag([1.0, 1.0, 2.0]),
    "prolate": np.diag([5.0, 1.0, 5.0]),
}


@pytest.mark.parametrize("inertia", BODIES.values(), ids=list(BODIES))
def test_polhodes_of_h_lie_on_both_quadrics(inertia: np.ndarray) -> None:
    for h in np.random.default_rng(3).normal(size=(40, 3)):
        level = float(polhodes.polhode_level(inertia, h))
        curves = polhodes.polhode_curves(inertia, level, 720)
        assert len(curves) == 2
        for curve in curves:
            assert np.linalg.norm(curve, axis=1) == pytest.approx(1.0, abs=1e-12)
            assert polhodes.polhode_level(inertia, curve) == pytest.approx(level, rel=1e-12)
            assert curve[0] == pytest.approx(curve[-1], abs=1e-12)
        away = np.linalg.norm(np.concatenate(curves) - h / np.linalg.norm(h), axis=1)
        assert away.min() < 0.05, "one of them goes through h"


def test_polhode_satisfies_eulers_equations() -> None:
    h = np.array([0.4, -0.9, 0.6])
    curves = np.concatenate(polhodes.polhode_curves(FULL, float(polhodes.polhode_level(FULL, h)), 20000))
    for _ in range(200):  # h' = -omega x h
        middle = h - 0.01 * np.cross(np.linalg.solve(FULL, h), h)
        h = h - 0.02 * np.cross(np.linalg.solve(FULL, middle), middle)
        assert np.linalg.norm(curves - h / np.linalg.norm(h), axis=1).min() < 2e-3


def test_polhode_levels_span_all_energies_except_the_separatrix() -> None:
    inverse = 1.0 / np.diag(BODIES["principal"])
    levels = polhodes.evenly_spaced_levels(BODIES["principal"], 3)
    assert len(levels) == 6
    assert sum(level > inverse[1] for level in levels) == 3
    assert min(levels) > inverse[0]
    assert max(levels) < inverse[2]
    assert len(polhodes.evenly_spaced_levels(BODIES["oblate"], 3)) == 4
    assert max(polhodes.evenly_spaced_levels(BODIES["oblate"], 3)) == pytest.approx(1.0), "the equator"
    assert len(polhodes.evenly_spaced_levels(BODIES["prolate"], 3)) == 4


def test_separatrix_is_two_great_circles() -> None:
    moments, axes = polhodes.principal_moments(FULL)
    circles = polhodes.separatrix(FULL)
    assert len(circles) == 2
    for circle in circles:
        assert np.linalg.norm(circle, axis=1) == pytest.approx(1.0)
        assert polhodes.polhode_level(FULL, circle) == pytest.approx(1.0 / moments[1])
        assert np.abs(circle @ axes[:, 1]).max() == pytest.approx(1.0)
        assert np.linalg.matrix_rank(circle, tol=1e-9) == 2
    assert np.abs(circles[0] - circles[1]).max() > 0.1


def test_symmetric_bodies_have_no_separatrix() -> None:
    assert polhodes.separatrix(BODIES["oblate"]) == []
    assert polhodes.separatrix(BODIES["prolate"]) == []
    ball = 2.0 * np.eye(3)
    assert (
        polhodes.separatrix(ball),
        polhodes.polhode_curves(ball, 0.5),
        polhodes.evenly_spaced_levels(ball, 3),
    ) == (
        [],
        [],
        [],
    )


def test_polhodes_of_omega_lie_on_the_energy_ellipsoid() -> None:
    curve = polhodes.polhode_curves(FULL, polhodes.evenly_spaced_levels(FULL, 3)[1])[0]
    omega = polhodes.velocity_curve(FULL, curve)
    assert np.einsum("ni,ij,nj->n", omega, FULL, omega) == pytest.approx(1.0)
    h = omega @ FULL
    assert np.cross(h, curve) == pytest.approx(np.zeros_like(h), abs=1e-12)
    assert np.all(np.sum(h * curve, axis=1) > 0)


def test_zero_momentum_has_no_polhodes() -> None:
    assert np.isnan(polhodes.polhode_level(FULL, np.zeros(3)))
    assert polhodes.twice_kinetic_energy(FULL, FULL @ [1.0, 0.0, 0.0]) == pytest.approx(2.0)
