"""Tool that exports figures, data, films and web pages, and writes documents made from lessons."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


def _action(export: str, text: str, section: str, order: int, *keys: str, name: str = "") -> ToolAction:
    return ToolAction(
        name or f"export_{export}", text, section, keys, order, (export,), accepts_item=export == "figure"
    )


class ExportTool(Tool):
    """Tool that exports figures, data, films and web pages, and writes documents made from lessons.

    Its dialogs belong to the `Exporter` of the main window.
    """

    name = "export"
    title = "Export"
    actions = (
        _action("figure", "Export a figure…", "export", 10, "Ctrl+E"),
        _action("data", "Export data…", "export", 20, "Ctrl+Shift+E"),
        _action("page", "Export a web page…", "export", 30),
        _action("film", "Export a film…", "export", 40),
        _action("documents", "Write the paper's figures and tables…", "export", 50),
        _action("prepare", "Pre-compute a lesson…", "lessons", 10, name="prepare"),
        _action("join", "Join two lessons…", "lessons", 20, name="join"),
        _action("sheet", "Create worksheet…", "lessons", 30),
        _action("quiz", "Write a quiz for Moodle…", "lessons", 40),
    )

    def create(self, context: ToolContext) -> Any:
        return context.exporter

    def show(self, window: Any, *arguments: Any) -> None:
        """Open the export dialog that the first argument names. The second argument, if given, is the panel to be exported."""
        window.open_dialog(*arguments)
