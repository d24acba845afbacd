"""What a window opens beside itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.tools.export.exporter import Exporter


class WindowTools:
    """What the window opens beside itself: this one opens nothing, which is for a window that is only painted."""

    exporter: Exporter
    """Of the window, where a person can ask it for anything."""

    @property
    def scale(self) -> int:
        """Size of everything [%]."""
        return 100

    @property
    def is_presenting(self) -> bool:
        """Whether a lesson is presented."""
        return False

    def show_run(self) -> None:
        """Show the run, if the start page stands in its place."""

    def toggle_start_page(self) -> None:
        """Show the start page, or the run."""

    def open_tool(self, name: str, *arguments: Any) -> Any:
        """Show the window of a registered tool: see `quatviz.ui.tools`."""

    def open_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Open files in the tools that open such files; return those that none opens."""
        return paths

    def start_tour(self) -> None:
        """Lead through the window."""

    def present_lesson(self, path: Path) -> None:
        """Present the lesson of a file, or say why that cannot be."""

    def choose_lesson(self) -> None:
        """Let a person choose a lesson."""

    def control_lesson(self, command: str) -> None:
        """In the lesson that is presented: "next", "back", "votes", "room", "pointer", "leave"."""

    @property
    def in_presentation_mode(self) -> bool:
        """Whether a lesson is shown to a lecture room."""
        return False

    def undoable_votes(self, undo: bool) -> Votes | None:
        """Votes of a lesson, where the last step that can be taken back, or else be done again, is theirs."""
        return None

    def set_scale(self, scale: int) -> None:
        """Show everything at this size [%], now and from the next start on."""

    def reset_view(self) -> None:
        """Look and layout of a first start."""
