"""What a person can find by a few letters of its words, whatever kind it is, and in which order. Nothing here draws."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from typing import Any

from quatviz.base import resources
from quatviz.base.latex import spellings

_WORD_SCORE, _PREFIX_SCORE, _INSIDE_SCORE = 12.0, 8.0, 1.5
"""What a typed word counts that is a word of the title, begins one, or stands inside one."""
_FIRST_WORD_BONUS = 4.0
"""What it counts more where it is the first word of the title."""
_LOCATION_SCORE, _DESCRIPTION_SCORE = 2.0, 1.0
"""What it counts where only the place, or the words about it, have it."""
_TEXT_SCORE, _TEXT_COUNT_SCORE, _MAX_TEXT_COUNT = 0.4, 0.1, 4
"""What it counts where only the full text has it, and how much more for each time that it stands there, up to so many times."""
_PARTIAL_FACTOR = 0.25
"""What an entry counts that lacks some of the typed words; such entries are listed only where none has all of them."""
_SYNONYM_FACTOR = 0.2
"""What a way of saying the same counts beside what was typed: in a title more than what was typed does in the words about it."""
HELP_PAGE_WEIGHT, REFERENCE_PAGE_WEIGHT = 0.7, 0.2
"""What a page of the help counts beside what can be seen or done, and one that lists what there is."""
REFERENCE_PAGES = frozenset({"library", "errata", "published", "developing", "sources"})
"""Such pages."""
_MIN_PHRASE_SPACES = 2
"""Spaces in a phrase that is looked for as it is."""
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
    text: str = ""
    """All that is written there, by which it is found too."""
    weight: float = 1.0
    """What its words count beside those of others."""
    open_menu: Callable[[Any], object] | None = None
    """What else can be done with it, asked for at a point of the screen."""

    @cached_property
    def lower_title(self) -> str:
        """The title in small letters."""
        return self.title.lower()

    @cached_property
    def title_words(self) -> list[str]:
        """Its words,"""
        return re.findall(r"\w+", self.lower_title)

    @cached_property
    def location_words(self) -> list[str]:
        """and those of the location."""
        return re.findall(r"\w+", self.location.lower())

    @cached_property
    def lower_description(self) -> str:
        """Description and keywords in small letters."""
        return f"{self.description} {self.keywords}".lower()

    @cached_property
    def lower_text(self) -> str:
        """The full text in small letters."""
        return self.text.lower()

    @cached_property
    def all_text(self) -> str:
        """Everything by which it is found, in small letters."""
        return "\n".join((self.lower_title, self.location.lower(), self.lower_description, self.lower_text))


class EntryIndex:
    """Entries that are searched while a person types. What a word counts in each entry is computed once."""

    def __init__(self, entries: Iterable[SearchEntry]) -> None:
        self.entries = list(entries)
        self._scores: dict[str, dict[int, float]] = {}

    def rank(self, typed: str) -> list[SearchEntry]:
        """Return the entries that have every typed word, the best first; all of them in their order where nothing is typed.

        A word counts most that is one of the title, less that begins one, less that only the words about it have, and least that
        only its full text has. Entries of the same weight stay in their order. Greek letters are found by their names too. What is
        called by another word for the same (`alternative_queries`) stands behind what is called by the typed ones, and before what
        only mentions them. Words of which some stand only in the words about it are such a mention, whole where they stand
        together, less where they are strewn. Words that every text has, such as "how", are not sought beside others. Where no entry
        is called so, entries that have half of the words are listed too.
        """
        if not typed.strip():
            return list(self.entries)
        words = search_words(typed)
        queries = dict.fromkeys((*alternative_queries(typed), *alternative_queries(" ".join(words))))
        alternatives = [alternative.split() for alternative in queries]
        typed_scores, meant_scores = self._match_scores(words), self._best_scores(alternatives)
        for index in self._phrase_matches(typed):
            typed_scores[index] = max(_LOCATION_SCORE, typed_scores.get(index, 0.0))
        scores = {
            index: self._combined_score(index, typed_scores.get(index), meant_scores.get(index, 0.0))
            for index in typed_scores.keys() | meant_scores.keys()
        }
        if max(scores.values(), default=0.0) < _TEXT_SCORE:
            for query in [words, *alternatives]:
                for index, score in self._partial_scores(query).items():
                    scores[index] = max(score, scores.get(index, 0.0))
        return [self.entries[index] for index in sorted(scores, key=lambda index: (-scores[index], index))]

    def _phrase_matches(self, typed: str) -> list[int]:
        """Numbers of the entries that have a typed phrase of several words as it is."""
        phrase = " ".join(typed.lower().split())
        if phrase.count(" ") < _MIN_PHRASE_SPACES:
            return []
        return [index for index, entry in enumerate(self.entries) if phrase in entry.all_text]

    def _combined_score(self, index: int, typed_score: float | None, meant_score: float) -> float:
        """What it counts that an entry has what was typed, and the best of what is meant."""
        meant_score *= _SYNONYM_FACTOR
        weight = self.entries[index].weight
        if typed_score is None:
            return weight * meant_score
        if typed_score < _DESCRIPTION_SCORE:
            # Strewn words: no reason to stand before others that are called by another word for the same.
            return weight * max(typed_score, meant_score)
        return weight * (typed_score + meant_score)

    def _best_scores(self, queries: Iterable[list[str]]) -> dict[int, float]:
        best: dict[int, float] = {}
        for query in queries:
            for index, score in self._match_scores(query).items():
                best[index] = max(score, best.get(index, 0.0))
        return best

    def _match_scores(self, words: list[str]) -> dict[int, float]:
        """How well entries that have all of some lower-case words fit them, by number: on average, or as a mention where some are
        only in the words about it, or in its full text."""
        if not words:
            return {}
        first, *others = (self._word_scores(word) for word in words)
        phrase, matches = " ".join(words), {}
        for index, score in first.items():
            scores = [score, *(other.get(index, 0.0) for other in others)]
            if not all(scores):
                continue
            mean = sum(scores) / len(scores)
            if len(scores) > 1 and min(scores) <= _DESCRIPTION_SCORE:
                entry = self.entries[index]
                if phrase in entry.lower_description:
                    mean = _DESCRIPTION_SCORE
                elif phrase in entry.lower_text:
                    mean = _TEXT_SCORE + _TEXT_COUNT_SCORE
                else:
                    mean *= min(scores) / (_WORD_SCORE + _FIRST_WORD_BONUS)
            matches[index] = mean
        return matches

    def _partial_scores(self, words: list[str]) -> dict[int, float]:
        """What it counts that entries have half of the words or more, by number."""
        counts: dict[int, int] = {}
        sums: dict[int, float] = {}
        for word in words:
            for index, score in self._word_scores(word).items():
                counts[index] = counts.get(index, 0) + 1
                sums[index] = sums.get(index, 0.0) + score
        return {
            index: _PARTIAL_FACTOR * self.entries[index].weight * sums[index] / len(words)
            for index, count in counts.items()
            if 2 * count >= len(words) > 1
        }

    def _word_scores(self, word: str) -> dict[int, float]:
        """What a word counts in each entry that has it, by number."""
        if word not in self._scores:
            variants = spellings(word)
            self._scores[word] = {
                index: score
                for index, entry in enumerate(self.entries)
                if (score := max(_word_score(entry, variant) for variant in variants))
            }
        return self._scores[word]


def rank_entries(entries: Iterable[SearchEntry], typed: str) -> list[SearchEntry]:
    """The entries that `EntryIndex.rank` finds, for a list that is searched once."""
    return EntryIndex(entries).rank(typed)


_STOP_WORDS = re.compile(
    r"(a|an|and|are|as|at|be|by|can|do|does|for|from|have|how|i|if|in|into|is|it|my|of|on|or|that|the|there|this|to|what|when"
    r"|where|which|who|why|will|with|without)$"
)
"""Words that say nothing of what is sought."""


def search_words(typed: str) -> list[str]:
    """What is sought where a person types these words, in small letters: all but those that every text has, unless there are no
    others. Keys are written as the help has them.

    >>> search_words("a figure for a Paper"), search_words("What is it"), search_words("Ctrl+L")
    (['figure', 'paper'], ['what', 'is', 'it'], ['ctrl', 'l'])
    """
    words = re.sub(r"(?<=\w)\+(?=\w)", " ", typed.lower()).replace("?", " ").split()
    return [word for word in words if not _STOP_WORDS.match(word)] or words


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
    text = entry.all_text
    return any(
        spelling in text and re.search(rf"(?<!\w){re.escape(spelling)}", text) for spelling in spellings(word)
    )


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


def _word_score(entry: SearchEntry, word: str) -> float:
    if word not in entry.all_text:
        return 0.0
    title = entry.lower_title
    if word in title:
        bonus = _FIRST_WORD_BONUS if title.startswith(word) else 0.0
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", title):
            return _WORD_SCORE + bonus
        if bonus or any(candidate.startswith(word) for candidate in entry.title_words):
            return _PREFIX_SCORE + bonus
        return _INSIDE_SCORE
    if any(candidate.startswith(word) for candidate in entry.location_words):
        return _LOCATION_SCORE
    if word in entry.lower_description:
        return _DESCRIPTION_SCORE
    count = len(re.findall(rf"(?<!\w){re.escape(word)}", entry.lower_text)) if len(word) > 1 else 0
    return _TEXT_SCORE + _TEXT_COUNT_SCORE * min(count, _MAX_TEXT_COUNT) if count else 0.0
