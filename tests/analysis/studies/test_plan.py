"""The plan of a study: combinations of lanes, integrators and steps."""

import math

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.studies.plan import StudyPlan, common_multiple
from quatviz.analysis.studies.reference import find_reference
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.rk4 import RK4


@pytest.fixture
def preset() -> Preset:
    return qv.load_preset("torque_free")


def test_default_steps_are_halved(preset: Preset) -> None:
    plan = StudyPlan.create(preset)
    assert plan.steps == (0.1, 0.05, 0.025, 0.0125, 0.00625, 0.003125)
    assert [case.name for case in plan.cases[:2]] == ["newton_euler", "hamilton"]
    assert [case.dt for case in plan.cases] == sorted((case.dt for case in plan.cases), reverse=True)
    assert (plan.interval, plan.duration, plan.samples) == (0.1, 40.0, 401)


def test_lanes_that_differ_only_in_step_are_merged(preset: Preset) -> None:
    lanes: list[Lane | str] = [
        Lane("hamilton", dt=1e-3),
        "hamilton,dt=1e-2",
        Lane("hamilton", stabilisation="project"),
    ]
    plan = StudyPlan.create(preset, lanes=lanes, steps=2)
    assert [lane.name for lane in plan.lanes] == ["hamilton", "hamilton, project"]
    assert len(plan.cases) == 4


def test_steps_divide_the_interval_with_few_samples(preset: Preset) -> None:
    plan = StudyPlan.create(preset, steps=[3e-3, 2e-3, 1e-3], duration=30.0)
    assert plan.samples <= 1001
    for dt in plan.steps:
        assert plan.interval / dt == pytest.approx(round(plan.interval / dt), abs=1e-9)
    assert plan.duration / plan.interval == pytest.approx(round(plan.duration / plan.interval), abs=1e-9)
    assert plan.duration == pytest.approx(30.0, abs=plan.interval)


def test_steps_without_a_common_multiple_within_the_run_are_refused(preset: Preset) -> None:
    assert common_multiple([0.1, 0.03]) == pytest.approx(0.3)
    assert (common_multiple([0.1, 0.1 / math.pi]) or math.inf) > 1000
    assert common_multiple([0.1, 1e-8]) == pytest.approx(0.1)
    for steps in ([0.1, 0.1 / math.pi], [30.0, 17.0], [-1.0], [math.nan], []):
        with pytest.raises(qv.InputError) as refused:
            StudyPlan.create(preset, steps=steps)
        assert refused.value.key == "steps"
    with pytest.raises(qv.InputError, match="1 to 30"):
        StudyPlan.create(preset, steps=0)


def test_unknown_names_are_refused_and_invalid_pairs_listed(preset: Preset) -> None:
    for given in ({"lanes": ["hamiltom"]}, {"integrators": ["rk5"]}):
        with pytest.raises(qv.InputError):
            StudyPlan.create(preset, **given)  # type: ignore[arg-type]
    plan = StudyPlan.create(preset, lanes=["hamilton", "ring_damper"])
    assert {case.name for case in plan.cases} == {"hamilton"}
    (refused,) = plan.refused
    assert (refused.lane, refused.integrator) == ("ring_damper", "rk4")
    assert "ring" in refused.reason


def test_lanes_without_integrator_use_every_integrator(
    preset: Preset, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Adaptive(RK4):
        """The same method under another name, declared as adaptive."""

        name = "adaptive"
        fixed_step = False

    monkeypatch.setitem(INTEGRATORS.entries(), "adaptive", Adaptive)
    lanes = ["newton_euler", "hamilton", "lie_group,integrator=rk4"]
    plan = StudyPlan.create(preset, lanes=lanes, integrators=["rk4", "adaptive"], steps=3)
    assert {case.curve for case in plan.cases} == {
        ("newton_euler", "rk4"),
        ("newton_euler", "adaptive"),
        ("hamilton", "rk4"),
        ("hamilton", "adaptive"),
        ("lie_group", "rk4"),
    }
    # Adaptive methods ignore the step.
    assert [case.dt for case in plan.cases if case.curve == ("hamilton", "adaptive")] == [plan.steps[-1]]
    assert len(plan.cases) == 3 * 3 + 2
    assert plan.integrators == ("rk4", "adaptive")
    assert [lane.name for lane in plan.lanes] == ["newton_euler", "hamilton", "lie_group"]


def test_every_integrator_is_run_or_refused(preset: Preset) -> None:
    plan = StudyPlan.create(preset, lanes=["newton_euler"], integrators=list(INTEGRATORS), steps=2)
    assert {case.integrator for case in plan.cases} | {refused.integrator for refused in plan.refused} == set(
        INTEGRATORS
    )
    assert all(refused.reason for refused in plan.refused)


def test_reference_is_exact_with_a_closed_form(preset: Preset) -> None:
    reference = find_reference(StudyPlan.create(preset, steps=[0.1, 0.05], duration=2.0))
    assert reference.method == (
        "exact solution" if "exact" in FORMULATIONS else "Newton–Euler, Runge–Kutta 4, dt = 0.0125 s"
    )
    assert reference.p.shape == (21, 4)
    assert reference.levels["orientation"] < 1e-9


@pytest.mark.parametrize("steps", ["x", ["x"], [True], [None], [math.nan], []])
def test_invalid_steps_are_refused(preset: Preset, steps: object) -> None:
    with pytest.raises(qv.InputError, match="above 0 s"):
        StudyPlan.create(preset, steps=steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(("duration", "steps"), [(1e50, 2), (1e14, [0.1, 0.05])])
def test_too_many_steps_are_refused(preset: Preset, duration: float, steps: int | list[float]) -> None:
    with pytest.raises(qv.InputError, match="at most 1e\\+13 steps in a run") as caught:
        StudyPlan.create(preset, steps=steps, duration=duration)
    assert caught.value.key == "duration"


@pytest.mark.parametrize("duration", [0, -1.0, math.nan, math.inf, "x"])
def test_invalid_duration_is_refused(preset: Preset, duration: object) -> None:
    with pytest.raises(qv.InputError) as caught:
        StudyPlan.create(preset, steps=[0.01, 0.005], duration=duration)  # type: ignore[arg-type]
    assert caught.value.key == "duration"


def test_step_count_may_be_a_numpy_integer(preset: Preset) -> None:
    assert StudyPlan.create(preset, steps=np.int64(3)).steps == StudyPlan.create(preset, steps=3).steps  # type: ignore[arg-type]
