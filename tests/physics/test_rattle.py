"""The index-3 problem: lambda as an unknown of the step, in every form that has one."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import random_preset

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle

LOADS = ("torque", "split", "gradient")
FORMS = [
    *(f"lagrange_full/{load}" for load in LOADS),
    *(f"lagrange_simplified/{load}" for load in LOADS),
    *(f"udwadia_schutte_fundamental/{load}" for load in LOADS),
    "hamilton_canonical/direct",
    "hamilton_canonical/literal",
]
STEPS = 0.02 / 2.0 ** np.arange(4)


def preset_with_damping() -> qv.Preset:
    preset = random_preset(3, gravity=True)
    return replace(preset, loads=(*preset.loads, qv.Damping(coefficient=0.2)))


@pytest.fixture(scope="module")
def runs():
    preset = preset_with_damping()
    return [
        qv.simulate(preset, lanes=FORMS, integrator="rattle", dt=dt, duration=2.0, sample_interval=0.02)
        for dt in STEPS
    ]


def slope(errors: list[float]) -> float:
    return float(np.polyfit(np.log(STEPS), np.log(errors), 1)[0])


@pytest.mark.parametrize("form", FORMS)
def test_rattle_lambda_converges_to_theory(form: str, runs) -> None:
    """Second order from the first sample, including a velocity-dependent torque."""
    errors = [float(np.abs(run[form].lam - run[form].lam_theory).max()) for run in runs]
    assert slope(errors) == pytest.approx(2.0, abs=0.1), errors
    starts = [float(np.abs(run[form].lam - run[form].lam_theory)[0]) for run in runs]
    assert starts[-1] <= errors[-1]
    assert starts[0] > 0.0, "an unknown of the step, not the theory itself"


@pytest.mark.parametrize("form", FORMS)
def test_rattle_motion_converges_at_order_two(form: str, runs) -> None:
    fine = qv.simulate(
        preset_with_damping(), lanes=["newton_euler"], dt=2e-4, duration=2.0, sample_interval=0.02
    )["newton_euler"]
    errors = [float(relative_angle(run[form].p, fine.p).max()) for run in runs]
    assert slope(errors) == pytest.approx(2.0, abs=0.1), errors


def test_load_forms_and_gyroscopic_terms_change_only_lambda(runs) -> None:
    """The parts along p change lambda to the last digits."""
    for run in runs[:2]:
        for form in FORMS:
            if not form.startswith("udwadia"):  # its J0 is another
                error = run.orientation_error(form, "lagrange_full/torque").max()
                assert error < 1e-12, form


def test_rattle_limit_does_not_depend_on_J0() -> None:
    """Each J0 has its own error, which goes to zero: the motion on the sphere does not depend on J0."""
    gaps = []
    for dt in STEPS[:3]:
        lanes = [
            qv.Lane("udwadia_schutte_fundamental", J0=J0, integrator="rattle", name=f"J0={J0}")
            for J0 in (0.5, 2.0)
        ]
        run = qv.simulate(preset_with_damping(), lanes=lanes, dt=dt, duration=2.0, sample_interval=0.02)
        gaps.append(run.orientation_error("J0=0.5", "J0=2.0").max())
    assert gaps[0] / gaps[1] == pytest.approx(4.0, abs=0.4)
    assert gaps[1] / gaps[2] == pytest.approx(4.0, abs=0.4)


def test_rattle_lane_reports_lambda_of_its_steps() -> None:
    """In lagrange_full/torque the 5x5 system gives 0 by construction; here 0 is computed, up to the error."""
    lanes = [
        qv.Lane("lagrange_full/torque", integrator=name, name=name, dt=0.02) for name in ("rk4", "rattle")
    ]
    run = qv.simulate(random_preset(3, gravity=True), lanes=lanes, duration=2.0, sample_interval=0.02)
    assert np.abs(run["rk4"].lam).max() < 1e-10
    assert 1e-6 < np.abs(run["rattle"].lam).max() < 1e-3


@pytest.mark.parametrize("stiffness", [10.0, 0.0])
def test_rattle_integrates_a_body_at_rest(stiffness: float) -> None:
    """Its momenta are zero at the start, at turning points, and always without a load."""
    preset = qv.load_preset("spring_disk")
    spring = qv.GuidedSpring(stiffness=stiffness, point=[1, 0, 0], direction=[0, 1, 0])
    run = qv.simulate(
        replace(preset, loads=(spring,)),
        lanes=[qv.Lane("lagrange_simplified/torque", integrator="rattle"), "newton_euler"],
        duration=5.0,
    )
    assert [lane.status for lane in run.lanes] == ["ok", "ok"]
    assert run.orientation_error("lagrange_simplified/torque", "newton_euler").max() < 1e-5
    assert run["lagrange_simplified/torque"].lam == pytest.approx(4.0 * run["newton_euler"].kinetic, abs=1e-4)


def test_rounding_of_lambda_grows_with_short_steps() -> None:
    """About J0 1e-15 / dt^2, because lambda is a second difference of positions."""
    for dt in (1e-3, 1e-4):
        lane = qv.simulate(
            qv.load_preset("heavy_top"),
            lanes=["lagrange_full/torque"],
            integrator="rattle",
            dt=dt,
            duration=0.5,
            sample_interval=0.01,
        )["lagrange_full/torque"]
        noise = float(np.abs(lane.lam).max())
        unit = 11.0 / 3.0 * 1e-15 / dt**2
        assert 0.03 * unit < noise < 30.0 * unit


@pytest.mark.parametrize("form", ["lagrange_simplified/torque", "hamilton_canonical/direct"])
@pytest.mark.parametrize("dt", [1e-2, 1e-4])
def test_rattle_converges_at_rest_under_a_growing_torque(form: str, dt: float) -> None:
    """With momenta of 1e-7, rounding errors of p.p = 1 counted as divergence of the iterations."""
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 2.6]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0]),
        loads=[qv.Torque(torque=["exp(-((t - 1)/0.05)**2)", 0.0, 0.0])],
    )
    run = qv.simulate(
        preset,
        lanes=[qv.Lane(form, integrator="rattle"), "newton_euler"],
        dt=dt,
        duration=2.0,
        sample_interval=0.01,
    )
    assert run[form].status == "ok"
    assert run.orientation_error(form, "newton_euler").max() < 0.1 * dt**2
    impulse = 0.05 * np.sqrt(np.pi)
    assert run[form].omega[-1] == pytest.approx([impulse, 0.0, 0.0], abs=1e-8)


@pytest.mark.parametrize("dt", [1e-6, 1e-8])
def test_rattle_converges_with_short_steps(dt: float) -> None:
    """Rounding errors of p.p = 1 then give errors of the momenta along p above the tolerance."""
    run = qv.simulate(
        random_preset(3, gravity=True),
        lanes=[qv.Lane("lagrange_simplified/torque", integrator="rattle"), "newton_euler"],
        dt=dt,
        duration=1e3 * dt,
        sample_interval=1e2 * dt,
    )
    assert run["lagrange_simplified/torque"].status == "ok"
    assert run.orientation_error("lagrange_simplified/torque", "newton_euler").max() < 1e-11
