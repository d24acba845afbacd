"""The adaptive method dop853: accuracy for given tolerances, order with fixed steps, dense samples, ends of a lane."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import STATES, reference_preset

import quatviz as qv
from quatviz.files.preset import Lane
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators._kernels import adaptive
from quatviz.physics.integrators.base import Tolerances
from quatviz.physics.integrators.dop853 import kernel
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation

CASE = "point_force"


def at_reference_times(lane) -> float:
    times = [time for time in STATES[CASE]["times"] if time <= 10.0]
    rows = [round(time / lane.t[1]) for time in times]
    return float(relative_angle(lane.p[rows], np.array(STATES[CASE]["e"][: len(rows)])).max())


def test_tighter_tolerance_takes_more_steps_and_reduces_the_error() -> None:
    errors, steps = [], []
    for tolerance in (1e-5, 1e-7, 1e-9, 1e-11):
        lane = qv.simulate(
            reference_preset(CASE),
            lanes=["hamilton"],
            integrator="dop853",
            dt=0.01,
            duration=10.0,
            sample_interval=0.01,
            rtol=tolerance,
        )["hamilton"]
        errors.append(at_reference_times(lane))
        steps.append(lane.steps)
    assert np.all(np.diff(np.log10(errors)) < -1.0), errors
    assert np.all(np.diff(steps) > 0), steps
    work = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert 6.5 < work < 10.0, "the error falls with about the eighth power of the work"


def test_order_with_fixed_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tolerances disabled, so that every step is as long as the first."""
    monkeypatch.setattr(INTEGRATORS["dop853"], "usual_tolerances", Tolerances(1e9, 1e9))
    steps, errors, between = 2.0 / np.array([4, 8, 16, 32]), [], []
    e = STATES[CASE]["e"][STATES[CASE]["times"].index(2.0)]
    fine = qv.simulate(
        reference_preset(CASE), lanes=["hamilton"], dt=2.0 / 8192, duration=2.0, sample_interval=2.0 / 128
    )["hamilton"]
    for dt in steps:
        preset = reference_preset(CASE).with_run(
            lanes=[Lane("hamilton", integrator="dop853")], dt=dt / 4, sample_interval=dt / 4, duration=2.0
        )
        (lane,) = Simulation(preset)
        memory = lane.solver.state.method.memory
        lane.prepare()
        for sample in range(round(8.0 / dt)):
            if sample == 0:  # the setup of the first block, except for the step
                memory[[adaptive.SAMPLE, adaptive.SIDE, adaptive.T_OLD, adaptive.T_END, adaptive.T]] = (
                    0.0,
                    1.0,
                    0.0,
                    0.0,
                    0.0,
                )
                lane.solver.state.method.current[0] = lane.history.rows[0]
            memory[adaptive.STEP] = dt
            lane.advance(1)
        assert lane.solver.steps == round(2.0 / dt)
        errors.append(relative_angle(lane.p[-1], e))
        every = round(128 * dt / 8.0)
        between.append(relative_angle(lane.p, fine.p[::every]).max())
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(8.0, abs=0.5), errors
    assert np.polyfit(np.log(steps), np.log(between), 1)[0] > 7.0, between


@pytest.mark.parametrize(
    ("case", "duration", "limit"),
    [("torque_free", 100.0, 1e-9), ("heavy_top", 10.0, 1e-9), ("spring_disk", 10.0, 1e-10)],
)
def test_reference_states(case: str, duration: float, limit: float) -> None:
    lane = qv.simulate(
        reference_preset(case),
        lanes=["newton_euler"],
        integrator="dop853",
        dt=1e-3,
        duration=duration,
        sample_interval=0.01,
    )["newton_euler"]
    times = [time for time in STATES[case]["times"] if time <= duration]
    rows = [round(time / 0.01) for time in times]
    assert relative_angle(lane.p[rows], np.array(STATES[case]["e"][: len(rows)])).max() < limit
    assert np.abs(lane.energy_drift).max() < 1e-9
    assert lane.steps < 0.5 * len(lane.t) * 10


