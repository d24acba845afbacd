"""Search for actions, panels, help pages and other entries by parts of words, with ranking of the results.

Qt's `QSortFilterProxyModel` is not used. It would need this ranking as its sort key, and a model around the entries. Words
are split as in `quatviz help WORDS`, which runs without Qt.
"""

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
"""Scores of a search word by its position in the title: equal to a word, at the beginning of a word, or inside a word."""
_FIRST_WORD_BONUS = 4.0
"""Additional score of a search word that matches the first word of the title."""
_LOCATION_SCORE, _DESCRIPTION_SCORE = 2.0, 1.0
"""Scores of a search word that is not in the title: for a word in the location, and for a word that is only in the
description."""
_TEXT_SCORE, _TEXT_COUNT_SCORE, _MAX_TEXT_COUNT = 0.4, 0.1, 4
"""Score of a search word that occurs only in the full text, the additional score for each further occurrence, and the
largest number of occurrences that are counted."""
_PARTIAL_FACTOR = 0.25
"""Factor on the score of an entry that contains only some of the search words. Such entries are listed only if the best
entry that contains all words has a low score."""
_SYNONYM_FACTOR = 0.2
"""Factor on the score for a match of a synonym. A synonym in the title still scores higher than a typed word in the
description."""
_STEM_FACTOR = 0.9
"""Factor on the score if only the stem of a search word matches."""
_MIN_STEM_LENGTH = 4
"""Smallest length of a stem [characters]. Shorter stems begin too many unrelated words."""
HELP_PAGE_WEIGHT, REFERENCE_PAGE_WEIGHT = 0.7, 0.2
"""Factors on the scores of help pages, relative to other entries: of ordinary pages, and of pages that are reference lists."""
REFERENCE_PAGES = frozenset({"library", "errata", "published", "developing", "sources"})
"""Names of help pages that are reference lists."""
WORD_START, WORD_END = r"(?<![^\W_])", r"(?![^\W_])"
"""Patterns of the start and the end of a word. The parts of an identifier, such as `settling_time`, are words."""
_WORD = r"[^\W_]+"
"""Pattern of a word."""
_MIN_PHRASE_SPACES = 2
"""Smallest number of spaces in a query for which the query is also searched as a whole phrase."""
_MIN_PREFIX_LENGTH = 4
"""Smallest length [characters] of a query that is completed to a known phrase which begins with it."""
_MIN_FUZZY_LENGTH, _FUZZY_CUTOFF = 6, 0.82
"""Smallest length [characters] of a query that is compared with known phrases of similar spelling, and the smallest
similarity.

The similarity is a number from 0 to 1, as computed by `difflib`.
"""


@dataclass(frozen=True)
class SearchEntry:
    """One entry of the search. `location` is the menu that contains it, or the type of the entry."""

    title: str
    location: str
    callback: Callable[[], object]
    shortcut: str = ""
    """Shortcut as text, or ""."""
    description: str = ""
    """Description of the entry, which is also searched."""
    keywords: str = ""
    """Additional search terms that are not displayed, such as names of authors."""
    is_available: bool = True
    """False if the entry cannot be used now. The description then states the reason."""
    text: str = ""
    """Full text of the entry, which is also searched."""
    weight: float = 1.0
    """Factor on the score of the entry."""
    open_menu: Callable[[Any], object] | None = None
    """Function that opens the context menu of the entry at a point of the screen, or None."""

    @cached_property
    def lower_title(self) -> str:
        """Title in lower case."""
        return self.title.lower()

    @cached_property
    def title_words(self) -> list[str]:
        """Words of the title in lower case."""
        return re.findall(_WORD, self.lower_title)

    @cached_property
    def location_words(self) -> list[str]:
        """Words of the location in lower case."""
        return re.findall(_WORD, self.location.lower())

    @cached_property
    def lower_description(self) -> str:
        """Description and keywords in lower case."""
        return f"{self.description} {self.keywords}".lower()

    @cached_property
    def lower_text(self) -> str:
        """Full text in lower case."""
        return self.text.lower()

    @cached_property
    def all_text(self) -> str:
        """Everything that is searched, in lower case."""
        return "\n".join((self.lower_title, self.location.lower(), self.lower_description, self.lower_text))


