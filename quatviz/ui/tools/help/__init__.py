"""Tools that show the help window and the tour of the main window."""

from functools import partial
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
        from quatviz.ui.widgets.windows import bring_to_front

        # Without a parent, because a desktop keeps a child window in front of its parent, which would hide what is opened.
        help_window = HelpWindow(runs=context.search_entries)
        help_window.run_opened.connect(partial(bring_to_front, context.window))
        return help_window

    def show(self, window: Any, *arguments: Any) -> None:
        """Show a topic of the help. Without a topic, show the page that was read last."""
        window.open(*arguments)
