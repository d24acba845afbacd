"""Every word of an error message can be translated. See `KnownTextTranslator`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from translators import make_event, make_load, translated_parts, untranslated_words, uppercase_translation  # noqa: F401

import quatviz as qv
from quatviz.analysis.studies.files import check_study_path
from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.result import find_measure
from quatviz.base.errors import InputError
from quatviz.base.expression import FUNCTIONS, Expression
from quatviz.base.parameters import from_table
from quatviz.display.panels import PANELS
from quatviz.display.view_state.session import from_short_text, parse_session
from quatviz.export.exhibit_writer import EXHIBITS
from quatviz.export.figures.paper import Paper
from quatviz.export.figures.paper import refuse_figure as figure_format
from quatviz.export.film.film_writer import refuse_film
from quatviz.export.film.plan import FilmPlan
from quatviz.export.formats import format_of as table_format
from quatviz.export.table_files import read_session_of_table
from quatviz.export.web.page import refuse_page, refuse_settings
from quatviz.files.files import write_text
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import parse_preset
from quatviz.physics.events import EVENTS
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.geometry.meshes import read_mesh
from quatviz.physics.geometry.polyhedron import Polyhedron
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.body import Body, mesh_volume_properties
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.shapes import SHAPES
from quatviz.simulation.lane_settings import PROJECTIONS
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.help.pages import find_section
from quatviz.teaching.lessons.model import LessonCheck, Question, Scene
from quatviz.teaching.lessons.parsing import find_lesson, lesson_paths, parse_lesson

PRESETS = Path(__file__).resolve().parents[2] / "presets"
GOOD = (PRESETS / "torque_free.toml").read_text(encoding="utf-8").partition("[look")[0]
LESSON = """# Flip

What happens.

```lesson
format = 1
```

## Turn

Words.

