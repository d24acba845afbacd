"""New name: a tool of the window.

It begins with a window that lists the lanes of the run. What a tool has to give, point by point, stands in
`quatviz.ui.tools.base.Tool`, and what it gets of the main window in `quatviz.ui.tools.base.ToolContext`.
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