class EntryIndex:
    """Index of entries that are searched while the user types. The scores of a word are computed once for all entries."""

    def __init__(self, entries: Iterable[SearchEntry]) -> None:
        self.entries = list(entries)
        self._scores: dict[str, dict[int, float]] = {}

    def rank(self, typed: str) -> list[SearchEntry]:
        """Return the entries that contain every search word, best first. If nothing is typed, return all entries in
        order.

        Words are also found by their stems: "sleeping" finds "sleep". A match scores most as a word of the
        title, less as the beginning of a word of the title, less in the description, and least in the full
        text. Entries with equal scores keep their order. Greek letters are also found by their names. Matches
        of synonyms (`alternative_queries`) rank after title matches of the typed words, and before matches in
        the description. If some of several words are only in the description, the entry scores as a match in
        the description if the words are adjacent there, and less otherwise. Stop words, such as "how", are
        ignored if there are other words. If the best match is poor, entries that contain half of the words are
        listed, too.
        """
        if not typed.strip():
            return list(self.entries)
        words = search_words(typed)
        corrects_spelling = not self.contains_words(words)
        queries = dict.fromkeys(
            (
                *alternative_queries(typed, corrects_spelling),
                *alternative_queries(" ".join(words), corrects_spelling),
            )
        )
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

    def contains_words(self, words: Iterable[str]) -> bool:
        """Return True if each of the words occurs in an entry as a whole word. Such words are not corrected as
        misspelled."""
        return all(any(contains_word(entry.all_text, word) for entry in self.entries) for word in words)

    def _phrase_matches(self, typed: str) -> list[int]:
        """Return the indices of the entries that contain the whole query as a phrase. For a query with fewer
        than `_MIN_PHRASE_SPACES` spaces, return none."""
        phrase = " ".join(typed.lower().split())
        if phrase.count(" ") < _MIN_PHRASE_SPACES:
            return []
        return [index for index, entry in enumerate(self.entries) if phrase in entry.all_text]

    def _combined_score(self, index: int, typed_score: float | None, meant_score: float) -> float:
        """Return the score of an entry from `typed_score`, the score of the typed words, and `meant_score`, that of the best
        synonym.

        `typed_score` is None if the typed words do not match.
        """
        meant_score *= _SYNONYM_FACTOR
        weight = self.entries[index].weight
        if typed_score is None:
            return weight * meant_score
        if typed_score < _DESCRIPTION_SCORE:
            # Scattered words must not rank before matches of a synonym.
            return weight * max(typed_score, meant_score)
        return weight * (typed_score + meant_score)

    def _best_scores(self, queries: Iterable[list[str]]) -> dict[int, float]:
        best: dict[int, float] = {}
        for query in queries:
            for index, score in self._match_scores(query).items():
                best[index] = max(score, best.get(index, 0.0))
        return best

    def _match_scores(self, words: list[str]) -> dict[int, float]:
        """Return the scores of the entries that contain all of the lower-case `words`, by index of the entry.

        The score is the mean of the scores of the words, unless one of several words occurs only in the description or
        text. It is then the score of a match in the description or text if all words are adjacent there, otherwise a
        reduced mean.
        """
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
        """Return the scores of the entries that contain at least half of the words, by index of the entry."""
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
        """Return the scores of a word in the entries that contain it, by index of the entry."""
        if word not in self._scores:
            variants, stem = spellings(word), word_stem(word)
            scores = {}
            for index, entry in enumerate(self.entries):
                score = max(_word_score(entry, variant) for variant in variants)
                if stem != word and _has_inflection(entry, stem):
                    score = max(score, _STEM_FACTOR * _word_score(entry, stem))
                if score:
                    scores[index] = score
            self._scores[word] = scores
        return self._scores[word]


def rank_entries(entries: Iterable[SearchEntry], typed: str) -> list[SearchEntry]:
    """Return the entries that match a query, best first. Use `EntryIndex.rank` for entries that are searched repeatedly."""
    return EntryIndex(entries).rank(typed)


_STOP_WORDS = re.compile(
    r"(a|an|and|are|as|at|be|by|can|do|does|for|from|have|how|i|if|in|into|is|it|my|of|on|or|that|the|there|this|to|what|when"
    r"|where|which|who|why|will|with|without)$"
)
"""Pattern of words that are ignored in queries."""


MAX_QUERY_LENGTH = 200
"""Number of characters of a query that are searched. A pasted text may have 30,000."""
MAX_WORDS = 12
"""Number of words of a query that are searched. Each takes up to 30 ms in the help."""


def search_words(typed: str) -> list[str]:
    """Return the search terms of a query in lower case, without stop words unless there are no other words.
    Shortcuts are split into keys. Repeated words, and words after the first `MAX_WORDS`, are left out.

    Examples
    --------
    >>> search_words("a figure for a Paper"), search_words("What is it"), search_words("Ctrl+L")
    (['figure', 'paper'], ['what', 'is', 'it'], ['ctrl', 'l'])
    """
    typed = typed[:MAX_QUERY_LENGTH].lower()
    words = list(dict.fromkeys(re.sub(r"(?<=\w)\+(?=\w)", " ", typed).replace("?", " ").split()))
    return ([word for word in words if not _STOP_WORDS.match(word)] or words)[:MAX_WORDS]


