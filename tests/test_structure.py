"""The structure of the code: layers, no import cycles, registries, length of functions, private names, style and types.

Known exceptions to a rule are listed beside it. An exception that no longer exists fails the test, so that the lists only become
shorter.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.sweeps.boundaries import BOUNDARIES
from quatviz.analysis.sweeps.measures import MEASURES as SWEEP_MEASURES
from quatviz.base.registry import FAMILIES, Registry, entry_names
from quatviz.commands.outputs import OUTPUTS
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.export.documents import EXHIBITS
from quatviz.export.formats import FORMATS
from quatviz.physics.events import EVENTS
from quatviz.physics.exact import SOLUTIONS
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.shapes import SHAPES
from quatviz.recordings.readers import READERS
from quatviz.ui.tools import TOOLS
from quatviz.verification.judging.mistakes import MISTAKES
from quatviz.verification.parts import PARTS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "quatviz"

LAYERS = [
    {"bootstrap"},
    {"base"},
    {"physics.geometry"},
    {"physics.shapes"},
    {"physics.mechanics"},
    {"physics.kernels"},
    {"physics.loads"},
    {"physics.observables"},
    {"physics.exact"},
    {"physics.events"},
    {"physics.equations"},
    {"physics.formulations"},
    {"physics.typed_formulations"},
    {"physics.integrators"},
    {"physics"},
    {"files"},
    {"recordings"},
    {"simulation"},
    {"display.view_state", "display.data"},
    {"display.document"},
    {"display.scene"},
    {"display.panels"},
    {"display"},
    {"export"},
    {"analysis.executors", "analysis.user_formulations"},
    {"analysis.fitting", "analysis.studies", "analysis.sweeps"},
    {"analysis"},
    {"teaching.lessons"},
    {"api"},
    {"verification"},
    {"teaching.help", "teaching"},
    {"ui.widgets"},
    {"ui.plots", "ui.scene", "ui.sidebar", "ui.transport"},
    {"ui.tools.base"},
    {
        "ui.tools." + name
        for name in (
            "add_lane",
            "cards",
            "compare",
            "exhibits",
            "export",
            "fit",
            "hashes",
            "help",
            "importing",
            "maps",
            "study",
            "write_formulation",
        )
    }
    | {"ui.tools"},
    {"ui.window"},
    {"ui.lessons", "ui.start"},
    {"app", "commands", "cli", "__main__"},
]
"""Packages from the inside out. A package may import from earlier entries; packages of one entry are independent."""
SUBDIVIDED = {"physics", "display", "analysis", "teaching", "ui"}
"""Packages whose subpackages are separate layers."""
DRAWING = {"PySide6", "pyqtgraph", "OpenGL"}
"""Libraries that only the user interface may import."""

KNOWN_IMPORTS: set[tuple[str, str]] = set()
"""Existing imports (module, imported module) from outer or neighboring layers."""
KNOWN_LONG: dict[str, int] = {}
"""Existing functions of more than sixty lines."""
PROTOCOLS = {
    *("_replace", "_asdict", "_fields", "_make"),
    *("_repr_html_", "_repr_latex_", "_repr_png_", "_ipython_key_completions_"),
}
"""Public names with an underscore: methods of named tuples, and of notebook display."""

REGISTRIES: dict[str, Registry[Any]] = {
    "physics/formulations": FORMULATIONS,
    "physics/integrators": INTEGRATORS,
    "physics/loads": LOADS,
    "physics/shapes.py": SHAPES,
    "physics/events": EVENTS,
    "physics/exact": SOLUTIONS,
    "export/formats": FORMATS,
    "export/documents.py": EXHIBITS,
    "verification/parts": PARTS,
    "display/panels": PANELS,
    "recordings/readers": READERS,
    "display/scene/items": ITEMS,
    "physics/observables/quantities.py": QUANTITIES,
    "commands/outputs": OUTPUTS,
    "analysis/studies/measures.py": MEASURES,
    "analysis/sweeps/measures": SWEEP_MEASURES,
    "analysis/sweeps/boundaries": BOUNDARIES,
    "verification/judging/mistakes.py": MISTAKES,
    "ui/tools": TOOLS,
}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, Path]:
    """Return the path of every module except `bootstrap` by its dotted name without `quatviz.`."""
    paths = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        paths[name] = path
    return {name: path for name, path in paths.items() if name not in ("", "bootstrap")}


class ModuleFacts(NamedTuple):
    """Properties of a module. Syntax trees are not stored: all together they need 200 MB."""

    imports: frozenset[str]
    foreign_assignments: tuple["ForeignAssignment", ...]
    declared: frozenset[str]
    """Attributes whose annotation is a callable."""
    long: dict[str, int]
    """Number of lines of long functions, without their docstrings."""


class ForeignAssignment(NamedTuple):
    """An assignment to an attribute of another object in a method."""

    attribute: str
    is_callable: bool
    """True if the value is a lambda, a `partial` or a method of the class."""


@cache
def facts_of(name: str) -> ModuleFacts:
    tree = tree_of(modules()[name])
    nodes = list(ast.walk(tree))
    declared = {
        node.target.attr
        for node in nodes
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute)
        and ast.unparse(node.annotation).startswith("Callable")
    }  # fmt: skip
    assignments = (
        assignment
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for assignment in foreign_assignments_in(node)
    )
    long = {
        node.name: lines
        for node in nodes
        if isinstance(node, ast.FunctionDef) and (lines := code_lines(node)) > 60
    }
    return ModuleFacts(frozenset(imports_in(name, nodes)), tuple(assignments), frozenset(declared), long)


def code_lines(function: ast.FunctionDef) -> int:
    """Return the number of lines of a function without its docstring, which grows with its parameters."""
    docstring = function.body[0] if ast.get_docstring(function, clean=False) is not None else None
    documented = 0 if docstring is None else (docstring.end_lineno or 0) - docstring.lineno + 1
    return (function.end_lineno or 0) - function.lineno + 1 - documented


def imports_of(name: str) -> frozenset[str]:
    """Return all imports of a module, including type-only imports. The prefix `quatviz.` is removed."""
    return facts_of(name).imports


def imports_in(name: str, nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("quatviz.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports from the root"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}".removeprefix("quatviz.")
                yield whole if whole in modules() else str(node.module).removeprefix("quatviz.")


def layer_of(name: str) -> str:
    parts = name.split(".")
    depth = 3 if parts[:2] == ["ui", "tools"] else 2 if parts[0] in SUBDIVIDED else 1
    return ".".join(parts[:depth])


def rank(layer: str) -> int:
    return next((index for index, layers in enumerate(LAYERS) if layer in layers), -1)


def test_every_module_is_in_a_layer() -> None:
    assert [name for name in modules() if rank(layer_of(name)) < 0 and name != "ui"] == []


def test_the_package_has_at_most_sixteen_entries() -> None:
    entries = {name.split(".")[0] for name in modules()} | {"bootstrap"}
    assert len(entries - {"__main__"}) <= 16


def test_imports_point_inward() -> None:
    violations = set()
    for name in modules():
        own = rank(layer_of(name))
        for other in imports_of(name) & modules().keys():
            rank_there = rank(layer_of(other))
            if rank_there > own or (
                rank_there == own and layer_of(other) != layer_of(name) and own < len(LAYERS) - 1
            ):
                violations.add((name, other))
    assert violations == KNOWN_IMPORTS


def test_only_the_last_layer_uses_the_scripting_interface() -> None:
    assert {
        name for name in modules() if "quatviz" in imports_of(name) and rank(layer_of(name)) < len(LAYERS) - 1
    } == set()


def test_only_the_window_draws() -> None:
    window = rank("ui.widgets")
    draws = {name for name in modules() if {module.split(".")[0] for module in imports_of(name)} & DRAWING}
    assert {name for name in draws if rank(layer_of(name)) < window} == set()


def import_cycles() -> Iterator[frozenset[str]]:
    """Return the strongly connected sets of modules by Tarjan's algorithm."""
    graph = {name: sorted(imports_of(name) & modules().keys()) for name in modules()}
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    components: list[frozenset[str]] = []

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
            start = stack.index(name)
            components.append(frozenset(stack[start:]))
            del stack[start:]

    for name in graph:
        if name not in number:
            visit(name)
    return (cycle for cycle in components if len(cycle) > 1)