def test_stabilized_dense_samples_are_on_the_sphere() -> None:
    form = "lagrange_simplified/gradient"
    lanes = [Lane(form, stabilisation="project", name="projected"), Lane(form)]
    run = qv.simulate(
        reference_preset(CASE), lanes=lanes, integrator="dop853", dt=0.01, duration=10.0, sample_interval=0.01
    )
    assert np.abs(run["projected"].constraint).max() < 1e-15
    assert np.abs(run["projected"].constraint_rate).max() < 1e-14
    assert at_reference_times(run["projected"]) < 1e-9


def test_tableau_equals_that_of_scipy() -> None:
    from scipy.integrate import DOP853

    sums = np.zeros((22, 16))
    for row in range(22):
        terms = slice(kernel.BEGIN[row], kernel.BEGIN[row + 1])
        sums[row, kernel.SLOPE[terms]] = kernel.WEIGHT[terms]
    assert np.array_equal(sums[:12, :12], DOP853.A)
    assert np.array_equal(sums[12, :12], DOP853.B)
    assert np.array_equal(sums[13:16], DOP853.A_EXTRA)
    assert np.array_equal(sums[16, :13], DOP853.E5)
    assert np.array_equal(sums[17, :13], DOP853.E3)
    assert np.array_equal(sums[18:], DOP853.D)
    assert np.array_equal(kernel.C[:12], DOP853.C)
    assert np.array_equal(kernel.C[13:], DOP853.C_EXTRA)


def test_extremely_fast_motion_ends_early() -> None:
    """No underflow occurs. At 10^7 rad/s, one sample of a second would take half a minute and block the window."""
    preset = qv.load_preset("torque_free")
    fast = replace(preset, initial=replace(preset.initial, angular_momentum=[1e9, 0.0, 1e9]))
    lane = qv.simulate(
        fast, lanes=["hamilton"], integrator="dop853", dt=1.0, sample_interval=1.0, duration=10.0
    )["hamilton"]
    assert lane.status == "step_failed"
    assert 0 < lane.steps <= adaptive.STEPS_PER_FIRST_TRY + adaptive.EXTRA_STEPS


def test_singular_lane_reports_its_end_and_keeps_its_samples() -> None:
    run = qv.simulate(qv.load_preset("gimbal_lock"), integrator="dop853")
    locked = run["euler_angles/321"]
    assert locked.status == "singular"
    assert locked.ended_at == pytest.approx(5.0, abs=0.02)
    assert "3-2-1 angles are locked" in locked.message
    assert run.orientation_error("euler_angles/321", "newton_euler").max() < 1e-9


@pytest.mark.parametrize(
    "form", ["lagrange_full/torque", "lagrange_projected", "udwadia_schutte_fundamental/torque"]
)
def test_step_errors_do_not_drift_off_the_sphere(form: str) -> None:
    """With p.p'' = -p'.p' an error of p.p' persists, so that |p| drifts: 7e-5 rad after 600 s, against 2e-8 rad with the
    closed form."""
    preset = replace(
        qv.load_preset("torque_free"), loads=[qv.Torque(torque=[0.01, 0.02, -0.015], frame="body")]
    )
    run = qv.simulate(
        preset,
        lanes=[form, "lagrange_full/torque_closed", "newton_euler"],
        integrator="dop853",
        dt=0.01,
        duration=600.0,
        sample_interval=1.0,
    )
    assert np.abs(run[form].constraint).max() < 1e-9
    closed = run.orientation_error("lagrange_full/torque_closed", "newton_euler").max()
    assert run.orientation_error(form, "newton_euler").max() < 1e-6 < 100.0 * closed


def test_motion_off_the_sphere_conserves_its_first_integrals() -> None:
    """Conserved are the first integrals of the equations, p.p' and the rate of p.p, but not the constraint."""
    preset = qv.load_preset("off_the_sphere")
    run = qv.simulate(
        preset,
        lanes=[Lane("lagrange_full/torque", integrator=name, name=name) for name in ("dop853", "rk4")],
        dt=1e-3,
        duration=10.0,
        sample_interval=0.1,
    )
    assert np.abs(run["dop853"].constraint).max() > 1e-3
    assert run["dop853"].constraint == pytest.approx(run["rk4"].constraint, abs=1e-9)
