"""What is written elsewhere too: README's tour is a page of the help, its table of formulations is made from them, the help's
list of keys is that of the window, and its page of the library is made from docstrings.

`python -m quatviz.commands.support.help_sources`, in a checkout, writes all of them anew.
"""

import re
from collections.abc import Callable
from pathlib import Path

from quatviz.base import resources
from quatviz.commands.support.library_page import library_page

TOUR_PAGE, KEYS_PAGE, LIBRARY_PAGE = "help/tour.md", "help/window.md", "help/library.md"
_TOUR_SECTION = re.compile(r"^## A tour of five minutes\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
_FORMULATION_ROWS = re.compile(
    r"(?<=^\| lane \| what it is \| source \|\n\|---\|---\|---\|\n)(\|.*\n)+", re.MULTILINE
)
_KEYS_SECTION = re.compile(r"^## All keys\n.*\Z", re.MULTILINE | re.DOTALL)


def update_readme(readme: str) -> str:
    """README's text with the tour of the help, whose links are seen from `assets/help`, and a row for each formulation."""
    from quatviz.teaching.help.generated import GENERATORS

    page = resources.asset_path(TOUR_PAGE).read_text("utf-8").removeprefix("# ")
    page = re.sub(r"\]\((?!\.\./|https?:|#)", "](assets/help/", page).replace("](../", "](assets/")
    readme = _TOUR_SECTION.sub(lambda _: f"## {page.rstrip()}\n\n", readme, count=1)
    return _FORMULATION_ROWS.sub(lambda _: f"{GENERATORS['table of formulations']()}\n", readme, count=1)


def update_keys(page: str) -> str:
    """The page of the window with its list of keys."""
    from quatviz.teaching.help.actions import shortcuts_markdown
    from quatviz.ui.window.actions import ACTIONS

    return _KEYS_SECTION.sub(
        lambda _: f"## All keys\n\n{shortcuts_markdown(ACTIONS).rstrip()}\n", page, count=1
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
