"""What the docstrings of the mechanics, of texts and of what scripts call show is what the functions do."""

import doctest
import importlib
import pydoc
import re
from types import ModuleType

import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.base.parameters import declared
from quatviz.events import EVENTS
from quatviz.loads import LOADS

ROOMS = (
    *("own", "judging", "scripting", "sweeps", "mechanics", "motion", "geometry", "text", "export"),
    "recordings",
    "fitting",
    *("loads", "formulations", "integrators", "exact", "events"),
    *("base/errors.py", "look/look.py", "simulation/simulation.py", "studies/files.py"),
)
MODULES = [
    ".".join(("quatviz", *path.relative_to(resources.PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    for room in ROOMS
    for path in (
        sorted((resources.PACKAGE / room).rglob("*.py"))
        if not room.endswith(".py")
        else [resources.PACKAGE / room]
    )
]
SHOWING = {
    "quatviz.exact",
    "quatviz.formulations",
    "quatviz.integrators._runge_kutta",
    "quatviz.loads",
    *(f"quatviz.loads.{name}" for name in LOADS),
    *(f"quatviz.events.{name}" for name in EVENTS),
    "quatviz.loads._potential",
    "quatviz.own.formulation",
    "quatviz.judging.judge",
    "quatviz.judging.judgement",
    "quatviz.base.errors",
    "quatviz.look.look",
    "quatviz.simulation.simulation",
    "quatviz.mechanics.body",
    "quatviz.mechanics.initial",
    "quatviz.mechanics.rotations",
    "quatviz.mechanics.euler_sequences",
    "quatviz.mechanics.scalar_last",
    "quatviz.mechanics.stereographic",
    "quatviz.geometry.polhodes",
    "quatviz.geometry.polyhedron",
    "quatviz.geometry.meshes",
    "quatviz.scripting.calls",
    "quatviz.scripting.laid",
    "quatviz.scripting.run",
    "quatviz.scripting.solution",
    "quatviz.studies.files",
    "quatviz.sweeps.axes",
    "quatviz.sweeps.stability",
    "quatviz.sweeps.order",
    "quatviz.text.addresses",
    "quatviz.exact.torque_free",
    "quatviz.fitting.fit",
    "quatviz.recordings.alignment",
    "quatviz.recordings.calculus",
    "quatviz.recordings.conventions",
    "quatviz.recordings.invariants",
    "quatviz.text.files",
    "quatviz.text.preset",
    "quatviz.text.preset_files",
    "quatviz.text.preset_text",
    "quatviz.text.toml_lines",
    "quatviz.text.toml_text",
    "quatviz.export.table",
    "quatviz.export.film.plan",
    "quatviz.export.figures.stripes",
    "quatviz.export.web.coding",
}
"""Those that a person calls, with examples."""
GIVEN = ("Judgement", "Run", "Solution")
"""Classes of what calls give, which their examples make by these."""
COMPILING = ("own", "judging", "scripting")
"""Rooms whose examples compile what no cache keeps, or compute runs."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name.split(".")[1] in COMPILING else [])
        for name in MODULES
    ],
)
def test_examples_in_docstrings_hold(name: str) -> None:
    shown = [test for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]
    runner = doctest.DocTestRunner()
    # For one that shows nothing, `testmod` would look at every source file that was ever read.
    for test in shown:
        runner.run(test)
    assert runner.failures == 0
    assert bool(shown) >= (name in SHOWING), "a person calls it: show how"


@pytest.mark.parametrize(
    "kind", [*LOADS.values(), *EVENTS.values(), qv.Body, qv.Initial, qv.RunSettings, qv.Lane]
)
def test_help_says_units_limits_and_defaults_of_whatever_is_declared(kind: type) -> None:
    said = " ".join(pydoc.plain(pydoc.render_doc(kind)).replace("|", "").split())
    for each in declared(kind).values():
        assert f" {each.name} : {each.expected} {each.meaning} ".replace("|", "") in said


def test_a_parameter_says_what_holds_where_it_is_left_out() -> None:
    assert "weight : a number [N], at least 0, or an expression of t in quotes" in (qv.Gravity.__doc__ or "")
    assert "frame : one of 'body', 'space'" in (qv.Torque.__doc__ or "")
    assert "'body' if left out." in (qv.Torque.__doc__ or "")


def test_every_public_name_is_used_by_an_example_that_is_a_test() -> None:
    for name in qv.__all__:
        thing = getattr(qv, name)
        if name == "__version__":
            continue
        within = isinstance(thing, ModuleType)
        module = thing.__name__ if within else thing.__module__
        assert module in MODULES, f"the examples of {name} are run by no test"
        found = doctest.DocTestFinder(recurse=within).find(thing, name)
        sources = [example.source for test in found for example in test.examples]
        assert sources, f"qv.{name} has no example"
        used = within or name in GIVEN or any(re.search(rf"\b{name}\b", source) for source in sources)
        assert used, f"the example of qv.{name} does not use it"
