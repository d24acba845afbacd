"""What a person can find by a few letters of its words, whatever kind it is, and in which order. Nothing here draws."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from quatviz.base import resources
from quatviz.base.latex import spellings

_WHOLE, _BEGINS, _INSIDE = 12.0, 8.0, 3.0
"""What a typed word counts that is a word of the title, begins one, or stands inside one."""
_FIRST = 4.0
"""What it counts more where it is the first word of the title."""
_WHERE, _ABOUT = 2.0, 1.0
"""What it counts where only the place, or the words about it, have it."""
_MEANT = 0.2
"""What a way of saying the same counts beside what was typed: in a title more than what was typed does in the words about it."""
READ = 0.7
"""What a page of the help counts beside what can be seen or done."""
_UNFINISHED = 4
"""Letters from which on the beginning of a phrase is taken for it."""
_SPELT, _ALIKE = 6, 0.82
"""Letters from which on a phrase is taken for one that is spelt like it, and how like it."""


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
    known: str = ""
    """Words by which it is found that do not stand beside it, such as names of those who have found it."""
    possible: bool = True
    """Whether it can be done now; where it cannot, what is said about it tells why."""
    counts: float = 1.0
    """What its words count beside those of others."""
    more: Callable[[Any], object] | None = None
    """What else can be done with it, asked for at a point of the screen."""


def ranked(entries: Iterable[Entry], typed: str) -> list[Entry]:
    """The entries that have every typed word, the best first; all of them in their order where nothing is typed.

    A word counts most that is one of the title, less that begins one, least that only the words about it have. Entries of the
    same weight stay in their order. Greek letters are found by their names too. What is called by another word for the same
    (`meant`) stands behind what is called by the typed ones, and before what only mentions them. Words of which some stand only in
    the words about it are such a mention, whole where they stand there together, less where they are strewn.
    """
    words, ways = typed.lower().split(), [way.split() for way in meant(typed)]
    weighed = [(_weighed(entry, words, ways), entry) for entry in entries]
    return [entry for found, entry in sorted(weighed, key=lambda one: -(one[0] or 0.0)) if found is not None]


def narrowed(entries: Iterable[Entry], typed: str) -> list[Entry]:
    """Those that `ranked` finds, for a list that shows no others: where some have every typed word, or what is meant, where a word
    begins, those alone. Behind gradients every Lagrange would be found by “gra”.
    """
    found, ways = ranked(entries, typed), [typed.lower().split(), *(way.split() for way in meant(typed))]
    return [one for one in found if any(all(_begins(one, word) for word in way) for way in ways)] or found


def _begins(entry: Entry, word: str) -> bool:
    said = f"{entry.title} {entry.where} {entry.about} {entry.known}".lower()
    return any(re.search(rf"(?<!\w){re.escape(way)}", said) for way in spellings(word))


def meant(typed: str) -> Sequence[str]:
    """The other ways of saying what was typed, in small letters: each word or phrase that is known for it in its place; and what
    is spelt nearly so, with its own.

    >>> meant("Tennis racquet")[:2]
    ('tennis racket', 'dzhanibekov')
    """
    return _meant(" ".join(typed.lower().split()))


@lru_cache(maxsize=32)  # the same words are asked for by every tile
def _meant(words: str) -> tuple[str, ...]:
    found = tuple(_known(words))
    if found or len(words) < _SPELT:
        return found
    phrases = [phrase for group in synonyms() for phrase in group if len(phrase) >= _SPELT]
    near = get_close_matches(words, phrases, n=1, cutoff=_ALIKE)
    return tuple(way for phrase in near for way in (phrase, *_known(phrase)))


def _known(words: str) -> Iterator[str]:
    for phrases in synonyms():
        for phrase in phrases:
            at = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", words)
            unfinished = len(words) >= _UNFINISHED and phrase.startswith(words)
            if at or unfinished:
                before, after = (words[: at.start()], words[at.end() :]) if at else ("", "")
                yield from (f"{before}{other}{after}" for other in phrases if other != phrase)


@cache
def synonyms() -> list[list[str]]:
    """Words and phrases for one and the same thing."""
    table = tomllib.loads(resources.asset("synonyms.toml").read_text("utf-8"))
    same: list[list[str]] = table["same"]
    return same


def _weighed(entry: Entry, words: list[str], ways: Iterable[list[str]]) -> float | None:
    """What it counts that an entry has what was typed, and the best of what is meant; None where it has neither."""
    typed, other = weight(entry, words), max((weight(entry, way) or 0.0 for way in ways), default=0.0)
    if typed is None:
        return entry.counts * _MEANT * other if other else None
    if (
        typed < _ABOUT
    ):  # strewn words: no reason to stand before others that are called by another word for the same
        return entry.counts * max(typed, _MEANT * other)
    return entry.counts * (typed + _MEANT * other)


def weight(entry: Entry, sought: list[str]) -> float | None:
    """How well an entry fits lower-case words: on average, or as a mention where some are only in the words about it; None where it
    lacks one of them.
    """
    found = [max(_weight(entry, way) for way in spellings(word)) for word in sought]
    if not all(found):
        return None
    mean = sum(found) / max(len(found), 1)
    if len(found) < 2 or _ABOUT not in found:
        return mean
    return _ABOUT if " ".join(sought) in _about(entry) else _ABOUT * mean / (_WHOLE + _FIRST)


def _weight(entry: Entry, word: str) -> float:
    title = entry.title.lower()
    words = re.findall(r"\w+", title)
    first = _FIRST if title.startswith(word) else 0.0
    if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", title):
        return _WHOLE + first
    if any(one.startswith(word) for one in words) or first:
        return _BEGINS + first
    if word in title:
        return _INSIDE
    if any(one.startswith(word) for one in re.findall(r"\w+", entry.where.lower())):
        return _WHERE
    return _ABOUT if word in _about(entry) else 0.0


def _about(entry: Entry) -> str:
    return f"{entry.about} {entry.known}".lower()
