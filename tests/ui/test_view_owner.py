"""The view state has one owner: no choice is read from a widget, and no timer looks for changes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import quatviz.ui

UI = Path(quatviz.ui.__file__).parent
PARTS = ("window", "plots", "scene", "sidebar", "transport")
"""Packages that show the view state. Dialogs, tool windows and general widgets read their own fields."""
READERS = {"isHidden", "isChecked", "currentText", "currentIndex", "currentData", "value", "isOpen"}
"""Methods without arguments that return what a widget shows."""
ALLOWED = {
    ("window/part_sizes.py", "_shares"): "read in the slot of the scroll bars",
    ("sidebar/setup/initial_form.py", "_make_form"): "a lambda that is the slot of the field",
    ("sidebar/setup/initial_form.py", "_keep_unit_length"): "a slot of the field",
    ("sidebar/setup/items_form.py", "_add_numbers"): "a slot of the field",
    ("sidebar/setup/items_form.py", "_remove_numbers"): "a slot of the field",
    ("sidebar/anchor_bar.py", "_update_active"): "a slot of the scroll bar",
    ("sidebar/anchor_bar.py", "draw"): "a button that paints its own state",
}


def _functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def _reads_widget(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in READERS
        and not node.args
        and not node.keywords
    )


def test_no_choice_is_read_from_a_widget() -> None:
    findings = {
        (str(path.relative_to(UI)), function.name)
        for part in PARTS
        for path in (UI / part).rglob("*.py")
        for function in _functions(path)
        if any(map(_reads_widget, ast.walk(function)))
    }
    assert findings == set(ALLOWED)


def test_view_state_is_not_stored_in_widgets() -> None:
    """The window has no method that collects the view state from its widgets or pushes it into them."""
    path = UI / "window" / "shown_run.py"
    (view_state,) = (function for function in _functions(path) if function.name == "view_state")
    attributes = {node.attr for node in ast.walk(view_state) if isinstance(node, ast.Attribute)}
    assert not attributes & {
        "board",
        "views",
        "side",
        "magnifier",
        "equation_window",
        "splitter",
        "transport",
    }
    assert "apply" not in {function.name for function in _functions(path)}


MAX_REACHES = 20
"""Accepted number of expressions that reach through one part of the window to another."""


def _dotted_names(tree: ast.AST) -> Iterator[list[str]]:
    """Return the names of every maximal attribute chain, without a leading `self`."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    inner = {id(node.value) for node in attributes}
    for attribute in attributes:
        names: list[str] = []
        node: ast.expr = attribute
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if id(attribute) not in inner and isinstance(node, ast.Name):
            names += [node.id] if node.id != "self" else []
            yield names[::-1]


def test_few_expressions_reach_through_window_parts() -> None:
    """For example `window.board.axis.selected`: such code should ask the board, or get the axis as an argument."""
    reaches = [
        (path.name, ".".join(names))
        for path in (*UI.rglob("*.py"), UI.parent / "app.py")
        for names in _dotted_names(ast.parse(path.read_text()))
        if names[0] in ("w", "window", "_window") and len(names) >= 4
    ]
    assert len(reaches) < MAX_REACHES, reaches
