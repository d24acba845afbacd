"""Tool with checksums of a run, which show whether two runs are bitwise identical."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class HashTool(Tool):
    """Tool that shows the checksums of all lanes."""

    name = "hashes"
    title = "Checksums"
    actions = (ToolAction("hashes", "Checksums…", "analysis", order=30),)
    reuses_window = False
    belongs_to_run = True

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.hashes.dialog import HashDialog

        return HashDialog(context.document.simulation, context.window)

    def show(self, window: Any, *arguments: Any) -> None:
        window.show()
