"""The interface to dialogs and tools that the window opens."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.tools.export.exporter import Exporter


class WindowTools:
    """The tools of a window: dialogs, tool windows, lessons. This base class opens nothing and serves offscreen windows."""

    exporter: Exporter
    """The exporter of the window, present in interactive windows."""

    @property
    def scale(self) -> int:
        """Interface scale [%]."""
        return 100

    @property
    def is_presenting(self) -> bool:
        """True while a lesson is presented."""
        return False

    def show_run(self) -> None:
        """Show the run in place of the start page."""

    def toggle_start_page(self) -> None:
        """Toggle between start page and run."""

    def open_tool(self, name: str, *arguments: Any) -> Any:
        """Open the window of a registered tool, see `quatviz.ui.tools`."""

    def open_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Open files in the tools for them, and return those that no tool opens."""
        return paths

    def start_tour(self) -> None:
        """Start the tour of the window."""

    def present_lesson(self, path: Path) -> None:
        """Present the lesson of a file, or explain why not."""

    def choose_lesson(self) -> None:
        """Ask for a lesson to present."""

    def control_lesson(self, command: str) -> None:
        """Control the lesson: "next", "back", "votes", "room", "pointer" or "leave"."""

    @property
    def in_presentation_mode(self) -> bool:
        """True if a lesson is in presentation mode."""
        return False

    def undoable_votes(self, undo: bool) -> Votes | None:
        """Return the lesson's votes if the next undo (or redo) step concerns them, else None."""
        return None

    def set_scale(self, scale: int) -> None:
        """Set the interface scale [%], now and for later starts."""

    def reset_view(self) -> None:
        """Reset view state and layout to the defaults."""
