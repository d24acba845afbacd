"""Tool with the dialog in which the user chooses the formulations that a run compares."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class CompareTool(Tool):
    """Tool that opens the dialog in which formulations for a comparison are chosen."""

    name = "compare"
    title = "Compare formulations"
    actions = (ToolAction("compare", "Compare formulations…", "lanes", ("C",), 30),)
    reuses_window = False

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.compare.dialog import CompareDialog

        run_action = context.run_action or (lambda name: None)
        return CompareDialog(context.document, context.show_session, context.window, run_action)

    def show(self, window: Any, *arguments: Any) -> None:
        window.open()