def test_there_is_no_import_cycle() -> None:
    assert [sorted(cycle) for cycle in import_cycles()] == []


OWN_OBJECTS = ("self", "cls", "sys", "threading", "warnings")


def foreign_assignments_in(cls: ast.ClassDef) -> Iterator[ForeignAssignment]:
    methods = {f"self.{member.name}" for member in cls.body if isinstance(member, ast.FunctionDef)}
    for node in (node for node in ast.walk(cls) if isinstance(node, ast.Assign)):
        for target in node.targets:
            if not isinstance(target, ast.Attribute) or ast.unparse(target.value) in OWN_OBJECTS:
                continue
            value = ast.unparse(node.value)
            is_callable = isinstance(node.value, ast.Lambda) or value.startswith("partial(")
            yield ForeignAssignment(target.attr, is_callable or value in methods)


def foreign_callables() -> Iterator[tuple[str, str]]:
    """Yield each module and attribute of another object to which it assigns a callable."""
    declared = frozenset().union(*(facts_of(name).declared for name in modules()))
    for name in modules():
        for assignment in facts_of(name).foreign_assignments:
            if assignment.is_callable or assignment.attribute in declared:
                yield name, assignment.attribute


def test_no_callable_is_assigned_to_an_attribute_of_another_object() -> None:
    assert set(foreign_callables()) == set()


