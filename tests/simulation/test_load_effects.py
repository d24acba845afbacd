"""A fixed step that skips a change of a load is always reported, in lanes and sweeps, for every method and load."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, Preset
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads.base import LOADS, Load, has_expression
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.coarse_rerun import CoarseRerun
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.load_effects import MAX_REFINED_STEPS, short_change_remark, steps_to_refine
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.verdict import MAX_ATTITUDE_ERROR

FIXED_STEP_METHODS = [name for name, method in INTEGRATORS.items() if method.fixed_step]
FORMS = ("newton_euler", "hamilton", "lagrange_full/torque", "lie_group", "lagrange_full/gradient")
CENTER = 5.0125
"""Time [s] of the pulses: at none of the stages of the steps."""
PULSES = {
    "Gauss": f"100*exp(-((t - {CENTER})/0.001)**2)",
    "triangle": f"100*max(0, 1 - abs(t - {CENTER})/0.002)",
    "square": "25*(1 + (t - 5.012)/abs(t - 5.012))*(1 - (t - 5.013)/abs(t - 5.013))",
    "square with steep sides": f"100*max(0, min(1, 1e6*(0.001 - abs(t - {CENTER}))))",
    "Lorentz": f"100/(1 + ((t - {CENTER})/0.001)**2)**2",
    "half an ellipse": f"100*sqrt(max(0, 1 - ((t - {CENTER})/0.001)**2))",
    "smooth step": "1/(1 + exp(-(t - 5.012)/0.001))",
    "among many kinks": f"1e-7*abs(sin(300*t)) + 100*exp(-((t - {CENTER})/0.001)**2)",
    "too short to be followed": f"1e6*exp(-((t - {CENTER})/1e-6)**2)",
}


def preset_of(*loads: Load, omega: tuple[float, ...] = (0.0, 0.0, 0.0), **run: Any) -> Preset:
    return Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=omega),
        loads=loads,
    ).with_run(**{"dt": 0.05, "sample_interval": 0.05, "duration": 10.0, **run})


def torque(text: str) -> Load:
    return qv.Torque(torque=[text, 0.0, 0.0])


def computed(preset: Preset, *lanes: Lane, **run: Any) -> LaneRun:
    simulation = Simulation(preset.with_run(lanes=lanes or (Lane("newton_euler"),), **run))
    simulation.complete(jobs=1)
    assert simulation.lanes[0].status == "ok"
    return simulation.lanes[0]


def true_error(lane: LaneRun, preset: Preset) -> float:
    fine = computed(preset, Lane("newton_euler", integrator="dop853", rtol=1e-11, atol=1e-11))
    return float(relative_angle(lane.p, fine.p).max())


@pytest.mark.parametrize("method", FIXED_STEP_METHODS)
def test_every_method_reports_a_skipped_pulse(method: str) -> None:
    preset = preset_of(torque(PULSES["Gauss"]))
    for form in FORMS:
        try:
            lane = computed(preset, Lane(form, integrator=method))
            break
        except InputError:  # the method needs another form
            continue
    assert true_error(lane, preset) > 0.5
    verdict = accuracy_verdict(lane)
    assert verdict.max_error > 0.5
    assert verdict.accurate_until == 5.0
    assert "a load changes within 0.0007 s at t = 5.01" in verdict.message
    advice = "which is shorter than the step of 0.05 s. Try dt ≤ 0.0002 s, or an adaptive method such as"
    assert f"{advice} dop853" in verdict.message, "a script uses identifiers"
    assert f"{advice} {INTEGRATORS['dop853'].title}" in tr(verdict.message)


@pytest.mark.parametrize("method", ["rk4", "euler", "implicit_midpoint", "rattle"])
@pytest.mark.parametrize("shape", PULSES)
@pytest.mark.parametrize("steps_per_sample", [1, 3])
def test_every_skipped_pulse_is_reported(shape: str, method: str, steps_per_sample: int) -> None:
    """Tested with one step and with an odd number of steps per sample. RATTLE also starts between samples."""
    preset = preset_of(torque(PULSES[shape]), sample_interval=0.05 * steps_per_sample, duration=9.0)
    form = "lagrange_simplified/torque" if method == "rattle" else "newton_euler"
    lane = computed(preset, Lane(form, integrator=method))
    verdict = accuracy_verdict(lane)
    assert true_error(lane, preset) > MAX_ATTITUDE_ERROR
    assert 4.8 <= verdict.accurate_until <= 6.0
    assert "which is shorter than the step of 0.05 s" in verdict.message


@pytest.mark.parametrize("method", ["euler", "implicit_midpoint", "rk4"])
@pytest.mark.parametrize("time", [5.0, 5.01, 5.03, 5.05, 5.06, 5.09])
def test_error_of_a_jump_is_detected_anywhere_in_a_step(method: str, time: float) -> None:
    """In one half of each step, steps of 0.1 s and 0.05 s place the jump at the same wrong time."""
    preset = preset_of(torque(f"0.02*max(0, min(1, 1e9*(t - {time})))"))
    lane = computed(preset, Lane("newton_euler", integrator=method))
    assert accuracy_verdict(lane).max_error > 0.8 * true_error(lane, preset)


EXPRESSION_LOADS = [
    (cls.name, name)
    for cls in LOADS.values()
    for sample in cls.samples()[:1]
    for name, value in vars(sample).items()
    if cls.__module__.startswith("quatviz.") and name in ("torque", "force", "weight", "coefficient", "stiffness", "damping")
]  # fmt: skip


@pytest.mark.parametrize(("pulse_type", "name"), EXPRESSION_LOADS)
def test_pulse_is_detected_in_every_expression(pulse_type: str, name: str) -> None:
    cls = next(load for load in LOADS.values() if load.name == pulse_type)
    (sample, *_) = cls.samples()
    text = f"1 + 200*exp(-((t - {CENTER})/0.003)**2)"
    value = getattr(sample, name)
    pulse: Load = replace(cast(Any, sample), **{name: [text, "0.5", "1"] if np.ndim(value) else text})
    assert has_expression(getattr(pulse, name))
    preset = preset_of(pulse, omega=(0.5, 0.3, 0.8), duration=7.0)
    lane = computed(preset)
    if true_error(lane, preset) > MAX_ATTITUDE_ERROR:
        assert not accuracy_verdict(lane).is_accurate


@pytest.mark.parametrize(
    "text",
    [
        "1e-6*exp(-((t - 5.0125)/0.001)**2)",
        "0.01*sin(3*t)",
        "1e-6*abs(sin(40*t))",
        "1e-5*cos(2000*t)",
        "exp(-((t - 5)/0.5)**2)",
        "0.1*sqrt(abs(sin(t)))",
    ],
)
def test_negligible_changes_are_not_reported(text: str) -> None:
    preset = preset_of(torque(text))
    lane = computed(preset)
    assert short_change_remark(lane.problem) == ""
    assert true_error(lane, preset) < MAX_ATTITUDE_ERROR
    assert accuracy_verdict(lane).message == ""


def test_cusp_is_not_a_short_pulse() -> None:
    """The rate of sqrt(abs(sin(t))) is unbounded where it is zero, but it needs no time to change there."""
    assert short_change_remark(computed(preset_of(torque("sqrt(abs(sin(t)))"))).problem) == ""
    message = accuracy_verdict(computed(preset_of(torque("20*sqrt(abs(sin(t)))")))).message
    assert "a load changes abruptly at t = 0 s, within a step of 0.05 s" in message


@pytest.mark.parametrize("method", ["rk4", "gauss6"])
@pytest.mark.parametrize(
    "text",
    [
        "0.1*sqrt(abs(t - 5.0301))",  # in the first hundredth of a step of 0.01 s: the step before it errs more
        "0.1*sqrt(abs(t - 5.0299))",
        "0.1*sqrt(abs(t - 5))",
        "0.1*abs(t - 5.003)",
        "0.1*sqrt(abs(sin(t)))",
    ],
)
def test_error_of_a_cusp_is_estimated_however_small(text: str, method: str) -> None:
    """It is of first order, or of order 3/2, and once was divided as that of a smooth motion: by 15 or 63."""
    preset = preset_of(torque(text), omega=(0.3, 0.2, 0.5), dt=0.01)
    lane = computed(preset, Lane("newton_euler", integrator=method))
    error = true_error(lane, preset)
    assert 1e-8 < error < 1e-4
    assert 0.7 * error < accuracy_verdict(lane).max_error < 20.0 * error


def test_error_of_a_kink_is_followed_through_an_unstable_motion() -> None:
    """About the intermediate axis an error grows by 1e4 in 10 s, which the effect of the step itself does not include."""
    preset = preset_of(torque("1e-3*sqrt(abs(t - 1.003))"), omega=(0.0, 2.0, 0.0), dt=0.01)
    lane = computed(preset, Lane("newton_euler", integrator="gauss6"))
    error = true_error(lane, preset)
    assert error > 1e-6
    assert 0.7 * error < accuracy_verdict(lane).max_error < 2.0 * error


@pytest.mark.parametrize("shape", ["Gauss", "Lorentz", "square with steep sides"])
def test_suggested_remedies_make_the_lane_accurate(shape: str) -> None:
    preset = preset_of(torque(PULSES[shape].replace("100*", "5*")), sample_interval=0.1)
    message = accuracy_verdict(computed(preset)).message
    dt = float(message.split("dt ≤ ")[1].split(" s")[0])
    for lane in (computed(preset, dt=dt), computed(preset, Lane("newton_euler", integrator="dop853"))):
        assert true_error(lane, preset) < MAX_ATTITUDE_ERROR
        assert accuracy_verdict(lane).message == ""


def test_aliased_oscillation_is_detected() -> None:
    """cos(80 pi t) is 1 at each multiple of 0.025 s."""
    preset = preset_of(torque("cos(80*pi*t)"), duration=2.0)
    verdict = accuracy_verdict(computed(preset))
    assert "which is shorter than the step of 0.05 s" in verdict.message


def test_pulse_after_an_event_is_detected() -> None:
    change = qv.ChangeModel(at=4.0, loads=[torque(PULSES["Gauss"])])
    preset = replace(preset_of(), events=(change,))
    verdict = accuracy_verdict(computed(preset))
    assert "a load changes within 0.0007 s at t = 5.01" in verdict.message
    without_load = replace(preset_of(torque(PULSES["Gauss"])), events=(replace(change, loads=[]),))
    assert accuracy_verdict(computed(without_load)).is_accurate


def test_pulse_after_the_end_is_detected_in_an_extended_run() -> None:
    run = Simulation(preset_of(torque(PULSES["Gauss"]), duration=4.0).with_run(lanes=["newton_euler"]))
    run.complete(jobs=1)
    assert accuracy_verdict(run.lanes[0]).is_accurate
    run.extend(10.0)
    run.complete(jobs=1)
    assert not accuracy_verdict(run.lanes[0]).is_accurate


def test_extended_run_has_the_verdict_of_a_long_run() -> None:
    """Kinks after the original end were once omitted."""
    preset = preset_of(
        torque("min(1, max(-1, 2*sin(t)))"), omega=(0.3, 1.0, 2.0), dt=0.1, sample_interval=0.2
    )
    extended = Simulation(preset.with_run(lanes=["newton_euler"]))
    extended.complete(jobs=1)
    accuracy_verdict(extended.lanes[0])
    extended.extend(16.0)
    extended.complete(jobs=1)
    verdict, expected = (
        accuracy_verdict(lane)
        for lane in (extended.lanes[0], computed(preset, Lane("newton_euler"), duration=16.0))
    )
    np.testing.assert_array_equal(verdict.errors, expected.errors)


@inline
def switched_torque(row, t, p, omega):
    return (100.0 if row[0] < t < row[1] else 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Switched(Load):
    """A torque that acts for a millisecond and declares when."""

    name: ClassVar[str] = "switched"
    torque_kernel = switched_torque

    def row(self, body: Body) -> tuple[float, ...]:
        return (5.012, 5.014)

    def switch_times(self, duration: float) -> tuple[float, ...]:
        return self.row(qv.Body(inertia=[1.0, 2.0, 3.0]))


def test_declared_times_of_script_loads_are_checked() -> None:
    verdict = accuracy_verdict(computed(preset_of(Switched())))
    assert "a load changes within 0.002 s at t = 5.012 s" in verdict.message


def test_largest_load_changes_are_checked() -> None:
    lane = computed(preset_of(torque(PULSES["among many kinks"])), dt=0.01)
    steps = steps_to_refine(lane.problem.segments[0], lane.interval, 10.0, 0, lane.samples - 1).by_sample
    refined = [step for row in steps.values() for step in row]
    assert len(refined) == MAX_REFINED_STEPS
    assert {501} <= {step.number for step in refined if step.share == 1.0}
    assert sum(1.0 / step.share for step in refined) == pytest.approx(1000, abs=20)


def test_partial_steps_match_uniform_short_steps() -> None:
    lane = computed(preset_of(torque(PULSES["Gauss"])))
    rerun = CoarseRerun(lane)
    while not rerun.is_complete:
        rerun.advance(100)
    (effect,) = (effect for effect in rerun.load_effects if np.linalg.norm(effect.rate) > 1e-6)
    impulse = 100.0 * 0.001 * math.sqrt(math.pi)
    assert effect.rate == pytest.approx([-impulse, 0.0, 0.0], abs=1e-9)
    assert rerun.comparison.estimated_errors.max() == pytest.approx(
        true_error(lane, lane.problem.preset), rel=1e-3
    )


@pytest.mark.parametrize(
    ("text", "method", "dt"),
    [
        ("abs(sin(0.7*t))", "rk4", 0.1),
        ("min(1, max(-1, 2*sin(t)))", "rk4", 0.1),
        ("max(sin(3*t), cos(2*t))", "rk4", 0.1),
        ("max(sin(3*t), cos(2*t))", "gauss4", 0.1),
        ("2*abs(sin(3*t))", "heun", 0.01),
        ("min(1, max(-1, 2*sin(t)))", "implicit_midpoint", 0.01),
    ],
)
def test_errors_of_steps_across_kinks_are_separated_from_others(text: str, method: str, dt: float) -> None:
    """The full difference to steps twice as long is up to 15 times the error after a kink."""
    loads = qv.Torque(torque=[text, 0.0, 0.3])
    preset = preset_of(loads, omega=(0.3, 1.0, 2.0), dt=dt, sample_interval=0.2)
    lane = computed(preset, Lane("newton_euler", integrator=method))
    verdict, error = accuracy_verdict(lane), true_error(lane, preset)
    assert error / 1.5 < verdict.max_error < 1.5 * error
    assert verdict.is_accurate == (verdict.max_error <= MAX_ATTITUDE_ERROR)


@pytest.mark.parametrize(
    ("dt", "integrator", "text"),
    [
        (0.05, "rk4", "a load changes within 0.0007 s at t = 5.01"),
        (0.05, "dop853", ""),
        (2e-4, "rk4", ""),
    ],
)
def test_sweep_reports_skipped_changes(dt: float, integrator: str, text: str) -> None:
    over = {"initial.angular_velocity[1]": qv.Axis.linear(0.0, 1.0, 4)}
    preset = preset_of(torque(PULSES["Gauss"]))
    plan = SweepPlan.create(preset, over, lanes="newton_euler", integrator=integrator, measure="end", dt=dt)
    assert any(text in remark for remark in plan.remarks) == bool(text)
    assert bool(plan.remarks) == bool(text)


def test_steps_of_single_sweep_points_are_checked() -> None:
    over = {"run.dt": [2e-4, 0.05]}
    plan = SweepPlan.create(
        preset_of(torque(PULSES["Gauss"])), over, lanes="newton_euler", measure="end", dt=2e-4
    )
    assert len(plan.remarks) == 1


def test_skipped_pulse_of_a_lane_load_is_reported_for_that_lane() -> None:
    lanes = [Lane("newton_euler", name="pushed", loads=[torque(PULSES["Gauss"])]), Lane("newton_euler")]
    simulation = Simulation(preset_of().with_run(lanes=lanes))
    simulation.complete(jobs=1)
    pushed, free = map(accuracy_verdict, simulation.lanes)
    assert "a load changes within 0.0007 s at t = 5.01" in pushed.message
    assert free.is_accurate
