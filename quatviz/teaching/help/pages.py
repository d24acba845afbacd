"""Pages and sections of the help. Every Markdown file and notebook in `assets/help` is a page.

Lists of formulations, panels and other extensions are generated: see `generated`. A topic is the address of a page
or of a section, such as `errors` or `errors#time-steps`. The name of a section is the anchor that GitHub derives
from its heading, so that links also work on GitHub.
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
from quatviz.base.markdown import block_tokens, to_plain_text
from quatviz.teaching.help.generated import fill_generated
from quatviz.teaching.help.notebooks import read_notebook

PAGE_GROUPS = {
    "Begin": ("first_steps", "tour", "window", "glossary"),
    "The window": (
        "view", "plots", "lanes", "time", "setup", "reading", "cards", "study", "sweeps", "experiments", "export", "page",
    ),
    "The mechanics": (
        "formulations", "integrators", "drift", "exact", "recordings", "fit", "conventions", "operators", "published", "errata",
        "sources",
    ),
    "Teaching": ("lessons",),
    "Outside the window": ("scripting", "clusters", "library", "own", "extending", "developing", "speed"),
    "Notebooks": ("satellite", "derived", "convergence"),
    "Trouble": ("errors",),
}  # fmt: skip
"""Groups of pages in reading order. Pages without a group follow at the end, sorted by title."""
OTHER_GROUP = "More"


@dataclass(frozen=True)
class Section:
    """A section of a page: a heading and its content, up to the next heading of any level."""

    page: str
    slug: str
    title: str
    level: int
    text: str

    @property
    def topic(self) -> str:
        return f"{self.page}#{self.slug}" if self.level > 1 else self.page


@dataclass(frozen=True)
class HelpPage:
    """A help page, read from one file. Its first section has the title of the page."""

    name: str
    text: str
    sections: tuple[Section, ...]
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Pictures of a notebook as PNG data, by their file names in the text."""

    @property
    def title(self) -> str:
        return self.sections[0].title


@cache
def pages() -> dict[str, HelpPage]:
    """Return every page by name, in reading order."""
    pages_by_name = {path.stem: _read_page(path) for path in page_files()}
    named = [name for group in PAGE_GROUPS.values() for name in group if name in pages_by_name]
    others = sorted(set(pages_by_name) - set(named), key=lambda name: pages_by_name[name].title)
    return {name: pages_by_name[name] for name in (*named, *others)}


def page_files() -> list[Path]:
    """Return the files of all pages: Markdown files and notebooks."""
    folder = resources.asset_path("help")
    return sorted([*folder.glob("*.md"), *folder.glob("*.ipynb")])


def _read_page(path: Path) -> HelpPage:
    if path.suffix == ".ipynb":
        return parse_page(path.stem, *read_notebook(path))
    return parse_page(path.stem, fill_generated(path.read_text("utf-8")))


def pages_by_group() -> dict[str, list[HelpPage]]:
    """Return the pages of each group, by title of the group."""
    all_pages = pages()
    groups = {
        group: [all_pages[name] for name in names if name in all_pages]
        for group, names in PAGE_GROUPS.items()
    }
    named = {name for names in PAGE_GROUPS.values() for name in names}
    groups[OTHER_GROUP] = [page for name, page in all_pages.items() if name not in named]
    return {group: members for group, members in groups.items() if members}


def parse_page(name: str, text: str, pictures: Mapping[str, bytes] = {}) -> HelpPage:
    """Parse a page and its sections.

    Raises
    ------
    ValueError
        If the text does not begin with a title.
    """
    lines, tokens = text.splitlines(keepends=True), block_tokens(text)
    starts = [
        (token.map[0], int(token.tag[1:]), to_plain_text(line.content))
        for token, line in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    if not starts or starts[0][0] != 0 or starts[0][1] != 1:
        raise ValueError(f"the help page {name} does not begin with a title")
    ends = [number for number, _, _ in starts[1:]] + [len(lines)]
    sections, slug_counts = [], dict[str, int]()
    for (number, level, title), end in zip(starts, ends, strict=True):
        slug = slugify(title)
        count = slug_counts[slug] = slug_counts.get(slug, -1) + 1
        unique = f"{slug}-{count}" if count else slug
        sections.append(Section(name, unique, title, level, "".join(lines[number + 1 : end]).strip("\n")))
    return HelpPage(name, text, tuple(sections), pictures)


def slugify(title: str) -> str:
    """Return the anchor that GitHub derives from a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def find_section(topic: str) -> Section:
    """Return the section for a topic: `page`, `page#section`, or the name of a section if it is unique.

    Raises
    ------
    InputError
        If there is no such section.
    """
    all_pages, query = pages(), topic.strip().removesuffix(".md").replace(".md#", "#")
    name, _, slug = query.partition("#")
    if name in all_pages and not slug:
        return all_pages[name].sections[0]
    sections = [section for page in all_pages.values() for section in page.sections]
    if name in all_pages:
        sections = list(all_pages[name].sections)
    matches = [section for section in sections if section.slug == (slug or slugify(name))]
    if matches and (name in all_pages or len(matches) == 1):
        return matches[0]
    topics = [section.topic for section in sections]
    suggestions = difflib.get_close_matches(query, topics, n=3, cutoff=0.5) or list(all_pages)
    raise InputError(
        phrase("the help's topic {topic!r}", topic=topic),
        expected="a page of the help, or a section of one",
        found="no such topic",
        remedy=phrase(
            "choose one of {names}, or search with: quatviz help WORDS", names=", ".join(suggestions)
        ),
        topic="window#help",
    )
