"""The view state has one owner: no widget is asked for a choice, and no timer looks for changes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import quatviz.ui

UI = Path(quatviz.ui.__file__).parent
PARTS = ("window", "plots", "scene", "sidebar", "transport")
"""Packages that show the view state. Dialogs, tool windows and general widgets read what was typed into their own fields."""
READERS = {"isHidden", "isChecked", "currentText", "currentIndex", "currentData", "value", "isOpen"}
"""Methods without arguments that give what a widget shows."""
ALLOWED = {
    ("window/main_window.py", "_scroll_shares"): "read in the slot of the scroll bars",
    ("sidebar/setup/initial_form.py", "_make_form"): "a lambda that is the slot of the field",
    ("sidebar/setup/initial_form.py", "_keep_unit_length"): "a slot of the field",
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
    found = {
        (str(path.relative_to(UI)), function.name)
        for part in PARTS
        for path in (UI / part).rglob("*.py")
        for function in _functions(path)
        if any(map(_reads_widget, ast.walk(function)))
    }
    assert found == set(ALLOWED)


def test_what_the_window_shows_is_not_kept_in_it() -> None:
    """The window has no method that gathers the view state from its parts, or pushes one into them."""
    path = UI / "window" / "main_window.py"
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
