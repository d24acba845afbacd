"""Tools with the help window and the tour of the main window."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class HelpTool(Tool):
    """Tool that shows the help pages."""

    name = "help"
    title = "Help"
    actions = (
        ToolAction("help", "Help…", "help", ("F1",), 10, standard_key="HelpContents", keeps_start_page=True),
    )

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.help.window import HelpWindow

        return HelpWindow(context.window, context.search_entries)

    def show(self, window: Any, *arguments: Any) -> None:
        """Show a topic of the help, or the page read last."""
        window.open(*arguments)
