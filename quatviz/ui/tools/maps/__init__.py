"""Tool for parameter maps. A map varies one or two parameters of the run and shows one measure of each resulting run."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class MapTool(Tool):
    """Tool that opens the window for parameter maps: plots of a measure of many runs over one or two parameters."""

    name = "maps"
    title = "Parameter maps"
    actions = (ToolAction("maps", "Parameter maps…", "analysis", ("Shift+S",), 20),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.maps.window import MapWindow

        return MapWindow(context.document)
