"""What a person can do in a window, as one table: actions, menus, tool tips and lists of keys are made from it.

A table is rows of menus. Each window has one, whose acts are done to its `host`, the window itself; the main window is made
with `ui.window.actions.ACTIONS`. A key, a caption or a tool tip that names a key takes it from here, so that it is written once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from quatviz.base.formatting import format_shortcut
from quatviz.base.translation import tr

H = TypeVar("H")


@dataclass(frozen=True)
class Action(Generic[H]):
    """One thing to do. `text` is what menus say, with "…" where a dialog asks for more."""

    name: str
    text: str
    callback: Callable[[H], object]
    shortcuts: tuple[str, ...] = ()
    """Keys that do it, as Qt writes them ("Ctrl+Z")."""
    standard_key: str = ""
    """Name of a `QKeySequence.StandardKey`, whose keys on this platform do it too."""
    is_checked: Callable[[H], bool] | None = None
    """Whether it is on, for an act that turns something on and off."""
    is_enabled: Callable[[H], bool] | None = None
    """Whether it can be done now."""
    dynamic_text: Callable[[H], str] | None = None
    """What menus say now, in place of `text`."""
    item_callback: Callable[[H, str], object] | None = None
    """Does it to one thing of several by name, such as a panel, in a menu of that thing."""
    has_shared_shortcuts: bool = False
    """Whether parts of the window use its keys too: it is done only where none of them takes the key."""
    keeps_start_page: bool = False
    """Whether it leaves what stands in place of the run, the start page, where it is."""


@dataclass(frozen=True)
class DynamicMenu(Generic[H]):
    """A menu whose entries depend on what there is when it opens."""

    title: str
    populate: Callable[[H, Any], object]
    """Given the host and the menu."""


@dataclass(frozen=True)
class ToolRows:
    """Stands for the menu entries of the tools of one section, which take its place: see `quatviz.ui.tools.base`."""

    section: str


@dataclass(frozen=True)
class Menu(Generic[H]):
    """Rows of a menu; None is a line between them."""

    title: str
    rows: "tuple[MenuRow[H], ...]"

    @property
    def name(self) -> str:
        """The title without the mark of the letter that opens it."""
        return self.title.replace("&", "")


MenuRow: TypeAlias = "Action[H] | DynamicMenu[H] | Menu[H] | ToolRows | None"
"""What a menu consists of."""


def iterate_actions(table: Sequence[Menu[H]]) -> Iterator[tuple[tuple[Menu[H], ...], Action[H]]]:
    """Every act with the menus that lead to it, in the order in which they are read."""
    for menu in table:
        for row in menu.rows:
            if isinstance(row, Action):
                yield (menu,), row
            elif isinstance(row, Menu):
                yield from (((menu, *menus), action) for menus, action in iterate_actions([row]))


def actions_by_menu(table: Sequence[Menu[H]]) -> dict[str, list[Action[H]]]:
    """All acts by the name of the menu in which they stand, a menu before the menus in it."""
    groups: dict[str, list[Action[H]]] = {menu.name: [] for menu in table}
    for menus, action in iterate_actions(table):
        groups.setdefault(menus[-1].name, []).append(action)
    return {name: actions for name, actions in groups.items() if actions}


def actions_with_shortcuts(table: Sequence[Menu[H]]) -> dict[str, list[Action[H]]]:
    """What has a key, by menu; the rest stands in the menus only."""
    groups = {
        name: [action for action in actions if action.shortcuts]
        for name, actions in actions_by_menu(table).items()
    }
    return {name: actions for name, actions in groups.items() if actions}


def shortcut_text(action: Action[H]) -> str:
    """The keys as a person reads them."""
    return tr("  or  ").join(map(format_shortcut, action.shortcuts))


_ESCAPED_BAR = "\\|"
"""A bar within a table of Markdown."""


def shortcuts_markdown(table: Sequence[Menu[H]]) -> str:
    """All keys as the help's page shows them; acts without one are left out."""
    lines = []
    for group, actions in actions_with_shortcuts(table).items():
        lines += [f"**{tr(group)}**", "", "| | |", "|---|---|"]
        lines += [
            f"| {shortcut_text(action)} | {tr(action.text).removesuffix('…').replace('|', _ESCAPED_BAR)} |"
            for action in actions
        ]
        lines += [""]
    return "\n".join(lines)
