"""Warnings are silenced by filters installed at import, because `warnings.catch_warnings` is not thread-safe."""

import ast
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import reference_preset

import quatviz
from quatviz.files.formula_cache import FormulaCache
from quatviz.simulation.simulation import Simulation

PACKAGE = Path(quatviz.__file__).parent
SWITCHES = {"catch_warnings", "simplefilter", "resetwarnings"}


def test_package_functions_do_not_change_warning_filters() -> None:
    """If two threads use `catch_warnings`, the last to leave restores the filters of the first permanently."""
    offenders = []
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        names = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)}
        imported = {
            alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        if SWITCHES & (names | imported):
            offenders.append(str(path.relative_to(PACKAGE)))
        for function in ast.walk(tree):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                calls = {getattr(node, "attr", "") for node in ast.walk(function)}
                if "filterwarnings" in calls:
                    offenders.append(f"{path.relative_to(PACKAGE)}: {function.name}")
    assert not offenders


def run_in_thread(action: Callable[[], object]) -> None:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            action()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


def refuse(*_: object) -> None:
    raise AssertionError("warning filters are changed in a thread")


@pytest.mark.parametrize("integrator", ["lsoda", "radau"])
def test_lane_does_not_change_warning_filters(integrator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    preset = reference_preset("point_force").with_run(
        lanes=["newton_euler"], integrator=integrator, dt=0.01, duration=0.1, sample_interval=0.01
    )
    (lane,) = Simulation(preset)
    lane.prepare()
    with monkeypatch.context() as patch:
        patch.setattr(warnings.catch_warnings, "__enter__", refuse)
        run_in_thread(lambda: lane.advance(5))
    assert lane.samples == 6


def test_typesetting_does_not_change_warning_filters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = FormulaCache(tmp_path / "formulae.book")
    cache.render(r"\omega")  # imports the typesetter
    with monkeypatch.context() as patch:
        patch.setattr(warnings.catch_warnings, "__enter__", refuse)
        run_in_thread(lambda: cache.render(r"\dot p = \tfrac12 G^T \omega"))
