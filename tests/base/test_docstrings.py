"""The examples in docstrings run and give the results shown."""

import doctest
import importlib
import pydoc
import re
from types import ModuleType

import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.base.parameters import parameters_of
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS

PACKAGES_WITH_EXAMPLES = (
    *("analysis/user_formulations", "verification/judging", "api", "analysis/sweeps", "analysis/fitting"),
    *("physics/mechanics", "physics/observables", "physics/geometry", "files", "export", "recordings"),
    *("physics/loads", "physics/formulations", "physics/typed_formulations", "physics/integrators"),
    *("physics/exact", "physics/events"),
    *(
        "base/errors.py",
        "display/view_state/view_state.py",
        "simulation/simulation.py",
        "analysis/studies/files.py",
    ),
)
MODULES = [
    ".".join(("quatviz", *path.relative_to(resources.PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    for folder in PACKAGES_WITH_EXAMPLES
    for path in (
        sorted((resources.PACKAGE / folder).rglob("*.py"))
        if not folder.endswith(".py")
        else [resources.PACKAGE / folder]
    )
]
REQUIRED_EXAMPLES = {
    "quatviz.physics.exact",
    "quatviz.physics.typed_formulations.definition",
    "quatviz.physics.formulations",
    "quatviz.physics.integrators._kernels.runge_kutta",
    "quatviz.physics.loads",
    *(f"quatviz.physics.loads.{name}" for name in LOADS),
    *(f"quatviz.physics.events.{name}" for name in EVENTS),
    "quatviz.physics.loads._potential",
    "quatviz.analysis.user_formulations.formulation",
    "quatviz.verification.judging.judge",
    "quatviz.verification.judging.judgement",
    "quatviz.base.errors",
    "quatviz.display.view_state.view_state",
    "quatviz.simulation.simulation",
    "quatviz.physics.mechanics.body",
    "quatviz.physics.mechanics.initial",
    "quatviz.physics.mechanics.rotations",
    "quatviz.physics.mechanics.euler_sequences",
    "quatviz.physics.mechanics.scalar_last",
    "quatviz.physics.mechanics.stereographic",
    "quatviz.physics.geometry.polhodes",
    "quatviz.physics.geometry.polyhedron",
    "quatviz.physics.geometry.meshes",
    "quatviz.api.calls",
    "quatviz.api.alignment",
    "quatviz.api.run",
    "quatviz.api.solution",
    "quatviz.analysis.studies.files",
    "quatviz.analysis.sweeps.axes",
    "quatviz.analysis.sweeps.stability",
    "quatviz.analysis.sweeps.order",
    "quatviz.files.addresses",
    "quatviz.physics.exact.torque_free",
    "quatviz.analysis.fitting.fit",
    "quatviz.recordings.alignment",
    "quatviz.recordings.kinematics",
    "quatviz.recordings.conventions",
    "quatviz.recordings.invariants",
    "quatviz.files.files",
    "quatviz.files.preset",
    "quatviz.files.preset_files",
    "quatviz.files.preset_reading",
    "quatviz.files.toml_lines",
    "quatviz.files.toml_text",
    "quatviz.export.table",
    "quatviz.export.film.plan",
    "quatviz.export.figures.stripes",
    "quatviz.export.web.column_encoding",
}
"""Modules of the public interface, which must contain examples."""
RESULT_CLASSES = ("Judgement", "Run", "Solution")
"""Classes that users do not construct themselves. Their examples obtain them from other calls."""
COMPILING = ("quatviz.analysis.user_formulations", "quatviz.verification.judging", "quatviz.api")
"""Packages whose examples compile uncached kernels or compute runs."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name.startswith(COMPILING) else []) for name in MODULES],
)
def test_docstring_examples_run(name: str) -> None:
    tests = [test for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]
    runner = doctest.DocTestRunner()
    # Without examples, `testmod` would search every source file read so far.
    for test in tests:
        runner.run(test)
    assert runner.failures == 0
    assert bool(tests) >= (name in REQUIRED_EXAMPLES), "a public module needs an example"


@pytest.mark.parametrize(
    "parameterized", [*LOADS.values(), *EVENTS.values(), qv.Body, qv.Initial, qv.RunSettings, qv.Lane]
)
def test_parameter_help_has_units_limits_and_defaults(parameterized: type) -> None:
    text = " ".join(pydoc.plain(pydoc.render_doc(parameterized)).replace("|", "").split())
    for parameter in parameters_of(parameterized).values():
        expected_text = f" {parameter.name} : {parameter.expected} {parameter.description} "
        assert expected_text.replace("|", "") in text


def test_optional_parameters_document_their_default() -> None:
    assert "weight : a number [N], at least 0, or an expression of t in quotes" in (qv.Gravity.__doc__ or "")
    assert "frame : one of 'body', 'space'" in (qv.Torque.__doc__ or "")
    assert "'body' if left out." in (qv.Torque.__doc__ or "")


def test_every_public_name_has_a_tested_example() -> None:
    for name in qv.__all__:
        public_object = getattr(qv, name)
        if name == "__version__":
            continue
        is_module = isinstance(public_object, ModuleType)
        module = public_object.__name__ if is_module else public_object.__module__
        assert module in MODULES, f"the examples of {name} are run by no test"
        tests = doctest.DocTestFinder(recurse=is_module).find(public_object, name)
        sources = [example.source for test in tests for example in test.examples]
        assert sources, f"qv.{name} has no example"
        used = (
            is_module
            or name in RESULT_CLASSES
            or any(re.search(rf"\b{name}\b", source) for source in sources)
        )
        assert used, f"the example of qv.{name} does not use it"
