"""The windows of the tools of one main window: made when they are first asked for, closed together with it."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shiboken6 import isValid

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.ui.tools.base import Tool, ToolContext

log = logging.getLogger(__name__)


class ToolWindows:
    """Opens tools by their names.

    Parameters
    ----------
    tools
        The registered tools by name.
    context
        What the tools get of the main window.
    """

    def __init__(self, tools: Mapping[str, type[Tool]], context: ToolContext) -> None:
        self._tools = {name: tool() for name, tool in tools.items()}
        self._context = context
        self._windows: dict[str, Any] = {}
        """The windows that are kept, by the names of their tools."""
        self._others: list[tuple[Tool, Any]] = []
        """The windows of tools that make a new one for each call."""

    def open(self, name: str, *arguments: Any) -> Any:
        """Show the window of a tool, made first if it is not there, and return it."""
        tool = self._tools[name]
        window = self._window_of(tool)
        tool.show(window, *arguments)
        return window

    def window(self, name: str) -> Any:
        """Return the window of a tool, or None if it was not opened yet."""
        window = self._windows.get(name)
        return window if window is not None and isValid(window) else None

    def open_files(self, paths: Sequence[Path]) -> list[Path]:
        """Give each file to the first tool that opens files of its suffix; return the files that no tool opens."""
        remaining = list(paths)
        for tool in self._tools.values():
            suffixes = tool.file_suffixes()
            accepted = [path for path in remaining if path.suffix.lower() in suffixes]
            if accepted:
                tool.open_files(self._window_of(tool), accepted)
                remaining = [path for path in remaining if path not in accepted]
        return remaining

    def close_windows_of_run(self) -> None:
        """Close the windows that are about a run which is no longer shown."""
        for tool, window in self._others:
            if tool.belongs_to_run and isValid(window):
                window.close()
        self._others = [(tool, window) for tool, window in self._others if isValid(window)]

    def shutdown(self, *names: str) -> None:
        """Cancel what runs and close the windows of these tools, of all if none is named. One that fails stops no other."""
        windows = [*self._windows.items(), *((tool.name, window) for tool, window in self._others)]
        closing = [(name, window) for name, window in windows if not names or name in names]
        for name, _ in closing:
            self._windows.pop(name, None)
        self._others = [(tool, window) for tool, window in self._others if names and tool.name not in names]
        for name, window in closing:
            try:
                if not isValid(window):
                    continue
                if hasattr(window, "shutdown"):
                    window.shutdown()
                else:
                    window.close()
                    window.deleteLater()
            except PLUGIN_EXCEPTIONS:
                log.exception("the window of the tool %s could not be closed", name)

    def _window_of(self, tool: Tool) -> Any:
        if not tool.reuses_window:
            window = tool.create(self._context)
            self._others = [
                (other, open_window) for other, open_window in self._others if isValid(open_window)
            ]
            self._others.append((tool, window))
            return window
        window = self.window(tool.name)
        if window is None:
            window = self._windows[tool.name] = tool.create(self._context)
        return window