```scene
preset = "torque_free"
```
"""


def preset(old: str, new: str) -> Callable[[], object]:
    assert old in GOOD
    return lambda: parse_preset(GOOD.replace(old, new))


def lesson(old: str, new: str) -> Callable[[], object]:
    assert old in LESSON
    return lambda: parse_lesson(LESSON.replace(old, new))


def run(lane: str | Lane, of: str = "torque_free", **settings: Any) -> Callable[[], object]:
    return lambda: Simulation(qv.load_preset(of).with_run(lanes=[lane], **settings))


def gradient_not_square() -> object:
    return make_load("gravity_gradient", orbit="circular", direction=(1.0, 0.0, 1.0))


def open_surface() -> object:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return mesh_volume_properties(
        Polyhedron(corners, np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3]])), "tent.stl", None
    )


def inside_out() -> object:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    return mesh_volume_properties(Polyhedron(corners, faces), "tent.stl", None)


def parse_expression(value: str) -> Callable[[], object]:
    return lambda: Expression(value)


KEYS = [field.name for cls in (Body, Initial, RunSettings, Lane) for field in fields(cls)]
TABLES = [
    "title",
    "source",
    "summary",
    "watch",
    "depends",
    "speed",
    "format",
    "body",
    "rotors",
    "initial",
    "loads",
    "events",
    "run",
    "lanes",
    "formulations",
    "rotors",
    "map",
]

ERRORS: dict[str, tuple[Callable[[], object], Iterable[str]]] = {
    # parameters
    "a text for a number": (lambda: cast("Any", RunSettings)("long", 0.1, 0.1), ()),
    "a list for a number": (lambda: cast("Any", RunSettings)([1.0], 0.1, 0.1), ()),
    "a number below a limit": (lambda: RunSettings(-1.0, 0.1, 0.1), ()),
    "a number that is not finite": (lambda: RunSettings(float("inf"), 0.1, 0.1), ()),
    "a broken number for a whole one": (lambda: cast("Any", Scene)(views=1.5), ()),
    "a number with thousands of digits": (lambda: RunSettings(10**5000, 0.1, 0.1), ()),
    "too few numbers": (lambda: Initial(euler_parameters=[1, 0], angular_velocity=[0, 0, 1]), ()),
    "a matrix for a vector": (lambda: Initial(rotation_vector=np.eye(3), angular_velocity=[0, 0, 1]), ()),
    "rows of unequal length": (lambda: Body(inertia=[[1, 2], [3], [4]]), ()),
    "a text for numbers": (lambda: Body(inertia="heavy"), ()),
    "an unknown choice": (lambda: make_load("torque", torque=[0, 0, 1], frame="bodies"), ()),
    "a choice far from any": (lambda: Body(inertia=[1, 1, 1], about="Mars"), ()),
    "a truth that is a text": (lambda: cast("Any", Scene)(play="yes"), ()),
    "a number for a text": (lambda: cast("Any", Lane)(3), ()),
    # expressions
    "a timed text for a vector": (lambda: make_load("torque", torque="sin(t)"), ()),
    "too few timed numbers": (lambda: make_load("torque", torque=["sin(t)", 1]), ()),
    "an element that is no expression": (lambda: make_load("torque", torque=[0, "sin(", 1]), tuple(FUNCTIONS)),
    "a list in a timed vector": (lambda: make_load("torque", torque=["t", [1], 1]), ()),
    **{f"the expression {text[:12]!r}": (parse_expression(text), tuple(FUNCTIONS)) for text in (
        "", "2 t", "2*", "sin t", "tan(t)", "2 + * 3", "(1 + 2", "1)", "1, 2", "sin(1, 2)", "min(1)", "2^3", "2 × 3", "1/0",
        "t" * 401, "1+(" * 13 + "1" + ")" * 13, "{t}",
    )},
    # body and start
    "no inertia": (lambda: Body(), ()),
    "an inertia that is not symmetric": (lambda: Body(inertia=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), ()),
    "an inertia below zero": (lambda: Body(inertia=[1, -1, 1]), ()),
    "an inertia that no body has": (lambda: Body(inertia=[1, 1, 3]), ()),
    "a mass too large for the inertia": (
        lambda: Body(inertia=[1, 1, 1], about="pivot", mass=9.0, centre_of_mass=[0, 0, 1]), ()),
    "an offset that is not one": (lambda: Body(inertia=[1, 1, 1], centre_of_mass=[0, 0, 1]), ()),
    "an unknown shape": (lambda: Body(inertia=[1, 1, 1], shape="cubicle"), tuple(SHAPES)),
    "a mesh that is elsewhere": (lambda: Body(inertia=[1, 1, 1], shape="../up.stl"), ()),
    "a mesh without a preset": (lambda: Body(shape="tent.stl", size=[1, 1, 1], density=1.0), ()),
    "no center for a pivot": (lambda: Body(shape="box", size=[1, 1, 1], density=1.0, about="pivot"), ()),
    "a mesh that is not there": (lambda: read_mesh(Path("none.stl")), ()),
    "an open mesh": (open_surface, ()),
    "a mesh inside out": (inside_out, ()),
    "two orientations": (lambda: Initial(
        euler_parameters=[1, 0, 0, 0], rotation_vector=[0, 0, 1], angular_velocity=[0, 0, 1]), ("angles",)),
    "no orientation": (lambda: Initial(angular_velocity=[0, 0, 1]), ("angles",)),
    "a zero quaternion": (lambda: Initial(euler_parameters=[0, 0, 0, 0], angular_velocity=[0, 0, 1]), ()),
    "a long quaternion": (lambda: Initial(euler_parameters=[1, 1, 0, 0], angular_velocity=[0, 0, 1]), ()),
    "an unknown sequence": (lambda: angles_from_p([1, 0, 0, 0], "311"), ()),
    # loads and events
    "no direction": (lambda: make_load("gravity_gradient", direction=(0, 0, 0)), ()),
    "a direction along the normal": (gradient_not_square, ()),
    "no target": (lambda: make_load("attitude_control", stiffness=1, damping=1, target=(0, 0, 0, 0)), ()),
    "loads that are no list": (lambda: make_event("change", at=1.0, loads="gravity"), ()),
    "an event between samples": (preset("[run]", '[[events]]\nkind = "flip"\nat = 0.0155\n[run]'), ()),
    "an event of no kind": (preset("[run]", "[[events]]\nat = 1\n[run]"), tuple(EVENTS)),
    "an event of an unknown kind": (preset("[run]", '[[events]]\nkind = "flop"\n[run]'), tuple(EVENTS)),
    "a load without a key": (preset("[run]", '[[loads]]\nkind = "internal_dissipation"\n[run]'), ("coefficient",)),
    # preset texts
    "a text that is no TOML": (preset("[body]", "[body"), ()),
    "another format": (preset("format = 1", "format = 7"), ("format",)),
    "no format": (preset("format = 1", ""), ("format",)),
    "an unknown key": (preset("duration = 40", "durration = 40"), KEYS),
    "an unknown table": (preset("[body]", "[bodily]\na = 1\n[body]"), ("bodily", *TABLES)),
    "no table run": (lambda: parse_preset(GOOD.split("[run]")[0]), ("run",)),
    "no title": (lambda: parse_preset(re.sub(r"(?m)^title.*\n", "", GOOD)), ("title",)),
    "a number for a table": (lambda: from_table(RunSettings, cast("Any", 3), "run"), KEYS),
    "a table for tables": (lambda: parse_preset('format = 1\nloads = 3\n' + GOOD.replace("format = 1", "")), ("loads",)),
    "a step that does not divide": (preset("dt = 1e-3", "dt = 3e-3"), ()),
    "samples beyond the duration": (lambda: RunSettings(0.5, 0.1, 1.0), ()),
    "a name that is none": (lambda: Lane("a b"), ("hamilton",)),
    "an empty name": (lambda: Lane("hamilton", name=" "), ()),
    "a lane in wrong words": (lambda: Lane.from_string("hamilton,dt"), ()),
    "a lane with a wrong number": (lambda: Lane.from_string("hamilton,dt=-1"), ()),
    "twins": (lambda: Simulation(qv.load_preset("torque_free").with_run(
        lanes=[Lane("hamilton", name="a"), Lane("hamilton", name="a")])), ()),
    "an unknown preset": (lambda: qv.load_preset("torque_fre"), list(preset_paths(PRESETS))),
    "a preset that is not there": (lambda: qv.load_preset("none/none.toml"), list(preset_paths(PRESETS))),
    "a text that is too long": (lambda: parse_preset("#" * 200_001), ()),
    "a text of too many lines": (lambda: parse_preset("\n" * 5_001), ()),
    "too many dots": (lambda: parse_preset("a." * 101), ()),
    "brackets too deep": (lambda: parse_preset("a = " + "[" * 9_000), ()),
    "another version of a session": (lambda: parse_session("session = 9\n" + GOOD), ("session",)),
    "a wrong view": (lambda: parse_session("session = 1\n" + GOOD + "\n[view]\nspeed = true"), ("True",)),
    "a wrong list in a view": (lambda: parse_session("session = 1\n" + GOOD + "\n[view]\ncolours = [-1]"), ()),
    "a short text that is none": (lambda: from_short_text("hello"), ("quatviz",)),
    "a short text cut off": (lambda: from_short_text("quatviz1:abc"), ("quatviz",)),
    "a later short text": (lambda: from_short_text("quatviz9:abc"), ("quatviz",)),
    "a short text that is too long": (lambda: from_short_text("q" * 200_001), ()),
    "a pasted preset": (lambda: from_short_text(GOOD.replace("dt = 1e-3", "dt = 0")), ()),
    # lanes
    "an unknown formulation": (run("hamiltom"), tuple(FORMULATIONS)),
    "an unknown variant": (run("lagrange_full/splat"), ("split", "gradient", "torque")),
    "a variant of a form without": (run("newton_euler/fast"), ()),
    "an unknown integrator": (run("hamilton,integrator=rk5"), tuple(INTEGRATORS)),
    "the integrator of the run": (run("hamilton", integrator="rk5"), tuple(INTEGRATORS)),
    "rattle without a multiplier": (run("hamilton,integrator=rattle"), ("hamilton",)),
    "rattle with a closed inverse": (run("lagrange_projected,integrator=rattle"), ()),
    "lie_rk4 off the group": (run("lagrange_full,integrator=lie_rk4"), ()),
    "a J0 without use": (run("newton_euler,J0=1"), ()),
    "an unknown stabilization": (run("hamilton,stabilisation=firm"), tuple(PROJECTIONS)),
    "a stabilization without a constraint": (run("euler_angles/321,stabilisation=project"), ("none",)),
    "a stabilization without its equation": (
        run("hamilton,stabilisation=baumgarte"), (*PROJECTIONS, "hamilton")),
    "a stabilization beside a method": (run("hamilton,integrator=lie_rk4,stabilisation=project"), ("none",)),
    "alpha without baumgarte": (run("lagrange_full,alpha=1"), ("alpha",)),
    "a step of the exact lane": (run("exact,dt=0.01"), ("exact",)),
    "a ring that is lost": (run("newton_euler", "ring_damper"), ()),
    "a ring that is not there": (run("ring_damper"), ()),
    "too many samples": (run("hamilton", duration=1e9), ()),
    "a form that holds a body": (lambda: Simulation(Preset(
        body=Body(inertia=[1, 1, 1], mass=1.0),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 1], position=[1, 0, 0]),
        loads=[make_load("spring", stiffness=1, point=[1, 0, 0], anchor=[2, 0, 0])],
        lanes=[Lane("udwadia_schutte_unconstrained")])), ()),
    # lessons
    "an unknown lesson": (lambda: find_lesson("half_tern"), list(lesson_paths())),
    "a lesson of another format": (lesson("format = 1", "format = 3"), ("lesson", "format")),
    "a lesson without a title": (lesson("# Flip", ""), ()),
    "a lesson without a step": (lambda: parse_lesson(LESSON.split("##")[0]), ()),
    "a lesson without its block": (lambda: parse_lesson("# Flip\n\n## Turn\n"), ("lesson",)),
    "a block that is meant": (lesson("```scene", "```scenes"), ("lesson", "scene", "question", "check", "scenes")),
    "a block that never ends": (lambda: parse_lesson(LESSON.rstrip().removesuffix("```")), ()),
    "a block that is no TOML": (lesson('"torque_free"', "torque_free"), ("scene",)),
    "a scene of no preset": (lesson('"torque_free"', '"torque_fre"'), list(preset_paths(PRESETS))),
    "a scene of another folder": (lesson('"torque_free"', '"up/torque_free"'), ()),
    "an unknown panel": (lesson('"torque_free"', '"torque_free"\npanels = ["omegas"]'), tuple(PANELS)),
    "a lane of a scene": (lesson('"torque_free"', '"torque_free"\nlanes = ["hamiltom,dt"]'), ()),
    "a lone dollar": (lesson("Words.", "Words $x."), ()),
    "a name without a check": (lesson("Words.", "Words {flip}."), ("flip",)),
    "a check of no quantity": (lesson("Words.", '```check\nname = "a"\nvalue = 1\n```'), ()),
    "a check of two claims": (lambda: LessonCheck(name="a", value=1.0, below=2.0), ("value", "below", "above", "status")),
    "a check without a name": (lambda: LessonCheck(name="a b"), ()),
    "a question without its answer": (lambda: Question("Why?", "so", ["a", "b"]), ()),
    "three views": (lambda: Scene(views=3), ()),
    "lanes that are no list": (lambda: cast("Any", Scene)(lanes=3), ()),
    # exports
    "a table of an unknown ending": (lambda: table_format("run.foo"), ()),
    "a figure without an ending": (lambda: figure_format("run"), ("run",)),
    "a figure that is too wide": (lambda: Paper(width=1e6), ()),
    "letters that are too small": (lambda: Paper(size=1.0), ()),
    "a film that is too small": (lambda: FilmPlan(width=1), ()),
    "a film that is too fast": (lambda: FilmPlan(speed=1e9), ()),
    "a film backwards": (lambda: FilmPlan(low=3.0, high=1.0), ()),
    "a film that is too long": (lambda: FilmPlan(high=1e9), ()),
    "a film of an unknown ending": (lambda: refuse_film("film.avi", FilmPlan()), ()),
    "a film of odd width": (lambda: refuse_film("film.mp4", FilmPlan(width=641)), ()),
    "a picture book that is too fast": (lambda: refuse_film("film.gif", FilmPlan(rate=60.0)), ()),
    "a page of an unknown ending": (lambda: refuse_page("page.pdf"), ()),
    "a page of an unknown theme": (lambda: refuse_settings("dim", None, 1.0), ("light", "dark")),
    "a page of an unknown sequence": (lambda: refuse_settings("light", "311", 1.0), ()),
    "a page at no rate": (lambda: refuse_settings("light", None, 0.0), ()),
    "a file in no folder": (lambda: write_text(Path("/none/none/a.txt"), ""), ()),
    "a table that is not there": (lambda: read_session_of_table("none.csv"), ()),
    "figures of an unknown kind": (lambda: qv.figures("/none", formats=["bmp"]), ("pdf", "svg", "png")),
    "an unknown exhibit": (lambda: qv.figures("/none", only=["fig"]), tuple(EXHIBITS)),
    # studies and help
    "a study in steps below zero": (lambda: StudyPlan.create(qv.load_preset("torque_free"), steps=[-1.0]), ()),
    "a study in too many steps": (lambda: StudyPlan.create(qv.load_preset("torque_free"), steps=99), ()),
    "a study in steps that do not fit": (lambda: StudyPlan.create(qv.load_preset("torque_free"), steps=[0.1, 0.0777]), ()),
    "a study of an unknown integrator": (
        lambda: StudyPlan.create(qv.load_preset("torque_free"), integrators=["rk5"]), tuple(INTEGRATORS)),
    "a study of an unknown quantity": (lambda: find_measure("speed"), tuple(MEASURES)),
    "a study of an unknown ending": (lambda: check_study_path("a.bmp"), ()),
    "an unknown topic": (lambda: find_section("errors#nothing"), ()),
}  # fmt: skip
"""Functions that raise an error by description, and the names that the message contains without quotes."""


@pytest.mark.parametrize("name", ERRORS)
def test_every_word_of_an_error_is_translated(name: str, uppercase_translation: None) -> None:
    make, keep = ERRORS[name]
    with pytest.raises(InputError) as caught:
        make()
    parts = translated_parts(caught.value)
    untranslated = {
        sentence: remaining
        for sentence, text in parts.items()
        if (remaining := untranslated_words(text, keep))
    }
    assert not untranslated, parts
