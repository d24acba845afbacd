"""The shape of the code: rooms and who may import whom, no circle, registries, lengths of functions, style and types.

Each walk over the files is one test. What breaks a rule today stands in a list beside the rule: a line goes when it is mended,
and a line that is no longer true fails the test, so that the lists only grow shorter.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quatviz.base.registry import FAMILIES, Registry, names_of
from quatviz.commands.outputs import OUTPUTS
from quatviz.events import EVENTS
from quatviz.exact import SOLUTIONS
from quatviz.export.documents import EXHIBITS
from quatviz.export.formats import FORMATS
from quatviz.formulations import FORMULATIONS
from quatviz.integrators import INTEGRATORS
from quatviz.loads import LOADS
from quatviz.panels import PANELS
from quatviz.scene.items import ITEMS
from quatviz.shapes import SHAPES
from quatviz.studies.measures import MEASURES
from quatviz.verify.parts import PARTS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "quatviz"

ROOMS = [
    {"version", "bootstrap"},
    {"base"},
    {"geometry"},
    {"shapes"},
    {"mechanics"},
    {"kernels"},
    {"loads"},
    {"motion"},
    {"exact"},
    {"events"},
    {"text"},
    {"cards"},
    {"formulations"},
    {"integrators"},
    {"simulation"},
    {"look", "feed"},
    {"document"},
    {"scene"},
    {"panels"},
    {"export"},
    {"lessons", "studies"},
    {"scripting"},
    {"verify"},
    {"help"},
    {"ui.kit"},
    {"ui.plots", "ui.scene", "ui.side", "ui.transport"},
    {"ui.tools." + name for name in ("cards", "export", "hashes", "help", "study")} | {"ui.tools"},
    {"ui.window"},
    {"ui.lessons", "ui.start"},
    {"app", "filming", "presentation", "bench", "commands", "cli", "__main__"},
]
"""From the inside out; rooms on one line stand beside each other and do not know each other."""
DRAWING = {"PySide6", "pyqtgraph", "OpenGL"}

KNOWN_IMPORTS: set[tuple[str, str]] = set()
"""(module, imported module) that point outward, or to a neighbour, today."""
KNOWN_FULL: dict[str, int] = {}
"""Folders with more than a dozen modules that are no registry."""
KNOWN_LONG: dict[str, int] = {}
"""Functions of more than sixty lines."""

KNOWN_REACHES: dict[str, int] = {
    "engine/test_hand_in_runs.py": 1,
    "engine/test_kernel_cache.py": 1,
    "ui/globe_maker.py": 2,
    "ui/test_board_allowance.py": 2,
    "ui/test_board_angles.py": 4,
    "ui/test_board_arrangement.py": 11,
    "ui/test_board_forms.py": 6,
    "ui/test_board_panels.py": 1,
    "ui/test_board_rolling.py": 5,
    "ui/test_board_scrolled.py": 1,
    "ui/test_board_window.py": 2,
    "ui/test_card_window.py": 6,
    "ui/test_columns.py": 7,
    "ui/test_globe_pointing.py": 2,
    "ui/test_globes.py": 8,
    "ui/test_lane_look.py": 5,
    "ui/test_lazy_board.py": 4,
    "ui/test_readouts.py": 2,
    "ui/test_scene_pace.py": 1,
    "ui/test_setup_form.py": 2,
    "ui/test_setup_panel.py": 1,
    "ui/test_timeline_marks.py": 1,
    "ui/test_views.py": 4,
    "ui/test_views_together.py": 14,
    "ui/test_words.py": 2,
    "window/test_cards_in_window.py": 1,
    "window/test_editing.py": 2,
    "window/test_editing_lanes.py": 5,
    "window/test_export.py": 1,
    "window/test_faults_in_window.py": 8,
    "window/test_help_in_window.py": 3,
    "window/test_look_every_way.py": 2,
    "window/test_preview.py": 2,
    "window/test_study_window.py": 5,
    "window/test_tour_lanes.py": 5,
    "window/test_tour_plots.py": 3,
    "window/test_tour_time.py": 1,
    "window/test_views_in_window.py": 5,
    "window/tour_steps.py": 1,
}
"""How often a file of tests names what is private to a module. Those of `engine` say in a docstring why there is no other way;
the others are to be mended: a number only goes down."""
PROTOCOLS = {"_replace", "_asdict", "_fields", "_make", "_repr_html_", "_repr_png_"}
"""Names that are public all the same: of named tuples, and those by which a notebook asks."""

REGISTRIES: dict[str, Registry[Any]] = {
    "formulations": FORMULATIONS,
    "integrators": INTEGRATORS,
    "loads": LOADS,
    "shapes.py": SHAPES,
    "events": EVENTS,
    "exact": SOLUTIONS,
    "export/formats": FORMATS,
    "export/documents.py": EXHIBITS,
    "verify/parts": PARTS,
    "panels": PANELS,
    "scene/items": ITEMS,
    "commands/outputs": OUTPUTS,
    "studies/measures.py": MEASURES,
}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True, scope="module")
def no_trees_left() -> Iterator[None]:
    """They are two hundred megabytes, and a million objects to search for garbage."""
    yield
    tree_of.cache_clear()


@cache
def modules() -> dict[str, Path]:
    """Every module of the package but the script that sets it up, by its dotted name after `quatviz.`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        found[name] = path
    return {name: path for name, path in found.items() if name not in ("", "bootstrap")}


