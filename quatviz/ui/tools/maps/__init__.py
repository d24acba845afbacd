"""Tool for parameter maps: one or two parameters are varied, and a measure of each run is shown."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class MapTool(Tool):
    """Tool that shows a measure of many runs over one or two parameters."""

    name = "maps"
    title = "Parameter maps"
    actions = (ToolAction("maps", "Parameter maps…", "analysis", ("Shift+S",), 20),)

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.maps.window import MapWindow

        return MapWindow(context.document)
