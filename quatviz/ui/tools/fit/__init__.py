"""Tool that estimates the moments of inertia of a body from a recording of its motion."""

from typing import Any

from quatviz.ui.tools.base import LAST_RECORDING, Tool, ToolAction, ToolContext


class FitTool(Tool):
    """Tool that estimates the moments of inertia of a body from a recording of its motion."""

    name = "fit"
    title = "Fit the body"
    actions = (ToolAction("fit_body", "Fit the body…", "experiment", ("J",), 10),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.fit.window import FitWindow

        return FitWindow(context.document)

    def show(self, window: Any, *arguments: Any) -> None:
        """Show the fit window. With the argument `LAST_RECORDING`, also fit the free flight of the last recording of the
        run."""
        super().show(window)
        if LAST_RECORDING in arguments:
            window.fit_last_recording()
