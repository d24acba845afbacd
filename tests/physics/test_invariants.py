"""Invariants that integrators claim to preserve, over a million steps, to the measured level."""

import numpy as np
import pytest

import quatviz as qv

STEPS = 1_000_000


def long_run(preset: str, lane: str, integrator: str, dt: float, steps: int = STEPS) -> qv.Solution:
    run = qv.simulate(
        qv.load_preset(preset),
        lanes=[lane],
        integrator=integrator,
        dt=dt,
        duration=steps * dt,
        sample_interval=100 * dt,
    )
    assert run[lane].status == "ok"
    return run[lane]


@pytest.mark.parametrize("lane", ["newton_euler", "hamilton"])
def test_implicit_midpoint_conserves_quadratic_invariants(lane: str) -> None:
    """|p|^2 to 1e-14; T and |h| are quadratic in omega; under gravity V = W (A u)_3 is quadratic in p, so that even the
    energy stays."""
    free = long_run("torque_free", lane, "implicit_midpoint", 1e-3)
    assert np.abs(free.constraint).max() < 1e-13
    assert np.abs(free.kinetic / free.kinetic[0] - 1.0).max() < 1e-14
    assert np.abs(free.momentum_drift).max() < 1e-14
    top = long_run("heavy_top", lane, "implicit_midpoint", 1e-3)
    assert np.abs(top.constraint).max() < 1e-13
    assert np.abs(top.energy_drift).max() < 1e-14


@pytest.mark.parametrize("integrator", ["gauss4", "gauss6"])
def test_gauss_conserves_quadratic_invariants(integrator: str) -> None:
    free = long_run("torque_free", "newton_euler", integrator, 1e-3)
    assert np.abs(free.constraint).max() < 1e-13
    assert np.abs(free.kinetic / free.kinetic[0] - 1.0).max() < 1e-14
    assert np.abs(free.momentum_drift).max() < 1e-14
    top = long_run("heavy_top", "newton_euler", integrator, 1e-3)
    assert np.abs(top.constraint).max() < 1e-13
    assert np.abs(top.energy_drift).max() < 1e-14


def test_implicit_midpoint_does_not_conserve_other_quantities() -> None:
    """The vertical part of h is cubic in the state, and |p| of (p, p') is no invariant of its equations."""
    top = long_run("heavy_top", "newton_euler", "implicit_midpoint", 0.01, 10_000)
    assert np.abs(top.h_space[:, 2] / top.h_space[0, 2] - 1.0).max() > 1e-6
    rates = long_run("heavy_top", "lagrange_simplified/gradient", "implicit_midpoint", 0.01, 10_000)
    assert np.abs(rates.constraint_rate).max() < 1e-11
    assert np.abs(rates.constraint).max() > 1e-9


def test_implicit_midpoint_conserves_invariants_with_long_steps() -> None:
    """Ten radians of spin per step: the phase is lost, the invariants are not."""
    top = long_run("heavy_top", "newton_euler", "implicit_midpoint", 0.2, 10_000)
    assert np.abs(top.constraint).max() < 1e-12
    assert np.abs(top.energy_drift).max() < 1e-12


@pytest.mark.parametrize(
    ("integrator", "lane"),
    [("lie_rk4", "newton_euler"), ("lie_rk4", "hamilton"), ("munthe_kaas4", "newton_euler")],
)
def test_exponentials_stay_on_the_sphere(integrator: str, lane: str) -> None:
    for preset in ("torque_free", "heavy_top"):
        assert np.abs(long_run(preset, lane, integrator, 1e-3).constraint).max() < 1e-12


@pytest.mark.parametrize("preset", ["torque_free", "heavy_top"])
@pytest.mark.parametrize("lane", ["hamilton_canonical", "lagrange_simplified/gradient"])
def test_rattle_conserves_both_constraints(lane: str, preset: str) -> None:
    """Without drift: after a million steps p.p = 1 and p.p' = 0 hold as after one."""
    run = long_run(preset, lane, "rattle", 1e-3)
    assert np.abs(run.constraint).max() < 1e-15
    assert np.abs(run.constraint_rate).max() < 1e-14
    assert np.abs(run.energy_drift).max() < 2e-8, "and the energy only wanders"


def test_rk4_conserves_no_invariant() -> None:
    """This shows that the limits above are meaningful."""
    top = long_run("heavy_top", "newton_euler", "rk4", 1e-3)
    assert np.abs(top.constraint).max() > 1e-7
    assert np.abs(top.energy_drift).max() > 1e-9
