"""The shape of the code: who may import whom, registries, file sizes, style and types."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from quatviz.cards import CARDS
from quatviz.commands.outputs import OUTPUTS
from quatviz.core.events import EVENTS
from quatviz.core.exact import SOLUTIONS
from quatviz.core.loads import LOADS
from quatviz.core.shapes import SHAPES
from quatviz.export.documents import EXHIBITS
from quatviz.export.formats import FORMATS
from quatviz.formulations import FORMULATIONS
from quatviz.integrators import INTEGRATORS
from quatviz.steady.actions import ACTIONS
from quatviz.ui.panels import PANELS
from quatviz.ui.scene.items import ITEMS
from quatviz.verify.parts import PARTS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "quatviz"

LAYERS = [
    {"resources", "core", "help", "kernel_cache", "kernel_index", "version", "bootstrap"},
    {"formulations"},
    {"integrators"},
    {"simulation"},
    {"studies", "export", "scripting", "verify", "cards", "lessons"},
    {"ui"},
    {"app", "presentation", "bench", "steady", "commands", "cli", "__main__"},
]
"""From the inside out; the root package, the scripting interface, may be imported by the last one only."""
DRAWING = {"PySide6", "pyqtgraph", "OpenGL"}


def rank(part: str) -> int:
    return next(index for index, layer in enumerate(LAYERS) if part in layer)


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "bootstrap.py"]


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports from the root"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" for alias in node.names} if base == "quatviz" else {base}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_inward(path: Path) -> None:
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if part == "__init__":
        return
    own = rank(part)
    for name in imports_of(path):
        top, _, rest = name.partition(".")
        if top in DRAWING:
            assert own >= rank("ui"), f"{path.name} draws"
        if top != "quatviz":
            continue
        other = rest.split(".")[0]
        if not other or other == "__version__":
            assert own == len(LAYERS) - 1, f"{path.name} uses the scripting interface from inside"
        else:
            assert rank(other) <= own, f"{path.relative_to(PACKAGE)} imports outward: {name}"


@pytest.mark.parametrize(
    ("registry", "folder"),
    [
        (FORMULATIONS, "formulations"),
        (INTEGRATORS, "integrators"),
        (LOADS, "core/loads"),
        (SHAPES, "core/shapes"),
        (EVENTS, "core/events"),
        (SOLUTIONS, "core/exact"),
        (FORMATS, "export/formats"),
        (EXHIBITS, "export/documents"),
        (PARTS, "verify/parts"),
        (CARDS, "cards"),
        (PANELS, "ui/panels"),
        (ITEMS, "ui/scene/items"),
        (OUTPUTS, "commands/outputs"),
        (ACTIONS, "steady/actions"),
    ],
)
def test_registry_keys_are_the_modules_on_disk(registry, folder: str) -> None:
    on_disk = {path.stem for path in (PACKAGE / folder).glob("*.py")} - {"__init__", "base"}
    assert set(registry) == {name for name in on_disk if not name.startswith("_")}


@pytest.mark.parametrize(
    "path",
    [*sorted(PACKAGE.rglob("*.py")), *sorted((ROOT / "tests").rglob("*.py"))],
    ids=lambda path: path.name,
)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]])
def test_style_and_types(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
