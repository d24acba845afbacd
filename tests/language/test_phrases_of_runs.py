"""Every word of messages of lanes, events, parameters and studies can be translated. See `test_phrases`."""

import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from translators import make_event, make_load, translated_parts, untranslated_words, uppercase_translation  # noqa: F401

import quatviz as qv
from quatviz.analysis.studies.files import StudyResult
from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.tables import failure_lines
from quatviz.base.errors import InputError, Phrase, join_phrases, phrase
from quatviz.base.parameters import Parameter, coerce, parameters_of
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, RunSettings
from quatviz.files.preset_files import preset_paths
from quatviz.physics.events import EVENTS
from quatviz.physics.exact import NoClosedForm, solution_classes, solve
from quatviz.physics.exact.base import ExactProblem
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels import cache as kernel_cache
from quatviz.physics.loads import LOADS, bind, undefined_value_message
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Angles, Initial
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.state import EULER_PARAMETERS
from quatviz.simulation.end_reasons import end_message, overflow_message
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.model import LessonCheck, Question, Scene
from quatviz.teaching.lessons.parsing import LessonHeader

DECLARING = (
    Angles, Body, LessonCheck, LessonHeader, Initial, Lane, Question, Ring, RunSettings, Scene, *LOADS.values(), *EVENTS.values(),
)  # fmt: skip
FIELDS = [(cls, name) for cls in DECLARING for name in parameters_of(cls)]
LANES = [f"{name}/{variant}" for name, family in FORMULATIONS.items() for variant in family.variants or ("",)]
PRESETS = Path(__file__).resolve().parents[2] / "presets"


def invalid_value(declaration: Parameter) -> Any:
    return 3 if declaration.value_type is str else [[1.0], [2.0]]


@pytest.mark.parametrize(("cls", "name"), FIELDS, ids=[f"{cls.__name__}.{name}" for cls, name in FIELDS])
def test_error_of_every_parameter_is_translated(cls: type, name: str, uppercase_translation: None) -> None:
    declaration = parameters_of(cls)[name]
    with pytest.raises(InputError) as caught:
        coerce(declaration, invalid_value(declaration))
    parts = translated_parts(caught.value)
    del parts["place"]
    assert not [word for text in parts.values() for word in untranslated_words(text)], parts
    assert parts["remedy"].startswith(("WRITE", "GIVE"))


@pytest.mark.parametrize("lane", LANES)
def test_singularity_message_is_translated(lane: str, uppercase_translation: None) -> None:
    form = make_formulation(lane.rstrip("/"))
    state = np.full(len(form.component_names), 0.3)
    for measure in (0.0, 1e-3):
        text = tr(
            end_message("lane", 1.0, form.explain_singularity(state * (1.0 if measure else 1e4), measure))
        )
        assert not untranslated_words(text, ("lane",)), text
    title = form.singularity_title
    assert not untranslated_words(tr(overflow_message(1e-3, title, 0.1)))


def test_singularity_message_names_other_formulations_by_title() -> None:
    for lane in LANES:
        form = make_formulation(lane.rstrip("/"))
        text = tr(form.explain_singularity(np.full(len(form.component_names), 0.3), 1e-3))
        assert not [name for name in FORMULATIONS if "_" in name and name in text], text
    assert FORMULATIONS["lie_group"].title in tr(
        make_formulation("rotation_vector").explain_singularity(np.ones(6), 1e-3)
    )


def test_step_failure_message_is_translated(uppercase_translation: None) -> None:
    for integrator in INTEGRATORS.values():
        assert not untranslated_words(tr(end_message("lane", 1.0, integrator().explain_failure())), ("lane",))


def test_reasons_without_a_closed_form_are_translated(uppercase_translation: None) -> None:
    for path in preset_paths(PRESETS).values():
        preset = qv.load_preset(path)
        problem = ExactProblem(
            preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body)
        )
        for solution_class in solution_classes():
            reason = tr(solution_class.unsupported_reason(problem))
            assert not untranslated_words(reason), reason
        if (
            all(solution_class.unsupported_reason(problem) for solution_class in solution_classes())
            or preset.body.ring
        ):
            with pytest.raises(NoClosedForm) as caught:
                solve(preset.body, preset.loads, problem.p, problem.omega)
            assert not untranslated_words(tr(caught.value.args[0]))


SAMPLE_EVENTS = [
    *(event_class(at=1.0) for event_class in EVENTS.values()),
    make_event("kick", at=3.0, impulse=(0, 0, 1), frame="body"),
    make_event("place", at=3.0, euler_parameters=(1, 0, 0, 0), angular_velocity=(0, 0, 1)),
    make_event("change", at=3.0, loads=[], dt=0.1),
    make_event("perturb", at=3.0, length=2.0, rate=-1.0),
    make_event("lane_change", at=3.0, lane="hamilton", dt=0.01, stabilisation="project"),
]


@pytest.mark.parametrize("event", SAMPLE_EVENTS, ids=lambda event: event.name)
def test_event_reports_are_translated(event: Any, uppercase_translation: None) -> None:
    kept = ("hamilton", "project", "loads")
    assert not untranslated_words(tr(event.summary), kept), event.summary
    for blocks in ((), (EULER_PARAMETERS,), make_formulation("newton_euler").blocks):
        assert not untranslated_words(tr(event.no_effect_reason(blocks)))
    for offer in type(event).templates:
        assert not untranslated_words(tr(offer.label))


