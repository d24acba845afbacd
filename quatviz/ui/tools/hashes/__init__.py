"""Tool that shows checksums of the computed run. Two runs are bitwise identical if their checksums are equal."""

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
