"""New name: a tool of the window.

The template opens a window that lists the lanes of the run. See `quatviz.ui.tools.base.Tool` for everything that a tool must
define, and `quatviz.ui.tools.base.ToolContext` for its access to the main window.
"""

from typing import Any

from quatviz.display.document.state import State
from quatviz.simulation.simulation import lane_names
from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class NewName(Tool):
    name = "new_name"
    title = "New name"
    actions = (ToolAction("new_name", "New name…"),)

    def create(self, context: ToolContext) -> Any:
        from PySide6.QtWidgets import QListWidget

        lanes = QListWidget()
        lanes.setWindowTitle(self.title)

        def show_lanes(state: State) -> None:
            lanes.clear()
            lanes.addItems(lane_names(state.preset.lanes))

        context.document.changed.connect(show_lanes)
        show_lanes(context.document.state)
        return lanes
