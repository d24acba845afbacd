"""What a person can find by a few letters of its words, whatever kind it is, and in which order. Nothing here draws."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from quatviz.base.latex import spellings

_WHOLE, _BEGINS, _INSIDE = 12.0, 8.0, 3.0
"""What a typed word counts that is a word of the title, begins one, or stands inside one."""
_FIRST = 4.0
"""What it counts more where it is the first word of the title."""
_WHERE, _ABOUT = 2.0, 1.0
"""What it counts where only the place, or the words about it, have it."""


@dataclass(frozen=True)
class Entry:
    """One thing that can be found. `where` says in which menu it stands, or what it is."""

    title: str
    where: str
    do: Callable[[], object]
    keys: str = ""
    """The key that does it too, as a person reads it."""
    about: str = ""
    """More words by which it is found."""
    possible: bool = True
    """Whether it can be done now; where it cannot, what is said about it tells why."""
    more: Callable[[Any], object] | None = None
    """What else can be done with it, asked for at a point of the screen."""


def ranked(entries: Iterable[Entry], typed: str) -> list[Entry]:
    """The entries that have every typed word, the best first; all of them in their order where nothing is typed.

    A word counts most that is one of the title, less that begins one, least that only the words about it have. Entries of the
    same weight stay in their order. Greek letters are found by their names too.
    """
    sought = typed.lower().split()
    weighed = [(weight(entry, sought), entry) for entry in entries]
    return [entry for found, entry in sorted(weighed, key=lambda one: -(one[0] or 0.0)) if found is not None]


def weight(entry: Entry, sought: list[str]) -> float | None:
    """How well an entry fits lower-case words; None where it lacks one of them."""
    total = 0.0
    for word in sought:
        found = max(_weight(entry, way) for way in spellings(word))
        if not found:
            return None
        total += found
    return total


def _weight(entry: Entry, word: str) -> float:
    title = entry.title.lower()
    words = re.findall(r"\w+", title)
    first = _FIRST if title.startswith(word) else 0.0
    if word in words:
        return _WHOLE + first
    if any(one.startswith(word) for one in words) or first:
        return _BEGINS + first
    if word in title:
        return _INSIDE
    if any(one.startswith(word) for one in re.findall(r"\w+", entry.where.lower())):
        return _WHERE
    return _ABOUT if word in entry.about.lower() else 0.0