def filter_entries(entries: Iterable[SearchEntry], typed: str) -> list[SearchEntry]:
    """Return the entries found by `rank_entries`.

    If some entries contain every search word at the beginning of a word, only such entries are returned.
    Otherwise the query “gra” would list every Lagrange formulation beside the gradients.
    """
    index = EntryIndex(entries)
    matches, words = index.rank(typed), typed.lower().split()
    queries = alternative_queries(typed, corrects_spelling=not index.contains_words(words))
    alternatives = [words, *(query.split() for query in queries)]
    return [
        entry
        for entry in matches
        if any(all(_has_word_prefix(entry, word) for word in alternative) for alternative in alternatives)
    ] or matches


def contains_word(text: str, word: str) -> bool:
    """Return True if a lower-case text contains a word or phrase that is no part of another word.

    >>> contains_word("see settling_time", "settling"), contains_word("the topic", "top")
    (True, False)
    """
    return word in text and re.search(f"{WORD_START}{re.escape(word)}{WORD_END}", text) is not None


def word_stem(word: str) -> str:
    """Return a lower-case word without its ending -s, -ed or -ing, or the word itself if too little would remain.

    Examples
    --------
    >>> word_stem("sleeping"), word_stem("sleeps"), word_stem("spinning"), word_stem("axis")
    ('sleep', 'sleep', 'spin', 'axis')
    """
    match = re.fullmatch(r"(\w+?)(?:ing|ed|(?<![su])s)", word)
    if match is None:
        return word
    stem = re.sub(r"([bdgmnprt])\1$", r"\1", match[1])
    return stem if len(stem) >= _MIN_STEM_LENGTH else word


def _has_word_prefix(entry: SearchEntry, word: str) -> bool:
    text, stem = entry.all_text, word_stem(word)
    return any(
        spelling in text and re.search(f"{WORD_START}{re.escape(spelling)}", text)
        for spelling in spellings(word)
    ) or (stem != word and _has_inflection(entry, stem))


def _has_inflection(entry: SearchEntry, stem: str) -> bool:
    """Return True if the entry contains the stem as a word, with or without an ending."""
    text = entry.all_text
    ending = rf"(?:{re.escape(stem[-1])}?(?:ed|er|ing)|e|s|es)?"
    return stem in text and re.search(f"{WORD_START}{re.escape(stem)}{ending}{WORD_END}", text) is not None


def alternative_queries(typed: str, corrects_spelling: bool = True) -> Sequence[str]:
    """Return queries in which synonyms replace the typed words, in lower case. If `corrects_spelling` is True, similar
    spellings of known phrases are recognized, too.

    Examples
    --------
    >>> alternative_queries("Tennis racquet")[:2]
    ('tennis racket', 'dzhanibekov')
    """
    return _alternative_queries(" ".join(typed[:MAX_QUERY_LENGTH].lower().split()), corrects_spelling)


@lru_cache(maxsize=32)  # every tile asks for the same words
def _alternative_queries(words: str, corrects_spelling: bool) -> tuple[str, ...]:
    direct = tuple(_replace_synonyms(words))
    if direct or not corrects_spelling or len(words) < _MIN_FUZZY_LENGTH:
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
    """Return groups of synonymous words and phrases."""
    table = tomllib.loads(resources.asset_path("synonyms.toml").read_text("utf-8"))
    groups: list[list[str]] = table["same"]
    return groups


def _word_score(entry: SearchEntry, word: str) -> float:
    if word not in entry.all_text:
        return 0.0
    title = entry.lower_title
    if word in title:
        bonus = _FIRST_WORD_BONUS if title.startswith(word) else 0.0
        if contains_word(title, word):
            return _WORD_SCORE + bonus
        if bonus or any(candidate.startswith(word) for candidate in entry.title_words):
            return _PREFIX_SCORE + bonus
        return _INSIDE_SCORE
    if any(candidate.startswith(word) for candidate in entry.location_words):
        return _LOCATION_SCORE
    if word in entry.lower_description:
        return _DESCRIPTION_SCORE
    count = len(re.findall(f"{WORD_START}{re.escape(word)}", entry.lower_text)) if len(word) > 1 else 0
    return _TEXT_SCORE + _TEXT_COUNT_SCORE * min(count, _MAX_TEXT_COUNT) if count else 0.0
