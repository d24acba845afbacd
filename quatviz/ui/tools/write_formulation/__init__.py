"""Tool in which the user types equations of motion."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class WriteFormulationTool(Tool):
    """Tool in which the user types equations of motion. They are checked, and added to the run as a lane."""

    name = "write_formulation"
    title = "Write a formulation"
    actions = (ToolAction("write_formulation", "Write your own formulation…", "lanes", (), 6),)
    reuses_window = False

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.write_formulation.dialog import FormulationDialog

        return FormulationDialog(context.document, context.window)

    def show(self, window: Any, *arguments: Any) -> None:
        window.open()
