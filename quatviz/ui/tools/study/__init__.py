"""Tool for convergence studies, which measure error and cost of lanes for several time steps or tolerances."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class StudyTool(Tool):
    """Tool that opens the window for convergence studies."""

    name = "study"
    title = "Study"
    actions = (ToolAction("study", "Study errors and cost…", "analysis", ("S",), 10),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.study.window import StudyWindow

        return StudyWindow(context.document)