@cache
def imports_of(name: str) -> frozenset[str]:
    """What a module imports anywhere in it, type-only imports included: of quatviz without `quatviz.`, of others the package."""
    found = set()
    for node in ast.walk(tree_of(modules()[name])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports from the root"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole.removeprefix("quatviz.") in modules() else str(node.module))
    return frozenset(one.removeprefix("quatviz.") for one in found)


def room_of(name: str) -> str:
    parts = name.split(".")
    deep = 3 if parts[:2] == ["ui", "tools"] else 2 if parts[0] == "ui" else 1
    return ".".join(parts[:deep])


def rank(room: str) -> int:
    return next((index for index, rooms in enumerate(ROOMS) if room in rooms), -1)


def test_every_module_is_in_a_room() -> None:
    assert [name for name in modules() if rank(room_of(name)) < 0 and name != "ui"] == []


def test_imports_point_inward() -> None:
    found = set()
    for name in modules():
        own = rank(room_of(name))
        for other in imports_of(name) & modules().keys():
            there = rank(room_of(other))
            if there > own or (there == own and room_of(other) != room_of(name) and own < len(ROOMS) - 1):
                found.add((name, other))
    assert found == KNOWN_IMPORTS


def test_only_the_last_rooms_use_the_scripting_interface() -> None:
    assert {
        name for name in modules() if "quatviz" in imports_of(name) and rank(room_of(name)) < len(ROOMS) - 1
    } == set()


def test_only_the_window_draws() -> None:
    window = rank("ui.kit")
    draws = {name for name in modules() if {one.split(".")[0] for one in imports_of(name)} & DRAWING}
    assert {name for name in draws if rank(room_of(name)) < window} == set()


def circles() -> Iterator[frozenset[str]]:
    """The strongly connected sets of modules (Tarjan), a folder and its own modules apart."""
    graph = {name: sorted(imports_of(name) & modules().keys()) for name in modules()}
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    made: list[frozenset[str]] = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in graph[name]:
            if other not in number:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], number[other])
        if low[name] == number[name]:
            at = stack.index(name)
            made.append(frozenset(stack[at:]))
            del stack[at:]

    for name in graph:
        if name not in number:
            visit(name)
    return (circle for circle in made if len(circle) > 1)


def test_there_is_no_circle() -> None:
    assert [sorted(circle) for circle in circles()] == []


OWN = ("self", "cls", "sys", "threading", "warnings")


def hooks() -> Iterator[tuple[str, str]]:
    """Where an attribute of another object is given a callable: one that is declared to hold one, a lambda, a `partial` or
    a method of one's own."""
    attributes = [
        (name, node) for name, path in modules().items() for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Assign | ast.AnnAssign)
    ]  # fmt: skip
    declared = {
        node.target.attr
        for _, node in attributes
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute)
        and ast.unparse(node.annotation).startswith("Callable")
    }  # fmt: skip
    for name, path in modules().items():
        for kind in (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)):
            methods = {f"self.{one.name}" for one in kind.body if isinstance(one, ast.FunctionDef)}
            for node in (node for node in ast.walk(kind) if isinstance(node, ast.Assign)):
                for target in node.targets:
                    if not isinstance(target, ast.Attribute) or ast.unparse(target.value) in OWN:
                        continue
                    value = ast.unparse(node.value)
                    made = isinstance(node.value, ast.Lambda) or value.startswith("partial(")
                    if made or target.attr in declared or value in methods:
                        yield name, target.attr


def test_no_callable_is_written_into_what_was_made_before() -> None:
    assert set(hooks()) == set()


def test_every_registry_is_a_family_and_its_keys_are_the_modules_on_disk() -> None:
    assert {folder for folder, _ in FAMILIES.values()} == {*REGISTRIES, "commands"}
    for group, (folder, _) in FAMILIES.items():
        if folder in REGISTRIES:
            assert list(REGISTRIES[folder]) == names_of(group)


def test_the_six_paths_name_files_that_are_there() -> None:
    """The docstring of the window: a newcomer follows these."""
    told = str(ast.get_docstring(ast.parse((PACKAGE / "ui" / "__init__.py").read_text("utf-8"))))
    paths = re.findall(r"^(An? .+): (\d+) files \((\d+)\)\n\n((?:    .+\n?)+)", told, re.MULTILINE)
    assert len(paths) == 6
    for what, count, before, lines in paths:
        files = [line.split()[0] for line in lines.splitlines()]
        assert [file for file in files if not (PACKAGE / file).is_file()] == [], what
        assert len(set(files)) == len(files) == int(count) < int(before), what
    for file in re.findall(r"\b(?:ui|feed|scene)/[a-z_/]*[a-z_](?![a-z_/.])", told):
        assert (PACKAGE / f"{file}.py").is_file(), file


def test_a_dozen_modules_side_by_side() -> None:
    kinds = {folder for folder, _ in FAMILIES.values()}
    full = {}
    for folder in [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())]:
        name = str(folder.relative_to(PACKAGE))
        count = len([path for path in folder.glob("*.py") if path.stem != "__init__"])
        if count > 12 and name not in kinds:
            full[name] = count
    assert full == KNOWN_FULL


def test_functions_fit_a_screen() -> None:
    long = {}
    for name, path in modules().items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno and node.end_lineno - node.lineno >= 60:
                long[f"{name}.{node.name}"] = node.end_lineno - node.lineno + 1
    assert long == KNOWN_LONG


def test_tests_reach_for_nothing_private() -> None:
    more = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        reached = [
            node.attr
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and not node.attr.startswith("__")
            and node.attr not in PROTOCOLS
            and ast.unparse(node.value) not in ("self", "cls")
        ]
        name = path.relative_to(ROOT / "tests").as_posix()
        if len(reached) > KNOWN_REACHES.get(name, 0):
            more[name] = reached
    assert more == {}


@pytest.mark.slow
@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]])
def test_style_and_types(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
