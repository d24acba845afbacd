"""Tool with the equation cards: the equations of a lane with the numbers at the cursor."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class CardTool(Tool):
    """Tool that shows the equations of a lane with the numbers at the cursor.

    Its window belongs to the main window, because it can be docked below the run.
    """

    name = "cards"
    title = "Equations"
    actions = (ToolAction("equations", "Equations of the lanes…", "lanes", ("E",), 10, accepts_item=True),)

    def create(self, context: ToolContext) -> Any:
        return context.equation_window

    def show(self, window: Any, *arguments: Any) -> None:
        """Show the equations of a lane, or of the lane shown last."""
        window.open(*arguments)
