"""Windows of the tools of one main window. They are created on first use and closed together with it."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shiboken6 import isValid

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.ui.tools.base import Tool, ToolContext

log = logging.getLogger(__name__)


class ToolWindows:
    """Windows of the tools of one main window, opened by the names of the tools.

    Parameters
    ----------
    tools
        Registered tools by name.
    context
        Services of the main window that are passed to the tools.
    """

    def __init__(self, tools: Mapping[str, type[Tool]], context: ToolContext) -> None:
        self._tools = {name: tool() for name, tool in tools.items()}
        self._context = context
        self._windows: dict[str, Any] = {}
        """Windows that are reused, by tool name."""
        self._others: list[tuple[Tool, Any]] = []
        """Windows of tools that create a new window for each call."""

    def open(self, name: str, *arguments: Any) -> Any:
        """Show the window of a tool, created on first use, and return it."""
        tool = self._tools[name]
        window = self._window_of(tool)
        tool.show(window, *arguments)
        return window

    def window(self, name: str) -> Any:
        """Return the window of a tool, or None if it has not been opened."""
        window = self._windows.get(name)
        return window if window is not None and isValid(window) else None

    def open_files(self, paths: Sequence[Path]) -> list[Path]:
        """Pass each file to the first tool that opens its suffix. Return the files that no tool opens."""
        remaining = list(paths)
        for tool in self._tools.values():
            suffixes = tool.file_suffixes()
            accepted = [path for path in remaining if path.suffix.lower() in suffixes]
            if accepted:
                tool.open_files(self._window_of(tool), accepted)
                remaining = [path for path in remaining if path not in accepted]
        return remaining

    def close_windows_of_run(self) -> None:
        """Close the windows that belong to the previous run, because another run is shown."""
        for tool, window in self._others:
            if tool.belongs_to_run and isValid(window):
                window.close()
        self._others = [(tool, window) for tool, window in self._others if isValid(window)]

    def shutdown(self, *names: str) -> None:
        """Close the windows of the tools with these names, or of all tools without names. Their computations are cancelled.

        An error in one window does not keep the others open.
        """
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
