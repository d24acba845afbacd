"""What a person can do in a window, as one table: actions, menus, tool tips and lists of keys are made from it.

A table is rows of menus. Each window has one, whose acts are done to its `host`, the window itself; the main window is made
with `ui.window.acts.ACTS`. A key, a caption or a tool tip that names a key takes it from here, so that it is written once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from quatviz.base.formatting import keys_text
from quatviz.base.translation import tr

H = TypeVar("H")


@dataclass(frozen=True)
class Act(Generic[H]):
    """One thing to do. `text` is what menus say, with "…" where a dialog asks for more."""

    name: str
    text: str
    do: Callable[[H], object]
    keys: tuple[str, ...] = ()
    """Keys that do it, as Qt writes them ("Ctrl+Z")."""
    standard: str = ""
    """Name of a `QKeySequence.StandardKey`, whose keys on this platform do it too."""
    checked: Callable[[H], bool] | None = None
    """Whether it is on, for an act that turns something on and off."""
    enabled: Callable[[H], bool] | None = None
    """Whether it can be done now."""
    said: Callable[[H], str] | None = None
    """What menus say now, in place of `text`."""
    of: Callable[[H, str], object] | None = None
    """Does it to one thing of several by name, such as a panel, in a menu of that thing."""
    elsewhere: bool = False
    """Whether parts of the window use its keys too: it is done only where none of them takes the key."""
    stays: bool = False
    """Whether it leaves what stands in place of the run, the start page, where it is."""


@dataclass(frozen=True)
class Fill(Generic[H]):
    """A menu whose entries depend on what there is when it opens."""

    title: str
    fill: Callable[[H, Any], object]
    """Given the host and the menu."""


@dataclass(frozen=True)
class Menu(Generic[H]):
    """Rows of a menu; None is a line between them."""

    title: str
    rows: "tuple[Act[H] | Fill[H] | Menu[H] | None, ...]"

    @property
    def name(self) -> str:
        """The title without the mark of the letter that opens it."""
        return self.title.replace("&", "")


def placed(table: Sequence[Menu[H]]) -> Iterator[tuple[tuple[Menu[H], ...], Act[H]]]:
    """Every act with the menus that lead to it, in the order in which they are read."""
    for menu in table:
        for row in menu.rows:
            if isinstance(row, Act):
                yield (menu,), row
            elif isinstance(row, Menu):
                yield from (((menu, *menus), act) for menus, act in placed([row]))


def groups_of(table: Sequence[Menu[H]]) -> dict[str, list[Act[H]]]:
    """All acts by the name of the menu in which they stand, a menu before the menus in it."""
    groups: dict[str, list[Act[H]]] = {menu.name: [] for menu in table}
    for menus, act in placed(table):
        groups.setdefault(menus[-1].name, []).append(act)
    return {name: acts for name, acts in groups.items() if acts}


def bound(table: Sequence[Menu[H]]) -> dict[str, list[Act[H]]]:
    """What has a key, by menu; the rest stands in the menus only."""
    groups = {name: [act for act in acts if act.keys] for name, acts in groups_of(table).items()}
    return {name: acts for name, acts in groups.items() if acts}


def key_text(act: Act[H]) -> str:
    """The keys as a person reads them."""
    return tr("  or  ").join(map(keys_text, act.keys))


_BAR = "\\|"
"""A bar within a table of Markdown."""


def keys_markdown(table: Sequence[Menu[H]]) -> str:
    """All keys as the help's page shows them; acts without one are left out."""
    lines = []
    for group, acts in bound(table).items():
        lines += [f"**{tr(group)}**", "", "| | |", "|---|---|"]
        lines += [
            f"| {key_text(act)} | {tr(act.text).removesuffix('…').replace('|', _BAR)} |" for act in acts
        ]
        lines += [""]
    return "\n".join(lines)
