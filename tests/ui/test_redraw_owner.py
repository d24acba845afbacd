"""Only `quatviz.display.data.redraws` knows what must be redrawn."""

import ast
import re
from pathlib import Path

import quatviz.ui

UI = Path(quatviz.ui.__file__).parent
PARTS = ("window", "plots", "scene", "sidebar", "transport")
FLAG = re.compile(
    r"_?((has|needs|owes|lacks|is|are|shows|was)_)?"
    r"(dirty|stale|due|late|seen|waiting|outdated|outofdate|redraw|update|repaint|curves|current|unaligned|coarse|new_rows"
    r"|pending_rows|previous_run|run|text_current|values_read)"
)
"""Pattern of attribute names that mark something for redrawing."""

ALLOWED = {("scene/gl_resources.py", "_is_stale")}
"""Allowed: about the memory of the graphics card, not about a part of the window."""


def _is_flag(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def assigned_flags(path: Path) -> set[str]:
    """Return the names of the attributes to which a module assigns True or False."""
    flags = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(targets)
            pairs = zip(targets, values, strict=len(targets) == len(values))
            flags |= {
                assigned.attr
                for assigned, value in pairs
                if isinstance(assigned, ast.Attribute) and _is_flag(value)
            }
    return flags


def test_no_widget_has_its_own_redraw_flag() -> None:
    flags = {
        (str(path.relative_to(UI)), name)
        for part in PARTS
        for path in (UI / part).rglob("*.py")
        for name in assigned_flags(path)
        if FLAG.fullmatch(name)
    }
    assert flags == ALLOWED


def test_only_redraws_request_time_from_the_budget() -> None:
    asking = {
        str(path.relative_to(UI))
        for path in UI.rglob("*.py")
        if re.search(r"\.(redraws|growth_redraws|row_updates|run_starts)\.request\(", path.read_text())
    }
    assert not asking
