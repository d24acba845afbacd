"""Base class of tools (windows and dialogs beside the main window), and their menu entries. Qt is not imported here, so that
tools can be listed without a display."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.base.registry import is_third_party
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.session import Session
from quatviz.teaching.help.actions import Action, Menu, MenuRow, ToolRows, iterate_actions
from quatviz.teaching.help.entry_search import SearchEntry

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

SECTIONS = ("import", "export", "lanes", "analysis", "experiment", "lessons", "help")
"""Names of the menu sections for tools. In this order, the sections are in File, in File > Export, in the upper and the lower
part of Lanes, and in Experiment, Lessons and Help."""


@dataclass(frozen=True)
class ToolAction:
    """Menu entry that opens a tool."""

    name: str
    """Unique name of the action."""
    text: str
    """Text of the menu entry. It ends with "…"."""
    section: str = "analysis"
    """Menu section, one of `SECTIONS`."""
    shortcuts: tuple[str, ...] = ()
    """Shortcuts in Qt's notation ("Shift+S")."""
    order: int = 500
    """Position within the section, lowest first. By default, entries of plug-ins follow those of quatviz."""
    arguments: tuple[Any, ...] = ()
    """Arguments with which the action calls `Tool.show`."""
    is_available: Callable[[State], bool] | None = None
    """Function that returns True if the tool can be used with a state of the document. None means that it always can."""
    accepts_item: bool = False
    """True if context menus of lanes or panels also have this entry. The name of the lane or panel is then the last argument
    of `Tool.show`."""
    standard_key: str = ""
    """Name of a `QKeySequence.StandardKey` that also triggers the action."""
    keeps_start_page: bool = False
    """True if the start page stays open when the action opens the tool."""


LAST_RECORDING = "last_recording"
"""Argument of `FitTool.show` that starts a fit of the last recording of the run."""


@dataclass(frozen=True)
class ToolContext:
    """Services of the main window that a tool may use."""

    document: Document
    """Document with the run, and its editing functions: `document.state.preset`, `document.propose`, `document.changed`."""
    window: "QWidget"
    """Main window, the parent of dialogs."""
    show_session: Callable[[Session, str], object]
    """Function that shows a session as one undo step. Its arguments are the session and the step's description."""
    equation_window: Any = None
    """Window with the equation cards. It belongs to the main window, because it can be docked there."""
    exporter: Any = None
    """`Exporter` with the export dialogs and the data that the window shows."""
    search_entries: Callable[[], Iterable[SearchEntry]] = tuple
    """Function that returns presets and lessons, which the help window also searches."""
    run_action: Callable[[str], object] | None = None
    """Function that runs an action of the main window by name."""
    open_tool: Callable[..., object] | None = None
    """Function that opens another tool. Its arguments are the tool's name and those of `Tool.show`."""
    leave_lesson: Callable[[], object] = lambda: None
    """Function that ends a lesson. Call it before opening a run for the user to keep.

    Otherwise the end of the lesson would replace the new run by the run from before the lesson.
    """


class Tool:
    """Base class of the tools of a window. A subclass in a module of `quatviz.ui.tools`, or of a plug-in package, is added to the
    menus automatically.

    1. `name` equals the name of the module, `title` is shown to the user, and `actions` are the menu entries.
    2. `create` makes the window. Import Qt and other large packages there, not at the top of the module.
    3. `show` brings the window to the front, or does what the arguments of the action request.
    4. If the window has a method `shutdown`, it is called when the main window closes. Any other window is closed and deleted.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    actions: ClassVar[tuple[ToolAction, ...]] = ()
    reuses_window: ClassVar[bool] = True
    """True if the window is created once and shown again. Otherwise each call creates a new one."""
    belongs_to_run: ClassVar[bool] = False
    """True if the window is closed when another run is shown."""

    def create(self, context: ToolContext) -> Any:
        """Create the window."""
        raise NotImplementedError

    def show(self, window: Any, *arguments: Any) -> None:
        """Show the window."""
        from quatviz.ui.widgets.windows import bring_to_front

        bring_to_front(window)

    def file_suffixes(self) -> Sequence[str]:
        """Return the suffixes, with dots, of the files that the tool can open when they are dropped on the main window."""
        return ()

    def open_files(self, window: Any, paths: Sequence[Path]) -> None:
        """Open dropped files in `window`, the window of this tool."""
        raise NotImplementedError


def insert_tools(table: Sequence[Menu[Any]], tools: Mapping[str, type[Tool]]) -> tuple[Menu[Any], ...]:
    """Return the menus of `table`, with the actions of the tools in place of the `ToolRows` markers.

    A plug-in's action is left out if its name is already used. Shortcuts of a plug-in that are already used are left out,
    too.
    """
    own_actions = {action.name: action for _, action in iterate_actions(table)}
    taken_keys = {keys for action in own_actions.values() for keys in action.shortcuts}
    rows: dict[str, list[tuple[int, Action[Any]]]] = {section: [] for section in SECTIONS}
    for tool in sorted(tools.values(), key=is_third_party):
        for entry in tool.actions:
            if entry.name in own_actions or entry.section not in rows:
                log.warning(
                    "the action %s of the tool %s is left out: name or section", entry.name, tool.name
                )
                continue
            keys = tuple(keys for keys in entry.shortcuts if keys not in taken_keys)
            if keys != entry.shortcuts:
                log.warning("keys of the tool %s are taken: %s", tool.name, ", ".join(entry.shortcuts))
            action = _make_action(tool, entry, keys)
            own_actions[entry.name] = action
            taken_keys.update(keys)
            rows[entry.section].append((entry.order, action))
    sorted_rows = {
        section: tuple(action for _, action in sorted(actions, key=lambda item: item[0]))
        for section, actions in rows.items()
    }
    return tuple(_with_tools(menu, sorted_rows) for menu in table)


def _make_action(tool: type[Tool], entry: ToolAction, keys: tuple[str, ...]) -> Action[Any]:
    def open_tool(window: Any, *item: str) -> object:
        return window.tools.open_tool(tool.name, *entry.arguments, *item)

    return Action(
        entry.name,
        entry.text,
        open_tool,
        keys,
        entry.standard_key,
        is_enabled=partial(_is_available, entry) if entry.is_available is not None else None,
        item_callback=open_tool if entry.accepts_item else None,
        keeps_start_page=entry.keeps_start_page,
    )


def _is_available(entry: ToolAction, window: Any) -> bool:
    """Return True if the action is available. If the tool raises an error, the action counts as unavailable, and the menus
    keep working."""
    assert entry.is_available is not None
    try:
        return bool(entry.is_available(window.document.state))
    except PLUGIN_EXCEPTIONS:
        log.exception("the action %s could not say whether it is available", entry.name)
        return False


def _with_tools(menu: Menu[Any], rows_by_section: Mapping[str, tuple[Action[Any], ...]]) -> Menu[Any]:
    rows: list[MenuRow[Any]] = []
    for row in menu.rows:
        if isinstance(row, ToolRows):
            rows += rows_by_section[row.section]
        else:
            rows.append(_with_tools(row, rows_by_section) if isinstance(row, Menu) else row)
    return Menu(menu.title, tuple(rows))
