"""Tool that chooses the formulations to be compared."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class CompareTool(Tool):
    """Tool that opens the dialog for the formulations to be compared."""

    name = "compare"
    title = "Compare formulations"
    actions = (ToolAction("compare", "Compare formulations…", "lanes", ("C",), 30),)
    reuses_window = False

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.compare.dialog import CompareDialog

        def write_formulation() -> None:
            if context.run_action is not None:
                context.run_action("write_formulation")

        return CompareDialog(context.document, context.show_session, context.window, write_formulation)

    def show(self, window: Any, *arguments: Any) -> None:
        window.open()
