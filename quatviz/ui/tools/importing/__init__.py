"""Tool that imports recordings. Each recording becomes a lane of the run."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from quatviz.display.document.state import State
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.readers import READERS
from quatviz.simulation.simulation import lane_names
from quatviz.ui.tools.base import LAST_RECORDING, Tool, ToolAction, ToolContext

_IMPORT, _READ_AGAIN = "import", "read_again"


def recording_lanes(state: State) -> list[str]:
    """Return the names of the lanes that show a recording from a file."""
    lanes = state.preset.lanes
    return [
        name
        for name, lane in zip(lane_names(lanes), lanes, strict=True)
        if isinstance(lane.recording, ReadOptions)
    ]


class ImportTool(Tool):
    """Tool that imports recordings as lanes and changes how they are read."""

    name = "importing"
    title = "Import recordings"
    actions = (
        ToolAction("import", "Import recordings…", "import", order=10, arguments=(_IMPORT,)),
        ToolAction(
            "read_again",
            "Recording settings…",
            "lanes",
            order=20,
            arguments=(_READ_AGAIN,),
            is_available=lambda state: bool(recording_lanes(state)),
            accepts_item=True,
        ),
    )

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.importing.dialog import ImportDialog

        fit_body = None if context.open_tool is None else partial(context.open_tool, "fit", LAST_RECORDING)
        return ImportDialog(context.document, context.window, fit_body, context.leave_lesson)

    def show(self, window: Any, *arguments: Any) -> None:
        """Ask for recordings to import. If a lane is given, show instead how its recording is read."""
        request, *lanes = arguments
        if request == _IMPORT:
            window.ask_files()
        else:
            window.edit_recording(*lanes)

    def file_suffixes(self) -> Sequence[str]:
        return tuple(READERS.entries_by_ending)

    def open_files(self, window: Any, paths: Sequence[Path]) -> None:
        window.import_files(paths)
