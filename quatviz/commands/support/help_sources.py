"""What is written elsewhere too: README's tour is a page of the help, its table of formulations is made from them, the help's
list of keys is that of the window, and its page of the library is made from docstrings.

`python -m quatviz.commands.support.help_sources`, in a checkout, writes all of them anew.
"""

import re
from collections.abc import Callable
from pathlib import Path

from quatviz.base import resources
from quatviz.commands.support.library_page import library_page

TOUR, KEYS, LIBRARY = "help/tour.md", "help/window.md", "help/library.md"
_TOUR = re.compile(r"^## A tour of five minutes\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
_FORMULATIONS = re.compile(
    r"(?<=^\| lane \| what it is \| source \|\n\|---\|---\|---\|\n)(\|.*\n)+", re.MULTILINE
)
_KEYS = re.compile(r"^## All keys\n.*\Z", re.MULTILINE | re.DOTALL)


def renewed_readme(readme: str) -> str:
    """README's text with the tour of the help, whose links are seen from `assets/help`, and a row for each formulation."""
    from quatviz.teaching.help.generated import MADE

    page = resources.asset(TOUR).read_text("utf-8").removeprefix("# ")
    page = re.sub(r"\]\((?!\.\./|https?:|#)", "](assets/help/", page).replace("](../", "](assets/")
    readme = _TOUR.sub(lambda _: f"## {page.rstrip()}\n\n", readme, count=1)
    return _FORMULATIONS.sub(lambda _: f"{MADE['table of formulations']()}\n", readme, count=1)


def page_with_keys(page: str) -> str:
    """The page of the window with its list of keys."""
    from quatviz.teaching.help.actions import keys_markdown
    from quatviz.ui.window.actions import ACTS

    return _KEYS.sub(lambda _: f"## All keys\n\n{keys_markdown(ACTS).rstrip()}\n", page, count=1)


def main() -> None:
    root = resources.checkout()
    assert root is not None, "only a checkout has a README"
    renewals: tuple[tuple[Path, Callable[[str], str]], ...] = (
        (root / "README.md", renewed_readme),
        (resources.asset(KEYS), page_with_keys),
        (resources.asset(LIBRARY), lambda _: library_page()),
    )
    for path, renewed in renewals:
        path.write_text(renewed(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
