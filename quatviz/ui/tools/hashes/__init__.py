"""Checksums of a run, by which two runs are compared to the last bit."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class HashTool(Tool):
    """Shows the checksums of all lanes."""

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
