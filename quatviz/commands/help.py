"""`quatviz help`: the pages of the help in a terminal."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from quatviz.commands._text import as_text
from quatviz.help.pages import Page, Section, find, grouped, pages, plain
from quatviz.help.searching import search

_MOST = 20
"""Places that a search tells."""
_TABLE = re.compile(r"^ *\|(.*)\| *$")
_RULE = re.compile(r"^[\s|:\-]+$")


def main(words: Sequence[str]) -> int:
    """Print a page, a section, what a search finds, or the list of pages; 1 if nothing is found."""
    parser = argparse.ArgumentParser(
        prog="quatviz help",
        description="Without a topic: the pages. A page with all its sections: its name. One section: page#section.",
    )
    parser.add_argument("topic", nargs="?", help="such as errors, or errors#time-steps")
    parser.add_argument("--search", nargs="+", metavar="WORD", help="the sections that have all these words")
    choice = parser.parse_args(words)
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    if choice.search:
        return _search(" ".join(choice.search), width)
    if choice.topic is None:
        print("\n".join(_contents()))
        return 0
    section = find(choice.topic)
    page = pages()[section.page]
    print("\n".join(_rendered(page, section, width)))
    return 0


def _contents() -> Iterator[str]:
    widest = max(map(len, pages()))
    for group, members in grouped().items():
        yield f"{group}:"
        for page in members:
            yield f"  {page.name:{widest}}  {page.title}"
        yield ""
    yield "quatviz help PAGE prints one, quatviz help --search WORDS looks in all"


def _search(words: str, width: int) -> int:
    hits = search(words)
    if not hits:
        print(f"nothing in the help has all of: {words}", file=sys.stderr)
        return 1
    for hit in hits[:_MOST]:
        print(f"{hit.section.topic}   {hit.section.title}")
        print(textwrap.fill(hit.excerpt, width, initial_indent="    ", subsequent_indent="    "))
    if len(hits) > _MOST:
        print(f"and {len(hits) - _MOST} more: add a word")
    return 0


def _rendered(page: Page, section: Section, width: int) -> Iterator[str]:
    """A section with those below it; all of a page for its title."""
    first = page.sections.index(section)
    for number, part in enumerate(page.sections[first:]):
        if number and part.level <= section.level:
            break
        if number:
            yield ""
        yield _heading(part)
        yield ""
        yield from _text(part.text, width)


def _heading(section: Section) -> str:
    title = section.title.upper() if section.level == 1 else section.title
    return f"\033[1m{title}\033[0m" if sys.stdout.isatty() else title


def _text(markdown: str, width: int) -> Iterator[str]:
    """Paragraphs and items wrapped, tables aligned, formulae in letters, code as it stands."""
    for block in re.split(r"\n{2,}", markdown):
        lines = block.splitlines()
        if all(map(_TABLE.match, lines)) and lines:
            yield from _table(lines)
        elif block.startswith("$$"):
            yield f"    {plain(block)}"
        elif block.startswith(("    ", "```")):
            yield from (line for line in lines if not line.startswith("```"))
        else:
            yield from _wrapped(lines, width)
        yield ""


def _wrapped(lines: Sequence[str], width: int) -> Iterator[str]:
    items: list[str] = []
    for line in lines:
        if not items or re.match(r" *([-*]|\d+\.) ", line):
            items.append(line)
        else:
            items[-1] += f" {line.strip()}"
    for item in items:
        if item.startswith(("<!--", "![")):
            continue
        mark = re.match(r" *([-*]|\d+\.) +", item)
        indent = " " * len(mark[0]) if mark else ""
        yield textwrap.fill(
            plain(item), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )


def _table(lines: Sequence[str]) -> Iterator[str]:
    rows = [
        [plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        for line in lines
        if not _RULE.match(line)
    ]
    yield from as_text(rows[0], rows[1:]).splitlines()