def test_remarks_of_a_run_are_translated(uppercase_translation: None) -> None:
    preset = qv.load_preset("torque_free")
    initial = replace(preset.initial, velocity=np.array([0.0, 0.0, 1.0]))
    spring = make_load("guided_spring", stiffness=1.0, point=(1, 0, 0), direction=(0, 0, 1))
    events = [make_event("flip", at=1.0), make_event("perturb", at=2.0, rate=1.0), SAMPLE_EVENTS[-1]]
    run = Simulation(
        replace(preset, initial=initial, loads=[spring], events=events, lanes=[Lane("euler_angles/321")])
    )
    remarks = run.lanes[0].diagnostics.remarks
    assert len(remarks) == 4
    for remark in remarks:
        assert not untranslated_words(tr(remark), ("hamilton", "project", "velocity")), tr(remark)


def test_undefined_expression_message_is_translated(uppercase_translation: None) -> None:
    force = make_load("point_force", force=["1/(1 - t)", 0, 0], point=(1, 0, 0))
    message = undefined_value_message(bind([force], qv.Body(inertia=[1.0, 2.0, 3.0])), [0.5, 1.0])
    assert message
    assert not untranslated_words(tr(message)), tr(message)


def test_texts_of_a_study_are_translated(tmp_path: Path, uppercase_translation: None) -> None:
    preset = qv.load_preset("torque_free")
    plan = StudyPlan.create(
        preset, lanes=["hamilton", "exact", "newton_euler"], integrators=["rattle"], steps=[0.1]
    )
    assert len(plan.refused) == 3
    names = [*FORMULATIONS, "omega"]
    for refused in plan.refused:
        assert not untranslated_words(tr(refused.reason), names), tr(refused.reason)
        assert isinstance(refused.reason, Phrase)
        assert pickle.loads(pickle.dumps(refused)).reason.template == refused.reason.template


def test_texts_of_failed_study_runs_are_translated(uppercase_translation: None) -> None:
    plan = StudyPlan.create(qv.load_preset("torque_free"), lanes=["hamilton"], steps=[0.1, 0.05])
    message = end_message("hamilton", 1.0, overflow_message(0.1))
    points = tuple(StudyPoint(case, "not_finite", message) for case in plan.cases)
    lines = list(failure_lines(StudyResult(plan, points, "", {}, False, "")))
    assert len(lines) == 1
    assert not untranslated_words(tr(lines[0]), ("hamilton",)), tr(lines[0])


def test_failed_runs_are_shown_by_titles() -> None:
    """The message contained "udwadia_schutte, rk4" below a legend with titles."""
    plan = StudyPlan.create(qv.load_preset("torque_free"), lanes=["udwadia_schutte"], steps=[0.1, 0.05])
    points = tuple(
        StudyPoint(case, "not_finite", end_message("udwadia_schutte", 1.0, overflow_message(0.1)))
        for case in plan.cases
    )
    (line,) = failure_lines(StudyResult(plan, points, "", {}, False, ""), by_title=True)
    assert line.startswith("Udwadia–Schutte, closed, Runge–Kutta 4: 2 of 2 runs")
    assert "Udwadia–Schutte, closed ended at t = 1 s" in line
    assert "udwadia_schutte" not in line


def test_frames_and_terms_of_cards_are_translated(uppercase_translation: None) -> None:
    for family in FORMULATIONS.values():
        for variant in family.variants or ("",):
            for equation in family.equations(variant):
                for text in (equation.frame, equation.words, *(term.words for term in equation.terms)):
                    assert not untranslated_words(tr(text)), text


def test_error_of_an_unwritable_cache_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uppercase_translation: None
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(InputError) as caught:
        kernel_cache.prepare_folder()
    parts = {name: text.replace(str(tmp_path), "") for name, text in translated_parts(caught.value).items()}
    del parts["found"]  # a message of the system
    assert not [word for text in parts.values() for word in untranslated_words(re.sub(r"/\S+", "", text))], (
        parts
    )


def test_phrase_keeps_its_template_in_errors_and_pickles() -> None:
    inner = phrase("{count} numbers", count=3)
    refusal = InputError(
        "dt", expected=phrase("{what} [{unit}]", what=inner, unit="m"), found="1", remedy="less"
    )
    for other in (
        refusal.with_place("elsewhere"),
        refusal.with_place(phrase("line {line}", line=3), "run.dt"),
    ):
        assert isinstance(other.expected, Phrase)
        assert other.expected.values["what"] is inner
    again = pickle.loads(pickle.dumps(refusal.expected))
    assert again == "3 numbers [m]"
    assert again.values["what"].template == "{count} numbers"


def test_phrase_without_values_is_unchanged() -> None:
    text = phrase("write {name} in braces")
    assert text == "write {name} in braces"
    assert phrase(text) is text
    numbers = phrase("{count} numbers", count=3)
    assert phrase(numbers) is numbers


@pytest.mark.parametrize(("word", "expected"), [("", "a, b, c"), ("and", "a, b and c"), ("or", "a, b or c")])
def test_joined_list_is_one_text(word: str, expected: str, uppercase_translation: None) -> None:
    assert join_phrases(["a", "b", "c"], word) == expected
    assert tr(join_phrases(["a", "b", "c"], word)) == expected.replace(f" {word} ", f" {word.upper()} ")
    assert join_phrases(["a"], word) == "a"
    assert join_phrases([], word) == ""
