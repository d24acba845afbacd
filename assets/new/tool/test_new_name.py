"""The tool new_name is found, and the menus have an entry that opens it."""

from quatviz.teaching.help.actions import Menu, ToolRows, iterate_actions
from quatviz.ui.tools import TOOLS
from quatviz.ui.tools.base import insert_tools


def test_tool_is_registered() -> None:
    assert TOOLS["new_name"].title == "New name"


def test_menu_opens_tool() -> None:
    table = insert_tools([Menu("Lanes", (ToolRows("analysis"),))], TOOLS)
    assert "new_name" in [action.name for _, action in iterate_actions(table)]
