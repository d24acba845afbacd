"""The accuracy verdict: whether, until when, why not, and a remedy; it costs less than the lane."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import random_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, Preset
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.plausibility import MAX_RELATIVE_ERROR, invariant_violation
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.coarse_rerun import CoarseRerun, Comparison
from quatviz.simulation.diagnostics import (
    CHEAP_SECONDS,
    accuracy_verdict,
    accuracy_verdicts,
    advance_checks,
    estimated_errors,
    exponential_growth,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import fitting_step
from quatviz.simulation.simulation import Simulation

FIXED_STEP_METHODS = [name for name, method in INTEGRATORS.items() if method.fixed_step]
ADAPTIVE_METHODS = [name for name, method in INTEGRATORS.items() if not method.fixed_step]
FORMS = ("newton_euler", "hamilton", "lagrange_full/torque", "lie_group", "lagrange_full/gradient")


def completed(preset: Preset, *lanes: Lane, **run: Any) -> Simulation:
    simulation = Simulation(preset.with_run(lanes=lanes, **run))
    simulation.complete(jobs=1)
    return simulation


def true_error(lane: LaneRun, preset: Preset) -> np.ndarray:
    """Angle (n,) [rad] from the lane to a fine run of another formulation and method."""
    fine = Lane("newton_euler", integrator="dop853", rtol=1e-13, atol=1e-13)
    reference = completed(preset, fine, dt=lane.interval).lanes[0]
    return relative_angle(lane.p, reference.p[: lane.samples])


def top(omega: list[float], inertia: list[float], centre: list[float], **run: Any) -> Preset:
    preset = Preset(
        body=qv.Body(inertia=inertia),
        loads=[qv.Gravity(weight=4.0, centre=centre)],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=omega),
    )
    return preset.with_run(**run)


# --- invariants


def sampled(norm: float, rate: float) -> Motion:
    """Motion about a principal axis whose |p|² and rate reach these values in 2 s, from 1."""
    t = np.linspace(0.0, 2.0, 21)
    p = np.outer(np.sqrt(np.linspace(1.0, norm, 21)), [1.0, 0.0, 0.0, 0.0])
    omega = np.outer(np.linspace(1.0, rate, 21), [0.0, 0.0, 1.0])
    return Motion(
        t, p, omega, body=qv.Body(inertia=[1.0, 2.0, 3.0]), loads=(), constraint_rate=np.zeros(21),
        measures=lambda: np.zeros((21, 2)),
    )  # fmt: skip


def test_violation_message_has_invariant_error_and_time() -> None:
    violation = invariant_violation(sampled(0.06, 1.0), True)
    assert violation is not None
    assert violation.time == pytest.approx(0.3)
    assert violation.reason == "|p|² − 1, which should be 0, reaches −0.94"
    energy = invariant_violation(sampled(1.0, 0.3), True)
    assert energy is not None
    assert energy.reason == "the energy, which should be constant, changes by −91 %"
    both = invariant_violation(sampled(0.06, 0.3), True)
    assert both is not None
    assert "−0.94" in both.reason
    assert "−91 %" in both.reason


def test_small_errors_and_work_of_loads_are_accepted() -> None:
    assert invariant_violation(sampled(1.0, 1.0), True) is None
    assert (
        invariant_violation(sampled(1.0 - 0.9 * MAX_RELATIVE_ERROR, 1.0 + 0.4 * MAX_RELATIVE_ERROR), True)
        is None
    )
    assert invariant_violation(sampled(1.0, 0.3), False) is None


# --- the estimate


@pytest.mark.parametrize("gravity", [True, False])
@pytest.mark.parametrize("method", FIXED_STEP_METHODS)
@pytest.mark.parametrize("steps_per_sample", [1, 2, 3])
def test_error_estimate_is_within_a_factor_of_three(
    method: str, gravity: bool, steps_per_sample: int
) -> None:
    preset = random_preset(3, gravity).with_run(
        duration=6.06, dt=0.02, sample_interval=0.02 * steps_per_sample
    )
    for form in FORMS:
        try:
            (lane,) = completed(preset, Lane(form, integrator=method))
            break
        except InputError:  # the method needs another form
            continue
    error = true_error(lane, preset)
    verdict = accuracy_verdict(lane)
    largest = max(error.max(), 1e-11)  # rounding and the reference
    assert largest / 3.0 < max(verdict.max_error, 1e-11) < 3.0 * largest
    assert (verdict.errors >= 0.0).all()
    assert (verdict.errors <= math.pi).all()
    if largest < 5e-4:
        assert verdict.is_accurate
        assert verdict.message == ""


@pytest.mark.parametrize("method", ["rk4", *ADAPTIVE_METHODS])
@pytest.mark.parametrize("steps_per_sample", [1, 4])
def test_accuracy_check_costs_less_than_the_run(method: str, steps_per_sample: int) -> None:
    preset = random_preset(3, True).with_run(duration=10.0, dt=0.02, sample_interval=0.02 * steps_per_sample)
    (lane,) = completed(preset, Lane("newton_euler", integrator=method))
    rerun = CoarseRerun(lane)
    while not rerun.is_complete:
        rerun.advance(10**9)
    assert 0 < rerun.steps < lane.solver.steps
    if lane.solver.segment.integrator.fixed_step:
        assert rerun.steps <= lane.solver.steps // 2 + 2
    assert rerun.comparison.estimated_errors.max() < 1e-5


def test_check_does_not_depend_on_slice_length() -> None:
    event = qv.Kick(at=0.14, impulse=[0.5, 0.0, 1.0])
    for steps_per_sample, method in ((1, "rk4"), (3, "rk4"), (4, "rk4"), (4, "dop853")):
        preset = replace(random_preset(3, True), events=[event]).with_run(
            duration=1.0, dt=0.02 / steps_per_sample, sample_interval=0.02
        )
        (lane,) = completed(preset, Lane("newton_euler", integrator=method))
        angles = []
        for max_steps in (1, 7, 10**9):
            rerun = CoarseRerun(lane)
            while not rerun.is_complete:
                rerun.advance(max_steps)
            angles.append(rerun.comparison.angles.tolist())
        assert angles[0] == angles[1] == angles[2]
        assert len(angles[0]) >= 25


@pytest.mark.parametrize("steps_per_sample", [1, 2, 3])
def test_check_applies_events_at_the_same_time(steps_per_sample: int) -> None:
    events = [
        qv.Kick(at=0.14, impulse=[0.5, 0.0, 1.0]),
        qv.LaneChange(at=0.62, lane="newton_euler", dt=0.01),
        qv.ChangeModel(at=1.06, loads=[], body=qv.Body(inertia=[2.0, 1.5, 3.0])),
    ]
    preset = replace(random_preset(3, True), events=events).with_run(
        duration=2.0, dt=0.02 / steps_per_sample, sample_interval=0.02
    )
    (lane,) = completed(preset, Lane("newton_euler"))
    error = true_error(lane, replace(preset, events=[events[0], events[2]]))
    verdict = accuracy_verdict(lane)
    assert verdict.is_accurate
    assert error.max() / 3.0 < verdict.max_error < 3.0 * error.max()


def test_check_includes_an_initial_event() -> None:
    event = qv.ChangeModel(at=0.0, body=qv.Body(inertia=[3.0, 2.0, 1.0]))
    preset = replace(qv.load_preset("torque_free"), events=[event]).with_run(duration=5.0)
    (lane,) = completed(preset, Lane("newton_euler"))
    assert accuracy_verdict(lane).is_accurate


def test_check_of_an_extended_run_includes_later_jumps() -> None:
    control = qv.AttitudeControl(stiffness=5.0, damping=0.1)
    preset = replace(random_preset(3, False), loads=[control]).with_run(
        dt=0.02, sample_interval=0.02, duration=1.0
    )
    run = completed(preset, Lane("newton_euler"))
    (lane,) = run
    accuracy_verdict(lane)
    run.extend(20.0)
    run.complete(jobs=1)
    whole = completed(preset, Lane("newton_euler"), duration=20.0).lanes[0]
    assert accuracy_verdict(lane).is_accurate == accuracy_verdict(whole).is_accurate
    assert accuracy_verdict(lane).max_error == pytest.approx(accuracy_verdict(whole).max_error, rel=0.2)


def test_body_with_a_ring_is_checked() -> None:
    (lane,) = completed(qv.load_preset("ring_damper"), Lane("ring_damper"), duration=1.0)
    assert accuracy_verdict(lane).is_accurate
    assert 0.0 < accuracy_verdict(lane).max_error < 1e-6
    (coarse,) = completed(qv.load_preset("ring_damper"), Lane("ring_damper"), duration=1.0, dt=1e-3)
    assert accuracy_verdict(coarse).max_error > 5.0 * accuracy_verdict(lane).max_error


def test_extended_run_is_checked_to_its_new_end() -> None:
    preset = random_preset(3, True).with_run(duration=2.0, dt=0.02, sample_interval=0.02)
    run = completed(preset, Lane("newton_euler"))
    (lane,) = run
    first = accuracy_verdict(lane)
    run.extend(6.0)
    run.complete(jobs=1)
    assert lane.diagnostics.verdict is None
    assert accuracy_verdict(lane).times[-1] == pytest.approx(6.0)
    whole = completed(preset, Lane("newton_euler"), duration=6.0).lanes[0]
    assert accuracy_verdict(lane).max_error == pytest.approx(accuracy_verdict(whole).max_error, rel=0.2)
    assert first.max_error < accuracy_verdict(lane).max_error


def test_nan_orientations_count_as_an_error_of_half_a_turn() -> None:
    """An estimate of NaN was once accepted as accurate."""
    angles = np.array([1e-6, 1e-5, math.nan, 1e-5, 4.4e60])
    _, errors = estimated_errors(Comparison(np.arange(5.0), angles, np.full(5, 15.0)))
    assert errors[:2] == pytest.approx([1e-6 / 15.0, 1e-5 / 15.0])
    assert errors[2:].tolist() == [math.pi] * 3


# --- wrong motions without a warning


@pytest.mark.parametrize(("rate", "dt", "duration"), [(50.0, 1e-3, 1.0), (6.0, 1e-2, 4.0)])
def test_wrong_lanes_near_a_singularity_have_warnings(rate: float, dt: float, duration: float) -> None:
    """Of 40 starts, 4 ended `ok` with errors of 0.08 to 3.1 rad and without a warning."""
    judged = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        p, omega = random.normal(size=4), random.normal(size=3)
        preset = Preset(
            body=qv.Body(inertia=[1.0, 2.0, 2.6]),
            initial=qv.Initial(
                euler_parameters=p / np.linalg.norm(p), angular_velocity=rate * omega / np.linalg.norm(omega)
            ),
        ).with_run(dt=dt, sample_interval=0.01, duration=duration)
        lane, reference = completed(preset, Lane("euler_angles/321"), Lane("newton_euler"), dt=dt)
        if lane.status != "ok":
            continue
        judged += 1
        error = relative_angle(lane.p, reference.p).max()
        assert error < 0.05 or accuracy_verdict(lane).message, seed
        assert accuracy_verdict(reference).is_accurate
    assert judged > 10


def test_exponentially_diverging_motion_is_reported_as_chaotic() -> None:
    """Two lanes of this body were both rated accurate, but differed by 3.1416 rad."""
    preset = top(
        [0.1, 0.1, 0.1], [1.0, 2.0, 2.6], [0.2, 0.3, 0.5], dt=0.01, sample_interval=0.05, duration=6000.0
    )
    lanes = completed(preset, Lane("newton_euler"), Lane("hamilton"))
    for lane, verdict in zip(lanes, accuracy_verdicts(lanes.lanes, jobs=1), strict=True):
        assert not verdict.is_accurate
        assert verdict.separation_time is not None
        assert 1.0 < verdict.separation_time < 20.0
        assert 20.0 < verdict.accurate_until < 150.0
        assert f"{lane.name} is not accurate after t = " in verdict.message
        assert (
            "the motion is chaotic: the distance between neighboring motions grows by a factor of e every "
            in verdict.message
        )
        assert verdict.message.endswith(" s longer")
        assert verdict.max_error <= math.pi
        error = true_error(lane, preset)
        until = round(verdict.accurate_until / lane.interval)
        assert error[:until].max() < 3e-3
    assert relative_angle(lanes.lanes[0].p, lanes.lanes[1].p).max() > 1.0


@pytest.mark.parametrize(
    "preset",
    [
        top([3.0, 1.0, 2.0], [1.0, 1.0, 0.5], [0.0, 0.0, 0.5], dt=0.05, sample_interval=0.1, duration=300.0),
        Preset(
            body=qv.Body(inertia=[1.0, 2.0, 3.0]),
            initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[3.0, 1.0, 2.0]),
        ).with_run(dt=0.1, sample_interval=0.1, duration=300.0),
    ],
)
def test_accumulated_errors_of_regular_motion_are_not_chaotic(preset: Preset) -> None:
    (lane,) = completed(preset, Lane("newton_euler"))
    verdict = accuracy_verdict(lane)
    assert not verdict.is_accurate
    assert verdict.separation_time is None
    assert "Try dt = " in verdict.message


def test_sleeping_top_is_unstable_but_not_chaotic() -> None:
    preset = top(
        [1e-4, 0.0, 2.0], [1.0, 1.0, 0.5], [0.0, 0.0, 0.5], dt=0.01, sample_interval=0.05, duration=60.0
    )
    (lane,) = completed(preset, Lane("newton_euler"))
    assert (
        "the motion is unstable: the distance between neighboring motions grows"
        in accuracy_verdict(lane).message
    )


def test_growth_is_exponential_only_if_it_is_steady_and_fast() -> None:
    t = np.linspace(0.1, 100.0, 1000)
    divisors = np.ones(1000)
    exponential = exponential_growth(Comparison(t, 1e-12 * np.exp(t / 3.0), divisors))
    assert exponential == pytest.approx(3.0, rel=0.01)
    assert exponential_growth(Comparison(t, 1e-9 * t**4, divisors)) is None
    assert exponential_growth(Comparison(t, np.where(t < 80.0, 1e-9 * t, 0.9), divisors)) is None
    assert exponential_growth(Comparison(t[:3], 1e-12 * np.exp(t[:3]), divisors[:3])) is None


# --- what to try


@pytest.mark.parametrize(
    ("longest", "interval", "step"),
    [
        (0.0043, 0.01, 0.002),
        (0.0043, 0.05, 0.002),
        (0.3, 0.1, 0.1),
        (2.7e-5, 0.01, 2e-5),
        (0.05, 0.05, 0.05),
        (3.1e-9, 10.0, 2e-9),
    ],
)
def test_suggested_step_divides_the_sample_interval(longest: float, interval: float, step: float) -> None:
    proposed = fitting_step(longest, interval)
    assert proposed <= longest * (1.0 + 1e-9)
    assert interval / proposed == pytest.approx(round(interval / proposed))
    assert proposed == pytest.approx(step)


@pytest.mark.parametrize("method", ["rk4", "heun", "euler"])
def test_suggested_step_makes_the_lane_accurate(method: str) -> None:
    start = 0.2 if method == "rk4" else 0.02
    preset = random_preset(3, True).with_run(duration=10.0, dt=start, sample_interval=0.2)
    (lane,) = completed(preset, Lane("lie_group", integrator=method))
    message = accuracy_verdict(lane).message
    assert "Try dt = " in message, message
    assert ("higher order" in message) == (method != "rk4")
    dt = float(message.split("dt = ")[1].split(" s")[0])
    (again,) = completed(preset, Lane("lie_group", integrator=method), dt=dt)
    assert accuracy_verdict(again).is_accurate
    assert true_error(again, preset).max() < 1e-3


def test_other_coordinates_are_suggested_near_a_singularity() -> None:
    preset = random_preset(3, True).with_run(dt=1e-2, duration=6.0, sample_interval=0.05)
    (lane,) = completed(preset, Lane("euler_angles/313", integrator="heun"))
    assert "near the singularity of the coordinates (det S = 0.16). " in accuracy_verdict(lane).message
    assert "Try other coordinates, or dt = 0.002 s" in accuracy_verdict(lane).message


def test_adaptive_lane_gets_a_suggested_tolerance() -> None:
    preset = random_preset(3, True).with_run(dt=0.02, duration=60.0, sample_interval=0.02)
    (lane,) = completed(preset, Lane("newton_euler", integrator="dop853", rtol=1e-4, atol=1e-4))
    message = accuracy_verdict(lane).message
    assert "Try rtol = " in message
    assert "dt" not in message


def test_messages_about_tolerances_do_not_mention_steps() -> None:
    preset = top(
        [3.0, 1.0, 2.0], [1.0, 2.0, 2.6], [0.2, 0.3, 0.5], dt=0.02, sample_interval=200.0, duration=400.0
    )
    (lane,) = completed(preset, Lane("newton_euler", integrator="dop853", rtol=1e-4, atol=1e-4))
    message = accuracy_verdict(lane).message
    assert "the result changes with larger tolerances, so its error is unknown" in message
    assert "steps" not in message


@pytest.mark.parametrize(
    ("lane", "dt", "is_accurate", "remedy"),
    [
        (Lane("newton_euler"), 0.05, False, "Try a stabilization, or dt = "),
        (Lane("newton_euler", stabilisation="renormalise"), 0.05, False, "Try dt = "),
        (Lane("newton_euler"), 0.001, True, ""),
    ],
)
def test_top_with_long_steps_is_complete_but_inaccurate(
    lane: Lane, dt: float, is_accurate: bool, remedy: str
) -> None:
    (made,) = completed(qv.load_preset("heavy_top"), lane, dt=dt, sample_interval=0.05, duration=5.0)
    assert made.status == "ok"
    assert made.diagnostics.status_text == "", "nothing is known before it is asked for"
    verdict = accuracy_verdict(made)
    assert verdict.is_accurate == is_accurate, verdict.message
    assert remedy in verdict.message
    assert made.diagnostics.status_text.replace("Newton–Euler", "newton_euler") == verdict.message
    assert not made.message, "a script reads what ended it"


def test_no_step_is_suggested_if_it_is_not_the_cause() -> None:
    """The equations off the sphere drift however short the steps are."""
    run = Simulation(qv.load_preset("off_the_sphere"))
    run.complete(jobs=1)
    for verdict in accuracy_verdicts(run.lanes, jobs=1):
        assert "dt" not in verdict.message


# --- lanes that are not checked by their steps


def test_intentionally_wrong_equations_are_reported() -> None:
    (lane,) = completed(qv.load_preset("unconstrained"), Lane("udwadia_schutte_unconstrained"), duration=3.0)
    verdict = accuracy_verdict(lane)
    assert not verdict.is_accurate
    assert "does not follow the body: its equations are shown for comparison" in verdict.message
    assert lane.diagnostics.status_text == ""
    assert verdict.message in lane.diagnostics.all_remarks


def test_closed_forms_and_early_ends_are_not_checked() -> None:
    (singular,) = completed(qv.load_preset("gimbal_lock"), Lane("euler_angles/321"))
    (exact,) = completed(qv.load_preset("torque_free"), Lane("exact"))
    assert accuracy_verdict(exact).is_accurate
    assert accuracy_verdict(exact).accurate_until == exact.computed_to
    assert accuracy_verdict(singular).message == singular.message != ""
    assert math.isnan(accuracy_verdict(singular).accurate_until), "nothing was compared"


def recorded(scale: float, turn_signs: list[float], noise: float = 0.0, more: float = 0.0) -> LaneRun:
    """Lane of a recording whose rates are `scale` times those of its attitudes, and whose components have these signs."""
    source = completed(
        random_preset(1, False), Lane("newton_euler"), dt=1e-3, duration=5.0, sample_interval=0.02
    )
    motion = source.lanes[0].motion()
    random = np.random.default_rng(0)
    omega = scale * motion.omega * turn_signs + noise * random.normal(size=motion.omega.shape)
    p = motion.p + noise * 0.01 * random.normal(size=motion.p.shape)
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    recording = qv.Recording(motion.t, p=p, omega=omega)
    preset = source.preset.with_run(lanes=[Lane("recording", recording=recording)], duration=5.0 + more)
    run = Simulation(preset)
    run.complete(jobs=1)
    return run.lanes[0]


@pytest.mark.parametrize(
    ("scale", "signs", "message"),
    [
        (1.0, [1, 1, 1], ""),
        (180.0 / math.pi, [1, 1, 1], "its unit is degrees per second"),
        (math.pi / 180.0, [1, 1, 1], "it was converted to rad/s twice"),
        (2.0, [1, 1, 1], "is 2 times the rate of the recorded attitude"),
        (-1.0, [1, 1, 1], "does not agree with the recorded attitude"),
        (1.0, [1, -1, -1], "does not agree with the recorded attitude"),
    ],
)
def test_inconsistent_rates_of_a_recording_are_reported(
    scale: float, signs: list[float], message: str
) -> None:
    verdict = accuracy_verdict(recorded(scale, signs))
    assert verdict.is_accurate == (message == "")
    assert message in verdict.message
    assert "dt" not in verdict.message


def test_short_recording_is_checked() -> None:
    verdict = accuracy_verdict(recorded(180.0 / math.pi, [1, 1, 1], more=2.0))
    assert "its unit is degrees per second" in verdict.message
    assert "ends at" in accuracy_verdict(recorded(1.0, [1, 1, 1], more=2.0)).message


def fast_recording(rate: float, scale: float, every: int, interval: float) -> LaneRun:
    """Lane of a body that spins with `rate` [rad/s] and wobbles, recorded each 1 ms times `every`, shown each `interval` [s]."""
    preset = Preset(
        body=qv.Body(inertia=[1.0, 1.0, 1.9]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.05 * rate, 0.0, rate]),
    )
    source = completed(preset, Lane("exact"), duration=20.0, dt=1e-3, sample_interval=1e-3).lanes[0].motion()
    recording = qv.Recording(source.t[::every], p=source.p[::every], omega=scale * source.omega[::every])
    lane = Lane("recording", recording=recording)
    return completed(preset, lane, duration=18.0, dt=interval, sample_interval=interval).lanes[0]


@pytest.mark.parametrize(
    ("every", "interval"), [(10, 0.1), (10, 0.3), (10, 0.01), (100, 0.1), (300, 0.3), (100, 0.2)]
)
def test_fast_recording_is_not_a_mismatch(every: int, interval: float) -> None:
    """It turns by 5 or 15 rad between samples of the lane or of the recording."""
    lane = fast_recording(50.0, 1.0, every, interval)
    verdict = accuracy_verdict(lane)
    assert verdict.message == ""
    assert verdict.is_accurate
    is_left_out = "the angular velocity was not compared with the attitude" in " ".join(
        lane.diagnostics.all_remarks
    )
    assert is_left_out == (every > 10)


def test_inconsistent_rates_of_a_fast_body_are_reported() -> None:
    """Both for few samples of the lane and for few samples of the recording."""
    for scale, message in (
        (180.0 / math.pi, "its unit is degrees per second"),
        (0.5, "0.5 times"),
        (-1.0, "not agree"),
    ):
        assert message in accuracy_verdict(fast_recording(50.0, scale, 10, 0.1)).message
    assert (
        "converted to rad/s twice" in accuracy_verdict(fast_recording(5.0, math.pi / 180.0, 100, 0.1)).message
    )
    assert "degrees per second" in accuracy_verdict(fast_recording(5.0, 180.0 / math.pi, 100, 0.1)).message


def test_recording_noise_is_not_a_mismatch() -> None:
    assert accuracy_verdict(recorded(1.0, [1, 1, 1], noise=0.05)).is_accurate


# --- code of a user


class Scripted(Gravity):
    """A weight that a run treats as user code."""


def scripted_lane() -> LaneRun:
    preset = qv.load_preset("heavy_top")
    (weight,) = preset.loads
    assert isinstance(weight, Gravity)
    own = replace(preset, loads=(Scripted(weight=weight.weight, centre=weight.centre),))
    return completed(own, Lane("newton_euler"), dt=0.05, sample_interval=0.05, duration=5.0).lanes[0]


def test_lane_has_user_code_if_any_segment_has() -> None:
    """The check runs after the run, when the lane may be in another segment."""
    (weight,) = scripted_lane().problem.preset.loads
    change = qv.ChangeModel(at=1.0, loads=[])
    preset = replace(qv.load_preset("heavy_top"), loads=(weight,), events=(change,))
    lane = completed(preset, Lane("newton_euler"), dt=0.05, sample_interval=0.05, duration=5.0).lanes[0]
    assert lane.problem.contains_user_code
    without_loads = replace(preset, loads=())
    assert (
        not completed(without_loads, Lane("newton_euler"), dt=0.05, sample_interval=0.05, duration=2.0)
        .lanes[0]
        .problem.contains_user_code
    )


def test_window_checks_user_code_only_if_cheap() -> None:
    lane = scripted_lane()
    assert lane.problem.contains_user_code
    lane.solver.seconds = 2.0 * CHEAP_SECONDS
    assert not advance_checks([lane])
    assert lane.diagnostics.verdict is None
    lane.solver.seconds = 0.5 * CHEAP_SECONDS
    while advance_checks([lane]):
        pass
    assert lane.diagnostics.verdict is not None
    assert not lane.diagnostics.verdict.is_accurate
    expensive = scripted_lane()
    expensive.seconds = 2.0 * CHEAP_SECONDS
    assert accuracy_verdict(expensive).message == lane.diagnostics.verdict.message


def test_failing_user_code_leaves_the_accuracy_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lane = scripted_lane()

    def fail(self: CoarseRerun, max_steps: int) -> None:
        raise ZeroDivisionError("of a script")

    monkeypatch.setattr(CoarseRerun, "advance", fail)
    verdict = accuracy_verdict(lane)
    assert not verdict.is_accurate
    assert "could not be computed a second time" in verdict.message
    assert "of a script" in verdict.message


# --- other warnings


@pytest.mark.parametrize(("interval", "turn"), [(0.1, "5 rad"), (0.02, "")])
def test_undersampled_rotation_is_reported(interval: float, turn: str) -> None:
    """The unwrapped angles once had the wrong sign without a warning."""
    preset = qv.load_preset("heavy_top").with_run(
        lanes=["newton_euler"], duration=1.0, sample_interval=interval
    )
    run = Simulation(preset)
    assert run.lanes[0].diagnostics.all_remarks == ()
    run.complete(jobs=1)
    remarks = " ".join(map(tr, run.lanes[0].diagnostics.all_remarks))
    assert turn in remarks
    assert ("a sample interval of 0.02 s" in remarks) == bool(turn)


INACCURATE_LANES = {
    "drift": {"Not stabilized"},
    "game_engines": {"No gyroscopic term", "Explicit", "Implicit (Catto)", "Clamped momentum (Jolt)"},
    "off_the_sphere": {"Augmented system", "Closed form"},
    "ring_damper": {"ring_damper_as_printed"},
    "ring_damper_gravity": {"ring_damper_as_printed"},
    "round_trip": {"p and p′, 0.1 s"},
    "simo_wong_heavy_top": {"Simo–Wong"},
    "stiff_top": {"Runge–Kutta 4", "Implicit midpoint", "RATTLE (index 3)"},
    "unconstrained": {"Unconstrained, J₀ = 1", "Consistent, J₀ = 1", "Unconstrained, J₀ = 20"},
    "wrong_and_cheap": {
        "No gyroscopic term", "Wrong sign", "Rate in the wrong frame", "Euler", "Semi-implicit Euler",
        "Euler, normalized", "Frozen rate",
    },
}  # fmt: skip
"""Lanes of the shipped presets that are wrong on purpose, which a fine run confirms."""


@pytest.mark.parametrize("name", sorted(qv.presets()))
def test_only_wrong_lanes_of_shipped_presets_have_warnings(name: str) -> None:
    run = Simulation(qv.load_preset(name))
    run.complete(jobs=1)
    accuracy_verdicts(run.lanes, jobs=1)
    warned = {
        lane.name
        for lane in run
        if lane.status == "ok" and lane.diagnostics.verdict and lane.diagnostics.verdict.message
    }
    assert warned == INACCURATE_LANES.get(name, set())
    form = "newton_euler" if run.preset.body.ring is None else "ring_damper"
    references: dict[tuple[int, ...], np.ndarray] = {}
    for lane, spec in zip(run, run.preset.lanes, strict=True):
        if lane.status == "ok" and not lane.formulation.is_recorded:
            key = tuple(map(id, spec.loads))  # lanes with the same loads have the same motion
            if key not in references:
                fine = Lane(form, integrator="dop853", rtol=1e-13, atol=1e-13, loads=spec.loads)
                references[key] = completed(run.preset, fine, dt=run.interval).lanes[0].p
            error = relative_angle(lane.p, references[key][: lane.samples]).max()
            assert (error > 1e-3) == (lane.name in warned), (lane.name, error)


# --- lanes that end because numbers overflow


@pytest.mark.parametrize(
    ("load", "omega", "dt", "is_motion"),
    [
        (qv.Damping(coefficient="-0.5+0*t"), [0.1, 0.2, 1.0], 0.01, True),
        (qv.Torque(torque=[50.0, 20.0, 10.0]), [0.0, 0.0, 0.0], 0.01, True),
        (qv.Damping(coefficient=0.5), [3.0, 200.0, 1.0], 0.05, False),
    ],
)
def test_shorter_step_is_suggested_only_for_step_instability(
    load: Load, omega: list[float], dt: float, is_motion: bool
) -> None:
    preset = Preset(
        body=qv.Body(inertia=[1.0, 2.0, 2.6]),
        loads=[load],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=omega),
    )
    (lane,) = completed(preset, Lane("newton_euler"), dt=dt, sample_interval=0.05, duration=100.0)
    assert lane.status == "not_finite"
    assert ("the motion itself grew without bound" in lane.message) == is_motion
    assert ("Try a smaller dt than" in lane.message) != is_motion


@pytest.mark.parametrize("start", [1.0, 1.003, 1.0077])
def test_error_across_a_load_jump_is_not_underestimated(start: float) -> None:
    """The error is of first order in dt; an estimate for fourth order is 14 times too small."""
    torque = [f"min(1, max(0, 1e7*(t - {start})))", 0.5, 0.0]
    preset = replace(qv.load_preset("torque_free"), loads=[qv.Torque(torque=torque)])
    coarse, fine = (
        completed(preset, Lane("newton_euler"), dt=dt, sample_interval=0.02, duration=4.0).lanes[0]
        for dt in (0.01, 2e-5)
    )
    error = relative_angle(coarse.p, fine.p).max()
    assert 0.8 * error < accuracy_verdict(coarse).max_error < 20.0 * error
