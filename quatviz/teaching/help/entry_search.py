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

_WORD_SCORE, _PREFIX_SCORE, _INSIDE_SCORE = 12.0, 8.0, 3.0
"""What a typed word counts that is a word of the title, begins one, or stands inside one."""
_FIRST_WORD_BONUS = 4.0
"""What it counts more where it is the first word of the title."""
_LOCATION_SCORE, _DESCRIPTION_SCORE = 2.0, 1.0
"""What it counts where only the place, or the words about it, have it."""
_SYNONYM_FACTOR = 0.2
"""What a way of saying the same counts beside what was typed: in a title more than what was typed does in the words about it."""
HELP_PAGE_WEIGHT = 0.7
"""What a page of the help counts beside what can be seen or done."""
_MIN_PREFIX_LENGTH = 4
"""Letters from which on the beginning of a phrase is taken for it."""
_MIN_FUZZY_LENGTH, _FUZZY_CUTOFF = 6, 0.82
"""Letters from which on a phrase is taken for one that is spelt like it, and how like it."""


@dataclass(frozen=True)
class SearchEntry:
    """One thing that can be found. `location` says in which menu it stands, or what it is."""

    title: str
    location: str
    callback: Callable[[], object]
    shortcut: str = ""
    """The key that does it too, as a person reads it."""
    description: str = ""
    """More words by which it is found."""
    keywords: str = ""
    """Words by which it is found that do not stand beside it, such as names of those who have found it."""
    is_available: bool = True
    """Whether it can be done now; where it cannot, what is said about it tells why."""
    weight: float = 1.0
    """What its words count beside those of others."""
    open_menu: Callable[[Any], object] | None = None
    """What else can be done with it, asked for at a point of the screen."""


def rank_entries(entries: Iterable[SearchEntry], typed: str) -> list[SearchEntry]:
    """The entries that have every typed word, the best first; all of them in their order where nothing is typed.

    A word counts most that is one of the title, less that begins one, least that only the words about it have. Entries of the
    same weight stay in their order. Greek letters are found by their names too. What is called by another word for the same
    (`alternative_queries`) stands behind what is called by the typed ones, and before what only mentions them. Words of which
    some stand only in the words about it are such a mention, whole where they stand there together, less where they are strewn.
    """
    words, alternatives = (
        typed.lower().split(),
        [alternative.split() for alternative in alternative_queries(typed)],
    )
    scored = [(_entry_score(entry, words, alternatives), entry) for entry in entries]
    return [entry for score, entry in sorted(scored, key=lambda item: -(item[0] or 0.0)) if score is not None]


def filter_entries(entries: Iterable[SearchEntry], typed: str) -> list[SearchEntry]:
    """Those that `rank_entries` finds, for a list that shows no others: where some have every typed word, or what is meant,
    where a word begins, those alone. Behind gradients every Lagrange would be found by “gra”.
    """
    matches, alternatives = (
        rank_entries(entries, typed),
        [typed.lower().split(), *(alternative.split() for alternative in alternative_queries(typed))],
    )
    return [
        entry
        for entry in matches
        if any(all(_has_word_prefix(entry, word) for word in alternative) for alternative in alternatives)
    ] or matches


def _has_word_prefix(entry: SearchEntry, word: str) -> bool:
    text = f"{entry.title} {entry.location} {entry.description} {entry.keywords}".lower()
    return any(re.search(rf"(?<!\w){re.escape(spelling)}", text) for spelling in spellings(word))


def alternative_queries(typed: str) -> Sequence[str]:
    """The other ways of saying what was typed, in small letters: each word or phrase that is known for it in its place; and what
    is spelt nearly so, with its own.

    >>> alternative_queries("Tennis racquet")[:2]
    ('tennis racket', 'dzhanibekov')
    """
    return _alternative_queries(" ".join(typed.lower().split()))


@lru_cache(maxsize=32)  # the same words are asked for by every tile
def _alternative_queries(words: str) -> tuple[str, ...]:
    direct = tuple(_replace_synonyms(words))
    if direct or len(words) < _MIN_FUZZY_LENGTH:
        return direct
    phrases = [phrase for group in synonym_groups() for phrase in group if len(phrase) >= _MIN_FUZZY_LENGTH]
    close_phrases = get_close_matches(words, phrases, n=1, cutoff=_FUZZY_CUTOFF)
    return tuple(
        alternative for phrase in close_phrases for alternative in (phrase, *_replace_synonyms(phrase))
    )


def _replace_synonyms(words: str) -> Iterator[str]:
    for phrases in synonym_groups():
        for phrase in phrases:
            match = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", words)
            unfinished = len(words) >= _MIN_PREFIX_LENGTH and phrase.startswith(words)
            if match or unfinished:
                before, after = (words[: match.start()], words[match.end() :]) if match else ("", "")
                yield from (f"{before}{other}{after}" for other in phrases if other != phrase)


@cache
def synonym_groups() -> list[list[str]]:
    """Words and phrases for one and the same thing."""
    table = tomllib.loads(resources.asset_path("synonyms.toml").read_text("utf-8"))
    groups: list[list[str]] = table["same"]
    return groups


def _entry_score(entry: SearchEntry, words: list[str], alternatives: Iterable[list[str]]) -> float | None:
    """What it counts that an entry has what was typed, and the best of what is meant; None where it has neither."""
    typed_score, alternative_score = (
        match_score(entry, words),
        max((match_score(entry, alternative) or 0.0 for alternative in alternatives), default=0.0),
    )
    if typed_score is None:
        return entry.weight * _SYNONYM_FACTOR * alternative_score if alternative_score else None
    if (
        typed_score < _DESCRIPTION_SCORE
    ):  # strewn words: no reason to stand before others that are called by another word for the same
        return entry.weight * max(typed_score, _SYNONYM_FACTOR * alternative_score)
    return entry.weight * (typed_score + _SYNONYM_FACTOR * alternative_score)


def match_score(entry: SearchEntry, words: list[str]) -> float | None:
    """How well an entry fits lower-case words: on average, or as a mention where some are only in the words about it; None where it
    lacks one of them.
    """
    scores = [max(_word_score(entry, spelling) for spelling in spellings(word)) for word in words]
    if not all(scores):
        return None
    mean = sum(scores) / max(len(scores), 1)
    if len(scores) < 2 or _DESCRIPTION_SCORE not in scores:
        return mean
    return (
        _DESCRIPTION_SCORE
        if " ".join(words) in _description(entry)
        else _DESCRIPTION_SCORE * mean / (_WORD_SCORE + _FIRST_WORD_BONUS)
    )


def _word_score(entry: SearchEntry, word: str) -> float:
    title = entry.title.lower()
    words = re.findall(r"\w+", title)
    bonus = _FIRST_WORD_BONUS if title.startswith(word) else 0.0
    if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", title):
        return _WORD_SCORE + bonus
    if any(candidate.startswith(word) for candidate in words) or bonus:
        return _PREFIX_SCORE + bonus
    if word in title:
        return _INSIDE_SCORE
    if any(candidate.startswith(word) for candidate in re.findall(r"\w+", entry.location.lower())):
        return _LOCATION_SCORE
    return _DESCRIPTION_SCORE if word in _description(entry) else 0.0


def _description(entry: SearchEntry) -> str:
    return f"{entry.description} {entry.keywords}".lower()
