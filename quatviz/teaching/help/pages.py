"""The pages of the help and their sections. A page is a file in `assets/help`, Markdown or a notebook; a new one is found by
itself. What it says of the kinds that there are is made from these, see `kinds`.

A topic names a page, or a section of it: `errors`, `errors#time-steps`. The name of a section is its heading as GitHub
makes an anchor of it, so that links work there too.
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import blocks, plain
from quatviz.teaching.help.generated import filled
from quatviz.teaching.help.notebooks import read_notebook

GROUPS = {
    "Begin": ("first_steps", "tour", "window"),
    "The window": (
        "view", "plots", "lanes", "time", "setup", "reading", "cards", "study", "sweeps", "experiments", "export", "page",
    ),
    "The mechanics": ("formulations", "integrators", "drift", "exact", "recordings", "fit", "conventions"),
    "Teaching": ("lessons",),
    "Outside the window": ("scripting", "clusters", "library", "own", "extending"),
    "Notebooks": ("satellite", "derived", "convergence"),
    "Trouble": ("errors",),
}  # fmt: skip
"""The order of reading. Pages that are in none of these groups stand in the last one, by title."""
OTHERS = "More"


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, up to the next heading of any level."""

    page: str
    slug: str
    title: str
    level: int
    text: str

    @property
    def topic(self) -> str:
        return f"{self.page}#{self.slug}" if self.level > 1 else self.page


@dataclass(frozen=True)
class Page:
    """One file. Its first section is that of its title."""

    name: str
    text: str
    sections: tuple[Section, ...]
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Those of a notebook, PNG, by the names that the text calls them."""

    @property
    def title(self) -> str:
        return self.sections[0].title


@cache
def pages() -> dict[str, Page]:
    """Every page by name, in the order of reading."""
    found = {path.stem: _page(path) for path in files()}
    named = [name for group in GROUPS.values() for name in group if name in found]
    others = sorted(set(found) - set(named), key=lambda name: found[name].title)
    return {name: found[name] for name in (*named, *others)}


def files() -> list[Path]:
    """Those of the pages."""
    folder = resources.asset("help")
    return sorted([*folder.glob("*.md"), *folder.glob("*.ipynb")])


def _page(path: Path) -> Page:
    if path.suffix == ".ipynb":
        return read(path.stem, *read_notebook(path))
    return read(path.stem, filled(path.read_text("utf-8")))


def grouped() -> dict[str, list[Page]]:
    """The pages below the names of their groups."""
    every = pages()
    groups = {group: [every[name] for name in names if name in every] for group, names in GROUPS.items()}
    named = {name for names in GROUPS.values() for name in names}
    groups[OTHERS] = [page for name, page in every.items() if name not in named]
    return {group: members for group, members in groups.items() if members}


def read(name: str, text: str, pictures: Mapping[str, bytes] = {}) -> Page:
    """A page and its sections from its text. ValueError where it does not begin with a title."""
    lines, every = text.splitlines(keepends=True), blocks(text)
    starts = [
        (token.map[0], int(token.tag[1:]), plain(line.content))
        for token, line in pairwise(every)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    if not starts or starts[0][0] != 0 or starts[0][1] != 1:
        raise ValueError(f"the help page {name} does not begin with a title")
    ends = [number for number, _, _ in starts[1:]] + [len(lines)]
    sections, taken = [], dict[str, int]()
    for (number, level, title), end in zip(starts, ends, strict=True):
        slug = slug_of(title)
        count = taken[slug] = taken.get(slug, -1) + 1
        unique = f"{slug}-{count}" if count else slug
        sections.append(Section(name, unique, title, level, "".join(lines[number + 1 : end]).strip("\n")))
    return Page(name, text, tuple(sections), pictures)


def slug_of(title: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def find(topic: str) -> Section:
    """The section that a topic names: `page`, `page#section`, or a section alone whose name no page has twice.

    `InputError` where there is none.
    """
    every, sought = pages(), topic.strip().removesuffix(".md").replace(".md#", "#")
    name, _, slug = sought.partition("#")
    if name in every and not slug:
        return every[name].sections[0]
    sections = [section for page in every.values() for section in page.sections]
    if name in every:
        sections = list(every[name].sections)
    alone = [section for section in sections if section.slug == (slug or slug_of(name))]
    if alone and (name in every or len(alone) == 1):
        return alone[0]
    topics = [section.topic for section in sections]
    near = difflib.get_close_matches(sought, topics, n=3, cutoff=0.5) or list(every)
    raise InputError(
        phrase("the help's topic {topic!r}", topic=topic),
        expected="a page of the help, or a section of one",
        found="no such topic",
        remedy=phrase("one of {names}; or quatviz help WORDS", names=", ".join(near)),
        topic="window#help",
    )
