"""The interface through which the window opens dialogs, tools and lessons."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.tools.export.exporter import Exporter


class WindowTools:
    """The tools of a window: dialogs, tool windows and lessons.

    The methods of this base class do nothing, which suits windows that are only rendered offscreen.
    """

    exporter: Exporter
    """The exporter of the window. Windows that are only rendered offscreen have none."""

    @property
    def scale(self) -> int:
        """Interface scale [%]."""
        return 100

    @property
    def is_presenting(self) -> bool:
        """True while a lesson is presented."""
        return False

    def show_run(self) -> None:
        """Show the run if the start page covers it."""

    def toggle_start_page(self) -> None:
        """Show the start page, or the run if the start page is shown."""

    def open_tool(self, name: str, *arguments: Any) -> Any:
        """Open the window of a registered tool, see `quatviz.ui.tools`."""

    def open_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Open files in the tools that can read them, and return the files that no tool can open."""
        return paths

    def start_tour(self) -> None:
        """Start the tour of the window."""

    def present_lesson(self, path: Path) -> None:
        """Present the lesson in this file, or explain why it cannot be presented."""

    def choose_lesson(self) -> None:
        """Ask for a lesson to present."""

    def control_lesson(self, command: str) -> None:
        """Control the lesson with one of the commands "next", "back", "votes" (start or finish counting votes),
        "presentation" (presentation mode), "pointer" and "leave"."""

    @property
    def in_presentation_mode(self) -> bool:
        """True if a lesson is shown in presentation mode: full screen in the projector theme."""
        return False

    def undoable_votes(self, undo: bool) -> Votes | None:
        """Return the votes of the lesson if the next undo step (or redo step) is a change of votes, else None."""
        return None

    def set_scale(self, scale: int) -> None:
        """Set the interface scale [%], now and for later starts."""

    def reset_view(self) -> None:
        """Reset the view state and the layout of the window to their defaults."""
