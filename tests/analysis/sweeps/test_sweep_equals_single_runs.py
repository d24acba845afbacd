"""A sweep of n points equals n single runs in status, reason and numbers, side by side or not."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.batches import MIN_BATCHED_POINTS, BatchPlanner
from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.analysis.sweeps.engine import BatchOutcome, BatchStepper, loop_of, run_lane
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.simulation.simulation import Simulation

MEASURES = ("flips", "first_flip", "end")
SIZES = (1, 2, MIN_BATCHED_POINTS - 1, MIN_BATCHED_POINTS, MIN_BATCHED_POINTS + 1, 1000)
COMPARED = 40
"""Points of a sweep that are computed alone as well: the last, and some of the others."""
FORMS = tuple(
    name
    for name in FORMULATIONS
    if not (make_formulation(name).has_closed_form or FORMULATIONS[name].carries_ring)
)
QUICK_FORMS = (
    "newton_euler",
    "euler_angles",
    "reduced_euler_parameters",
    "modified_rodrigues",
    "lagrange_full",
)

FORM_CASES = [
    form if form in QUICK_FORMS else pytest.param(form, marks=pytest.mark.slow)
    for form in sorted(FORMS, key=lambda form: form not in QUICK_FORMS)
]


def preset_of(loads: tuple[Any, ...] = ()) -> Preset:
    return qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(rotation_vector=[0.2, 0.1, -0.3], angular_velocity=[0.3, 1.0, 2.0]),
        loads=loads,
    )


def alone(plan: SweepPlan, values: np.ndarray) -> BatchOutcome:
    with np.errstate(all="ignore"):
        return run_lane(plan.preset, Simulation(plan.preset_at(values, 0)), plan.measure_classes)


def compare(plan: SweepPlan) -> np.ndarray:
    """Compare points of a sweep with single runs, and return all statuses."""
    results = run_chunk(plan, 0, plan.point_count)
    values = plan.values_at(plan.grid_indices(0, plan.point_count))
    for index in np.unique(np.linspace(0, plan.point_count - 1, COMPARED).astype(int)).tolist():
        single = alone(plan, values[index])
        assert results["status"][0, index] == single.status[0], (values[index], single.reasons)
        assert results["reason"][0, index] == single.reasons.get(0, "")
        np.testing.assert_array_equal(results["ended"][0, index], single.ended[0])
        for measure in plan.measures:
            np.testing.assert_array_equal(results[measure][0, index], single.measured[measure][0])
    if BatchPlanner(plan, 0).can_batch:
        for index in range(0, plan.point_count, max(plan.point_count // 3, 1)):
            compare_states(plan, values[index])
    return results["status"][0]


def compare_states(plan: SweepPlan, values: np.ndarray) -> None:
    """Compare attitude and rate at every sample of a point in a batch with those of its lane."""
    run = Simulation(plan.preset_at(values, 0))
    run.complete(jobs=1)
    motion = run.lanes[0].motion()
    (batch,), _ = BatchPlanner(plan, 0).make_batches(np.stack([values, values * 1.01]))
    stepper = BatchStepper(loop_of(batch), slice(0, 2))
    while stepper.remaining:
        with np.errstate(all="ignore"):
            first, rows = stepper.advance()
        p, omega = stepper.observe(rows)
        count = min(p.shape[1], run.lanes[0].samples - first)
        np.testing.assert_array_equal(p[:, :count, 0].T, motion.p[first : first + count])
        np.testing.assert_array_equal(omega[:, :count, 0].T, motion.omega[first : first + count])


def plan_of(form: str, count: int, preset: Preset, **settings: Any) -> SweepPlan:
    over = {"initial.angular_velocity[1]": qv.Axis.linear(1.0, 12.0, count)} if count > 1 else {
        "initial.angular_velocity[1]": [12.0]
    }  # fmt: skip
    settings = {"dt": 1e-2, "sample_interval": 2e-2, "duration": 1.0, **settings}
    return SweepPlan.create(preset, over, lanes=form, measure=MEASURES, **settings)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("form", FORM_CASES)
def test_sweep_equals_single_runs(form: str, count: int) -> None:
    plan = plan_of(form, count, preset_of())
    assert BatchPlanner(plan, 0).can_batch == (count >= MIN_BATCHED_POINTS)
    statuses = compare(plan)
    if form == "euler_angles" and count > 2:
        assert {STATUSES[status] for status in statuses} == {"ok", "singular"}


@pytest.mark.parametrize("form", QUICK_FORMS)
def test_sweep_with_loads_equals_single_runs(form: str) -> None:
    loads = (
        qv.Torque(torque=["3*sin(2*t)", "1.0", 0.5]),
        qv.Gravity(weight=4.0, centre=[0.1, 0.0, 0.3]),
    )
    compare(plan_of(form, 70, preset_of(loads)))


ROTOR_SWEEPS: dict[str, dict[str, Any]] = {
    "body.rotors[0].speed": {"friction": 0.02},
    "body.rotors[0].inertia": {"law": "constant_speed", "speed": 9.0},
    "body.rotors[0].momentum": {"law": "constant_momentum", "momentum": 1.0},
    "body.rotors[0].max_torque": {"law": "motor", "torque": "3*sin(2*t)", "max_torque": 2.0},
    "body.rotors[0].max_speed": {"law": "motor", "torque": 2.0, "max_speed": 5.0},
    "body.rotors[0].friction": {"law": "attitude_control", "stiffness": 3.0, "damping": 1.0},
    "initial.angular_momentum[1]": {"law": "attitude_control", "stiffness": 3.0, "max_torque": 1.0},
}
"""Swept numbers of bodies with rotors, and parameters of the rotors."""


@pytest.mark.parametrize("address", ROTOR_SWEEPS)
def test_sweep_with_rotors_equals_single_runs(address: str) -> None:
    axes = ([1.0, 0.2, 0.0], [0.0, 0.1, 1.0])
    parameters: dict[str, Any] = {"inertia": 0.1, **ROTOR_SWEEPS[address]}
    rotors = [qv.Rotor(axis=axis, **parameters) for axis in axes]
    preset = preset_of((qv.Gravity(weight=4.0, centre=[0.1, 0.0, 0.3]),))
    preset = replace(preset, body=qv.Body(inertia=[1.0, 2.0, 2.5], rotors=rotors))
    if address.startswith("initial"):
        initial = replace(preset.initial, angular_velocity=None, angular_momentum=[0.3, 2.0, 5.0])
        preset = replace(preset, initial=initial)
    for form in ("newton_euler", "euler_angles/321") if "speed" in address else ("hamilton",):
        plan = SweepPlan.create(
            preset, {address: qv.Axis.linear(0.05, 0.5, 70)}, lanes=form,
            measure=("flips", "first_flip", "end", "period"),
            dt=1e-2, sample_interval=2e-2, duration=2.0,
        )  # fmt: skip
        assert BatchPlanner(plan, 0).can_batch
        compare(plan)


def test_rotors_are_advanced_in_packs() -> None:
    """Whatever law: a kernel that compares numbers of a single body would be computed run by run."""
    rotors = [
        qv.Rotor(axis=[0.0, 0.0, 1.0], inertia=0.1, law="attitude_control", stiffness=1.0, max_speed=5.0)
    ]
    preset = replace(preset_of(), body=qv.Body(inertia=[1.0, 2.0, 2.5], rotors=rotors))
    plan = SweepPlan.create(
        preset, {"body.rotors[0].damping": qv.Axis.linear(0.1, 2.0, 70)}, lanes="newton_euler", measure="end",
        dt=1e-2, sample_interval=2e-2, duration=0.2,
    )  # fmt: skip
    planner = BatchPlanner(plan, 0)
    assert planner.can_batch
    (batch,), _ = planner.make_batches(plan.values_at(plan.grid_indices(0, 70)))
    assert len(batch.point_indices) == 70
    assert loop_of(batch).is_packed


def test_sweep_with_events_equals_single_runs() -> None:
    events = (qv.Kick(at=0.3, impulse=[1.0, 2.0, -8.0]),)
    preset = replace(preset_of(), events=events)
    statuses = compare(plan_of("euler_angles", 70, preset))
    assert {STATUSES[status] for status in statuses} == {"ok", "singular"}


def test_first_points_do_not_depend_on_later_points() -> None:
    values = np.linspace(1.0, 12.0, 65)
    results: list[dict[float, tuple[Any, ...]]] = []
    for count in (63, 64, 65):
        over = {"initial.angular_velocity[1]": values[:count].tolist()}
        plan = SweepPlan.create(
            preset_of(),
            over,
            lanes="euler_angles/321",
            measure="end",
            dt=1e-2,
            sample_interval=2e-2,
            duration=2.0,
        )
        arrays = run_chunk(plan, 0, count)
        points = plan.values_at(plan.grid_indices(0, count))[:, 0].tolist()
        results.append(
            {
                point: tuple(str(array[0, index]) for array in arrays.values())
                for index, point in enumerate(points)
            }
        )
    assert len({result[0] for result in results[0].values()}) == 2
    for other in results[1:]:
        assert {point: other[point] for point in results[0]} == results[0]


def test_rounded_preset_steps_are_equal_in_a_sweep() -> None:
    """A step of 3.33333 ms fits three times into 10 ms; both kinds of run take a third of the interval."""
    compare(plan_of("newton_euler", 64, preset_of(), dt=3.333333333e-3, sample_interval=1e-2))


@pytest.mark.parametrize("form", ["newton_euler", "hamilton", "euler_angles/321", "modified_rodrigues"])
def test_overflowing_sweep_ends_like_single_runs(form: str) -> None:
    plan = SweepPlan.create(
        preset_of(),
        {"initial.angular_velocity[1]": qv.Axis.linear(1.0, 3000.0, 64)},
        lanes=form, integrator="euler", measure=("flips", "end"), dt=1e-2, sample_interval=2e-2, duration=2.0,
    )  # fmt: skip
    assert {STATUSES[status] for status in compare(plan)} >= {
        "ok",
        "singular" if "angles" in form else "not_finite",
    }


@pytest.mark.parametrize("form", ["newton_euler", "hamilton", "modified_rodrigues"])
def test_diverging_sweep_ends_for_the_reason_of_single_runs(form: str) -> None:
    """Negative damping: the motion itself grows beyond all bounds, and no step helps."""
    preset = preset_of((qv.Damping(coefficient="-0.8+0*t"),))
    plan = plan_of(form, 64, preset, duration=60.0)
    assert BatchPlanner(plan, 0).can_batch
    assert {STATUSES[status] for status in compare(plan)} == {"not_finite"}
    reasons = run_chunk(plan, 0, 64)["reason"][0]
    assert any("the motion itself grew without bound" in reason for reason in reasons)