def test_every_registry_is_a_family_and_its_keys_are_the_modules_on_disk() -> None:
    assert {folder for folder, _ in FAMILIES.values()} == {*REGISTRIES, "commands"}
    for group, (folder, _) in FAMILIES.items():
        if folder in REGISTRIES:
            own = [name for name, part in REGISTRIES[folder].items() if not getattr(part, "sequence", "")]
            assert own == entry_names(group)


def test_functions_fit_a_screen() -> None:
    long = {f"{name}.{own}": lines for name in modules() for own, lines in facts_of(name).long.items()}
    assert long == KNOWN_LONG


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PROTOCOLS


def private_names_used_by(node: ast.AST) -> list[str]:
    """Return the private names of other objects that a node uses as attribute, import or argument of `getattr` and the like."""
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls")):
            return []
        case ast.Attribute(attr=name):
            named = [name]
        case ast.ImportFrom(module=module, names=aliases):
            # A module with a leading underscore is no private name.
            names = [alias.name for alias in aliases]
            named = [name for name in names if f"{module}.{name}".removeprefix("quatviz.") not in modules()]
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=args) if called.endswith(
            "attr"
        ):
            strings = [argument.value for argument in args if isinstance(argument, ast.Constant)]
            named = [word.rpartition(".")[2] for word in strings if isinstance(word, str)]
        case _:
            return []
    return [name for name in named if is_private(name)]


def explained_by(scope: ast.Module | ast.ClassDef | ast.FunctionDef) -> set[str]:
    """Return the private names that a docstring explains: those in backquotes between `Private:` and the paragraph end."""
    reasons = re.findall(r"\bPrivate: (.+?)(?:\n\n|$)", ast.get_docstring(scope) or "", re.DOTALL)
    return set(re.findall(r"`(_\w+)`", " ".join(reasons)))


