"""Actions of a window as a table, from which menus, shortcuts, tooltips and the list of keys are created.

A table is a sequence of menus. Each window has one table, and its actions are applied to the `host`, the window
itself. The table of the main window is `ui.window.actions.ACTIONS`. Texts that mention a shortcut read it from the
table, so that each shortcut is defined once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from quatviz.base.formatting import format_shortcut
from quatviz.base.translation import tr

H = TypeVar("H")


@dataclass(frozen=True)
class Action(Generic[H]):
    """One action. `text` is its menu text, which ends with "…" if the action opens a dialog."""

    name: str
    text: str
    callback: Callable[[H], object]
    shortcuts: tuple[str, ...] = ()
    """Shortcuts in Qt's notation, such as "Ctrl+Z"."""
    standard_key: str = ""
    """Name of a `QKeySequence.StandardKey`, whose keys on this platform are additional shortcuts."""
    is_checked: Callable[[H], bool] | None = None
    """Function of the host that returns True if a checkable action is on."""
    is_enabled: Callable[[H], bool] | None = None
    """Function of the host that returns True if the action is available now."""
    dynamic_text: Callable[[H], str] | None = None
    """Function of the host that returns the current menu text, which replaces `text`."""
    item_callback: Callable[[H, str], object] | None = None
    """Function (host, name) that applies the action to the object of this name, such as a panel. The context
    menu of the object calls it."""
    has_shared_shortcuts: bool = False
    """True if parts of the window also handle the keys of the action. The action is then triggered only by a key that
    none of them has handled."""
    keeps_start_page: bool = False
    """True if the start page stays open when the action is triggered."""


@dataclass(frozen=True)
class DynamicMenu(Generic[H]):
    """A menu whose entries are created each time it opens."""

    title: str
    populate: Callable[[H, Any], object]
    """Function (host, menu) that adds the entries to the menu when it opens."""


@dataclass(frozen=True)
class ToolRows:
    """Placeholder row of a menu. It is replaced by the entries of all tools of one section: see
    `quatviz.ui.tools.base`."""

    section: str


@dataclass(frozen=True)
class Menu(Generic[H]):
    """A menu with its rows. A row that is None is a separator."""

    title: str
    rows: "tuple[MenuRow[H], ...]"

    @property
    def name(self) -> str:
        """Title without the mnemonic mark "&"."""
        return self.title.replace("&", "")


MenuRow: TypeAlias = "Action[H] | DynamicMenu[H] | Menu[H] | ToolRows | None"
"""A row of a menu; None is a separator."""


def iterate_actions(table: Sequence[Menu[H]]) -> Iterator[tuple[tuple[Menu[H], ...], Action[H]]]:
    """Yield every action in order, with the menu and submenus that contain it."""
    for menu in table:
        for row in menu.rows:
            if isinstance(row, Action):
                yield (menu,), row
            elif isinstance(row, Menu):
                yield from (((menu, *menus), action) for menus, action in iterate_actions([row]))


def actions_by_menu(table: Sequence[Menu[H]]) -> dict[str, list[Action[H]]]:
    """Return all actions grouped by the name of their menu. A menu precedes its submenus."""
    groups: dict[str, list[Action[H]]] = {menu.name: [] for menu in table}
    for menus, action in iterate_actions(table):
        groups.setdefault(menus[-1].name, []).append(action)
    return {name: actions for name, actions in groups.items() if actions}


def actions_with_shortcuts(table: Sequence[Menu[H]]) -> dict[str, list[Action[H]]]:
    """Return the actions that have shortcuts, by the name of their menu."""
    groups = {
        name: [action for action in actions if action.shortcuts]
        for name, actions in actions_by_menu(table).items()
    }
    return {name: actions for name, actions in groups.items() if actions}


def shortcut_text(action: Action[H]) -> str:
    """Return the shortcuts of an action as text."""
    return tr("  or  ").join(map(format_shortcut, action.shortcuts))


_ESCAPED_BAR = "\\|"
"""Escaped vertical bar for the cells of a Markdown table."""


def shortcuts_markdown(table: Sequence[Menu[H]]) -> str:
    """Return all shortcuts as Markdown tables for the help, one table per menu."""
    lines = []
    for group, actions in actions_with_shortcuts(table).items():
        lines += [f"**{tr(group)}**", "", "| | |", "|---|---|"]
        lines += [
            f"| {shortcut_text(action)} | {tr(action.text).removesuffix('…').replace('|', _ESCAPED_BAR)} |"
            for action in actions
        ]
        lines += [""]
    return "\n".join(lines)
