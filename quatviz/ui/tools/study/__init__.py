"""Tool for convergence studies: error and cost of lanes over time step or tolerance."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class StudyTool(Tool):
    """Tool that measures error and cost of lanes over time step or tolerance."""

    name = "study"
    title = "Study"
    actions = (ToolAction("study", "Study errors and cost…", "analysis", ("S",), 10),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.study.window import StudyWindow

        return StudyWindow(context.document)