def unexplained(tree: ast.Module) -> list[str]:
    """Return the private names that are used without an explanation, and those that are explained but not used."""
    used = {node: names for node in ast.walk(tree) if (names := private_names_used_by(node))}
    remaining = {(node, name) for node, names in used.items() for name in names}
    unused = []
    for scope in ast.walk(tree):
        if isinstance(scope, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            explained := explained_by(scope)
        ):
            inside = {
                (node, name) for node in ast.walk(scope) for name in used.get(node, ()) if name in explained
            }
            remaining -= inside
            unused += sorted(explained - {name for _, name in inside})
    return sorted(name for _, name in remaining) + unused


def test_private_names_in_tests_are_explained_in_a_docstring() -> None:
    unexplained_names = {
        path.name: unexplained(tree_of(path)) for path in sorted((ROOT / "tests").rglob("*.py"))
    }
    assert {name: names for name, names in unexplained_names.items() if names} == {}


@cache
def names_in(name: str) -> frozenset[str]:
    """Return the names that a module defines or imports, including attributes."""
    names = set()
    for node in ast.walk(tree_of(modules()[name])):
        match node:
            case ast.FunctionDef(name=own) | ast.ClassDef(name=own) | ast.Name(id=own, ctx=ast.Store()):
                names.add(own)
            case ast.Attribute(attr=own, ctx=ast.Store()):
                names.add(own)
            case ast.alias(name=own, asname=other):
                names.add(other or own)
    return frozenset(names)


def resolves(reference: str) -> bool:
    """Return True if a dotted name in a docstring leads to a module or a name, from any package of the tree."""
    if reference.rpartition(".")[2] in ("py", "md"):
        return True  # a file name
    head, *rest = reference.removeprefix("quatviz.").split(".")
    places = [name for name in modules() if name.rpartition(".")[2] == head]
    if not places or head in OTHER_MEANINGS:
        return True  # no module of quatviz
    for package in places:
        module, names = package, list(rest)
        while names and f"{module}.{names[0]}" in modules():
            module = f"{module}.{names.pop(0)}"
        if not names or names[0] in names_in(module):
            return True
    return False


OTHER_MEANINGS = {"body", "lane", "numpy", "run", "scipy", "strip"}
"""First parts of dotted names that are keys of presets, variables or other libraries."""


def test_dotted_names_in_docstrings_exist() -> None:
    stale = set()
    for name, path in modules().items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "`" in node.value:
                for reference in re.findall(r"(?<!`)`([a-z_]+(?:\.[A-Za-z_]\w*)+)(?:\(\))?`", node.value):
                    if not resolves(reference):
                        stale.add((name, reference))
    assert stale == set()


REASON = 'def test(patch):\n    """It holds. Private: `_a`, for nothing public shows it."""\n    '


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("thing._a", ["_a"]),
        ("thing.a._b.c", ["_b"]),
        ("self._a = cls._b", []),
        ("thing._replace(a=1), thing.__dict__", []),
        ("from quatviz.base import _a", ["_a"]),
        ("from quatviz.physics.formulations import _rates", []),
        (
            "patch.setattr(thing, '_a', 1)\nhasattr(thing, '_b')\npatch.setattr('quatviz.app._c', 1)",
            ["_a", "_b", "_c"],
        ),
        (REASON + "assert thing._a", []),
        (REASON + "assert thing._a and thing._b", ["_b"]),
        (REASON + "patch.setattr(thing, '_a', 1)", []),
        (REASON + "assert thing.a", ["_a"]),
        (REASON + "assert thing._a\n\nthing._a", ["_a"]),
        (REASON.replace("Private: ", "") + "assert thing._a", ["_a"]),
        (REASON.replace("It holds. ", "It holds `_b`.\n\n    ") + "assert thing._a and thing._b", ["_b"]),
    ],
)
def test_unexplained_private_names_are_found(source: str, names: list[str]) -> None:
    assert unexplained(ast.parse(source)) == names


def test_file_names_of_tests_are_unique() -> None:
    """pytest imports test files by name and rejects duplicates."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]])
def test_style_and_types(command: list[str]) -> None:
    process = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr
