"""Titles and identifiers: what files and scripts call `newton_euler` is shown as Newton–Euler in the window.

The text of an error, which a terminal prints and a script catches, contains the identifier.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import quatviz as qv
from quatviz.base import resources
from quatviz.base.errors import InputError, join_phrases, phrase, titled_name
from quatviz.base.formatting import format_error
from quatviz.base.translation import tr
from quatviz.files.preset_files import preset_paths
from quatviz.physics.events import EVENTS
from quatviz.physics.events.base import Event
from quatviz.physics.formulations import FORMULATIONS, lane_title, make_formulation
from quatviz.physics.formulations import listed as all_lanes
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.simulation.simulation import Simulation, lane_names
from quatviz.teaching.lessons import lesson_paths, read_lesson
from quatviz.ui.tools.write_formulation.dialog import verdict_text

PACKAGE = Path(qv.__file__).parent
SNAKE = re.compile(r"(?<![\w./{\"'])[a-z]+[0-9]*(?:_[a-z0-9]+)+(?![\w./}\"'(])")
"""An identifier in snake case."""
EXTENSION_NAMES = {
    name for family in (FORMULATIONS, INTEGRATORS, LOADS, EVENTS) for name in family if "_" in name
}
TYPED = ("bootstrap.py", "cli.py", "commands", "verification/judging", "analysis/user_formulations", "api")
"""Modules for the command line and scripts, whose messages are not shown in the window."""
ERROR_FUNCTIONS = {
    "schema_error",
    "_refusal",
    "_refusal_reason",
    "_parameter_error",
    "_mesh_error",
    "_potential_error",
    "_axis_error",
    "_lagrangian_error",
    "_title_error",
    "_key_error",
}
"""Functions that create an `InputError` from texts."""


def setting_errors() -> Iterator[InputError]:
    """Yield the errors of incompatible lane settings, for every setting of a lane."""
    free = qv.load_preset("torque_free")
    ringed = qv.load_preset("ring_damper")
    settings: tuple[dict[str, Any], ...] = (
        {"J0": 2.0},
        {"rtol": 1e-6},
        {"stabilisation": "baumgarte"},
        {"dt": 3.3e-3},
        {"dt": 1e-15},
        {},
    )
    for lane_id in all_lanes():
        integrators = (
            (*INTEGRATORS, None) if lane_id in ("newton_euler", "lie_group", "euler_angles/321") else (None,)
        )
        for integrator, setting in product(integrators, settings):
            yield from errors_of(free, qv.Lane(lane_id, integrator=integrator, **setting))
        yield from errors_of(ringed, qv.Lane(lane_id))
    changes: tuple[dict[str, Any], ...] = (
        {"sample_interval": 1e-14},
        {"duration": 1e12},
        {"dt": 1e-15},
        {"dt": 3.3e-3},
    )
    for change in changes:
        yield from errors_of(free, free.lanes[0], **change)
    yield from errors_of(free, free.lanes[0], events=(qv.Reverse(at=0.0012345),))


def errors_of(
    preset: qv.Preset, lane: qv.Lane, events: tuple[Event, ...] = (), **run: Any
) -> Iterator[InputError]:
    try:
        Simulation(replace(preset, lanes=(lane,), events=events).with_run(**run))
    except InputError as error:
        yield error


def test_window_shows_titles_and_terminal_shows_identifiers() -> None:
    errors = list(setting_errors())
    assert len(errors) > 100
    texts = {format_error(error, error.key) for error in errors}
    columns = {name for lane in all_lanes() for name in make_formulation(lane).component_names}
    assert not {text for text in texts if set(SNAKE.findall(text)) - columns}
    plain = "\n".join(map(str, errors))
    for name in ("newton_euler", "sample_interval", "udwadia_schutte_fundamental", "implicit_midpoint"):
        assert re.search(rf"\b{name}\b", plain), f"a script gets {name}"
    assert lane_title("newton_euler") in "\n".join(texts)


def test_names_within_sentences_are_shown_as_titles() -> None:
    form = make_formulation("euler_angles/313").titled_id
    text = phrase("no J0 for {names}", names=join_phrases((form, titled_name("rk4", "Runge–Kutta 4")), "or"))
    assert text == "no J0 for euler_angles/313 or rk4"
    assert tr(text) == f"no J0 for {lane_title('euler_angles/313')} or Runge–Kutta 4"


def displayed_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of the literals of a file that the window may show, without placeholders."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in ("InputError", "phrase", "tr") or name in ERROR_FUNCTIONS:
            arguments = (*call.args, *(keyword.value for keyword in call.keywords))
            for argument in arguments:
                if (
                    isinstance(argument, ast.Constant)
                    and isinstance(argument.value, str)
                    and " " in argument.value
                ):
                    yield argument.lineno, re.sub(r"\{[^}]*\}", "", argument.value)


def test_no_sentence_contains_an_identifier() -> None:
    names = "|".join(sorted(EXTENSION_NAMES | {"sample_interval"}))
    sentence = re.compile(rf'"[^"\n]* [^"\n]*\b({names})\b|"[^"\n]*\b({names})\b[^"\n]* ')
    offenders = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in PACKAGE.rglob("*.py")
        if not any(path.is_relative_to(PACKAGE / typed) for typed in TYPED)
        and sentence.search(path.read_text("utf-8"))
        for line, text in displayed_texts(path)
        if re.search(rf"\b({names})\b", text)
    ]
    assert not offenders, "\n".join(offenders)


def test_stabilizations_have_one_displayed_name() -> None:
    lanes = [
        qv.Lane("hamilton", stabilisation="baumgarte"),
        qv.Lane("euler_angles/321", stabilisation="project"),
        qv.Lane("hamilton", stabilisation="renormalise", integrator="lie_rk4"),
        qv.Lane("hamilton", alpha=1.0),
        qv.Lane("hamilton", stabilisation="firm"),
    ]
    errors = [error for lane in lanes for error in errors_of(qv.load_preset("torque_free"), lane)]
    assert len(errors) == len(lanes)
    names = re.compile(r"\b(renormalise|project|baumgarte|none)\b")
    assert not [text for error in errors if names.search(text := format_error(error, error.key))]
    assert all(names.search(str(error)) for error in errors), "a script uses identifiers"
    change = qv.LaneChange(at=1.0, lane="coarse", stabilisation="project", dt=0.01)
    assert tr(change.summary) == "coarse: dt = 0.01 s, Projection"
    assert lane_title("hamilton, renormalise") == "Hamilton, reduced to h, Renormalization"


TYPED_WITH_MISTAKES = (
    "omega' = solve(J, n + cross(omega, J @ omega))\np' = product(p, [0, omega])/2",
    "omega' = solve(J, n)\np' = product(p, [0, omega])/4",
    "omega' = solve(J, n - 1.3*cross(omega, J @ omega))\np' = product(p, [0, omega])/2",
)


def test_verdict_in_the_window_describes_mistakes_without_their_names() -> None:
    for rates in TYPED_WITH_MISTAKES:
        judgement = qv.judge(qv.TypedFormulation("mine", rates=rates))
        text = verdict_text(judgement)
        assert "mine does not follow the motion" in text
        assert not SNAKE.findall(text), text
        for mistake in judgement.mistakes:
            assert mistake.summary in text
            assert mistake.name in judgement.verdict, "a script uses identifiers"
        assert judgement.mistakes or judgement.explanations


def test_lane_names_of_presets_and_lessons_are_no_identifiers() -> None:
    """Names given by presets and scenes appear unchanged in legends and at curves."""
    typed = {*FORMULATIONS, *INTEGRATORS, *STABILISATIONS}
    lane_names_by_source = {
        name: [lane.name for lane in qv.load_preset(name).lanes if lane.name] for name in qv.presets()
    }
    for lesson in map(read_lesson, lesson_paths()):
        lanes = (lane for step in lesson.steps for part in step.parts for lane in part.scene.lanes or ())
        lane_names_by_source[lesson.name] = [
            lane.name for lane in map(qv.Lane.from_string, lanes) if lane.name
        ]
    wrong = [
        (where, name)
        for where, names in lane_names_by_source.items()
        for name in names
        if name in typed or SNAKE.search(name) or "J0" in name
    ]
    assert wrong == []
    assert any(lane_names_by_source.values())


def test_lane_titles_start_with_a_capital_letter() -> None:
    """Recordings are an exception: they have the name of their file."""
    for path in preset_paths(resources.preset_folder()).values():
        preset = qv.load_preset(path)
        for name, lane in zip(lane_names(preset.lanes), preset.lanes, strict=True):
            first = lane_title(name)[0]
            assert not first.islower() or lane.recording is not None or name.startswith("p and"), (
                path.stem,
                name,
            )


def test_remedy_that_is_a_question_ends_with_a_question_mark() -> None:
    text = format_error(InputError("x", expected="a name", found="'hh'", remedy="did you mean 'h'?"))
    assert text.endswith("Try: did you mean 'h'?"), "without a full stop"
