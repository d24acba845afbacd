"""Tool that adds lanes to the run, one for each chosen formulation."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class AddLaneTool(Tool):
    """Tool that opens the dialog in which formulations of new lanes are chosen."""

    name = "add_lane"
    title = "Add a lane"
    actions = (ToolAction("add_lane", "Add a lane…", "lanes", ("I",), 5),)
    reuses_window = False

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.add_lane.dialog import AddLaneDialog

        return AddLaneDialog(context.document, context.window)

    def show(self, window: Any, *arguments: Any) -> None:
        window.open()
