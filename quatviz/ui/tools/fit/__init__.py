"""Tool that fits the moments of inertia of a body to a recording."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class FitTool(Tool):
    """Tool that fits the moments of inertia of a body to a recording."""

    name = "fit"
    title = "Fit the body"
    actions = (ToolAction("fit_body", "Fit the body…", "experiment", ("J",), 10),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.fit.window import FitWindow

        return FitWindow(context.document)
