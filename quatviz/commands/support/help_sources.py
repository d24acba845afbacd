"""Update of generated texts: the table of formulations in the README, and the list of keys and the page of the library
in the help.

`python -m quatviz.commands.support.help_sources`, in a checkout, writes all of them.
"""

import re
from collections.abc import Callable
from pathlib import Path

from quatviz.base import resources
from quatviz.commands.support.library_page import library_page

KEYS_PAGE, LIBRARY_PAGE = "help/window.md", "help/library.md"
_FORMULATION_ROWS = re.compile(
    r"(?<=^\| lane \| what it is \| source \|\n\|---\|---\|---\|\n)(\|.*\n)+", re.MULTILINE
)
_KEYS_SECTION = re.compile(r"^## Keyboard shortcuts\n.*\Z", re.MULTILINE | re.DOTALL)


def update_readme(readme: str) -> str:
    """Return README's text with one row of its table for each formulation."""
    from quatviz.teaching.help.generated import GENERATORS

    return _FORMULATION_ROWS.sub(lambda _: f"{GENERATORS['table of formulations']()}\n", readme, count=1)


def update_keys(page: str) -> str:
    """Return the text of the page of the window with all keys."""
    from quatviz.teaching.help.actions import shortcuts_markdown
    from quatviz.ui.window.actions import ACTIONS

    return _KEYS_SECTION.sub(
        lambda _: f"## Keyboard shortcuts\n\n{shortcuts_markdown(ACTIONS).rstrip()}\n", page, count=1
    )


def main() -> None:
    root = resources.checkout_root()
    assert root is not None, "only a checkout has a README"
    updates: tuple[tuple[Path, Callable[[str], str]], ...] = (
        (root / "README.md", update_readme),
        (resources.asset_path(KEYS_PAGE), update_keys),
        (resources.asset_path(LIBRARY_PAGE), lambda _: library_page()),
    )
    for path, update in updates:
        path.write_text(update(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
