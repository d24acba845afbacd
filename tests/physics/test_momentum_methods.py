"""Methods that integrate h: invariants over a million steps, convergence, long steps, any axes."""

import numpy as np
import pytest
from helpers import STATES, random_preset
from numpy.typing import NDArray

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import relative_angle

METHODS = ("axis_splitting", "moser_veselov", "simo_wong")
STEPS = 1_000_000


def run_of(
    preset: Preset, integrator: str, dt: float, duration: float, every: int = 1, **lane: str
) -> qv.Solution:
    form = lane.get("form", "newton_euler")
    run = qv.simulate(
        preset, lanes=[form], integrator=integrator, dt=dt, duration=duration, sample_interval=every * dt
    )
    assert run.lanes[0].status == "ok"
    return run.lanes[0]


def long_run(preset: str, integrator: str) -> qv.Solution:
    return run_of(qv.load_preset(preset), integrator, 1e-3, STEPS * 1e-3, 100)


def vertical(lane: qv.Solution) -> NDArray[np.float64]:
    """Return the change of h about the vertical, which gravity does not affect."""
    deviation: NDArray[np.float64] = np.abs(lane.h_space[:, 2] / lane.h_space[0, 2] - 1.0)
    return deviation


@pytest.mark.parametrize("integrator", METHODS)
def test_momentum_and_length_are_conserved_over_a_million_steps(integrator: str) -> None:
    """In newton_euler, whose state is not h, the J J^-1 of each step alone would give 2e-11."""
    free = long_run("torque_free", integrator)
    assert np.abs(free.h_space_drift).max() < 1e-12
    assert np.abs(free.momentum_drift).max() < 1e-12
    assert np.abs(free.constraint).max() < 1e-12
    energy = np.abs(free.energy_drift)
    if integrator == "axis_splitting":
        assert 1e-9 < energy.max() < 2e-7
        assert energy[len(energy) // 2 :].max() < 1.01 * energy[: len(energy) // 2].max(), (
            "it wanders, and drifts nowhere"
        )
    else:
        assert energy.max() < 1e-12


@pytest.mark.parametrize("integrator", METHODS)
def test_energy_error_under_gravity_is_bounded(integrator: str) -> None:
    top = long_run("heavy_top", integrator)
    assert vertical(top).max() < 1e-12
    assert np.abs(top.constraint).max() < 1e-12
    energy = np.abs(top.energy_drift)
    if integrator == "simo_wong":
        assert energy.max() < 1e-12
    else:
        assert 1e-10 < energy.max() < 5e-8
        assert energy[len(energy) // 2 :].max() < 1.01 * energy[: len(energy) // 2].max()


@pytest.mark.parametrize("integrator", METHODS)
@pytest.mark.parametrize("form", ["newton_euler", "hamilton"])
def test_momentum_methods_converge_to_the_exact_free_motion(integrator: str, form: str) -> None:
    preset = qv.load_preset("torque_free")
    exact = qv.simulate(preset, lanes=["exact"], duration=10.0, sample_interval=0.1)["exact"]
    errors = [
        relative_angle(run_of(preset, integrator, dt, 10.0, round(0.1 / dt), form=form).p, exact.p).max()
        for dt in (0.02, 0.01)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("integrator", METHODS)
def test_simo_wong_top_benchmark(integrator: str) -> None:
    """Second order compared with states in 80-bit arithmetic; simo_wong conserves energy and vertical h."""
    preset, given = qv.load_preset("simo_wong_top"), STATES["simo_wong_top"]
    errors = []
    for dt in (2e-3, 1e-3):
        lane = run_of(preset, integrator, dt, 1.0, round(0.01 / dt))
        errors.append(float(relative_angle(lane.p[-1], np.array(given["e"][0]))))
        assert vertical(lane).max() < 1e-14
        assert np.abs(lane.energy_drift).max() < (1e-14 if integrator == "simo_wong" else 1e-8)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("integrator", METHODS)
@pytest.mark.parametrize("gravity", [False, True])
def test_momentum_methods_accept_non_principal_axes(integrator: str, gravity: bool) -> None:
    preset = random_preset(2, gravity)
    fine = run_of(preset, "rk4", 1e-3, 2.0, 40)
    errors = []
    for dt in (0.01, 0.005):
        lane = run_of(preset, integrator, dt, 2.0, round(0.04 / dt))
        errors.append(relative_angle(lane.p, fine.p).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.05)
    assert vertical(lane).max() < 1e-13


@pytest.mark.parametrize("integrator", METHODS)
def test_drag_does_not_reduce_the_order(integrator: str) -> None:
    """Using the torque at the start of a kick would give first order."""
    preset = random_preset(5, gravity=False)
    preset = type(preset)(body=preset.body, initial=preset.initial, loads=[qv.Damping(coefficient=0.5)])
    fine = run_of(preset, "rk4", 1e-3, 2.0, 40)
    errors = [
        relative_angle(run_of(preset, integrator, dt, 2.0, round(0.04 / dt)).p, fine.p).max()
        for dt in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("integrator", ["axis_splitting", "simo_wong"])
def test_very_long_steps_conserve_the_invariants(integrator: str) -> None:
    top = run_of(qv.load_preset("heavy_top"), integrator, 0.2, 2000.0)
    assert vertical(top).max() < 1e-12
    assert np.abs(top.energy_drift).max() < (1e-12 if integrator == "simo_wong" else 1e-3)
