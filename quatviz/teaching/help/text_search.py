"""Search for words in the full text of the help."""

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from quatviz.base.latex import spellings
from quatviz.base.markdown import to_plain_text
from quatviz.teaching.help.entry_search import (
    REFERENCE_PAGES,
    WORD_END,
    WORD_START,
    alternative_queries,
    contains_word,
    search_words,
)
from quatviz.teaching.help.pages import Section, pages

_EXCERPT_BEFORE, _EXCERPT_AFTER = 16, 110
"""Number of characters of an excerpt before and after the match."""
_TITLE_SCORE, _TITLE_PART_SCORE, _PAGE_TITLE_SCORE, _WORD_SCORE = 20.0, 8.0, 6.0, 2.0
_SYNONYM_FACTOR, _LISTING_FACTOR, _REFERENCE_FACTOR, _PARTIAL_FACTOR = 0.8, 0.5, 0.2, 0.4
"""Factors on the scores of four types of matches: synonyms, matches on pages that list many things, matches on
reference pages, and matches in sections that lack some of the search words."""
_PHRASE_SCORE = 12.0
"""Additional score if all search words follow each other in the text."""
_ENOUGH_HITS = 3
"""Smallest number of complete matches for which partial matches are omitted."""
_PAGE_FACTORS = {
    **dict.fromkeys(("integrators", "glossary"), _LISTING_FACTOR),
    **dict.fromkeys(REFERENCE_PAGES, _REFERENCE_FACTOR),
}
"""Factors on the scores by name of the page. Pages that list many things have lower scores, because a page about one
thing is the better answer."""
_GENERATED_PAGE = "library"
"""Page of the Python functions and classes, generated from the docstrings."""
_DENSE_LENGTH = 600
"""Length of a section [characters] that determines how much occurrences of a word in its text score. In much longer
sections, they score less."""


@dataclass(frozen=True)
class SearchHit:
    """A section that matches a query, with an excerpt."""

    section: Section
    excerpt: str
    score: float
    is_partial: bool
    """True if the section lacks a search word."""

    @property
    def is_generated(self) -> bool:
        """True if the section describes a Python function or class."""
        return self.section.page == _GENERATED_PAGE


def search(query: str) -> list[SearchHit]:
    """Return the sections that contain all words of a query, also as parts of other words, best first.

    Greek letters are also found by their names, in formulas and in text. Titles score higher than text, and short
    sections higher than long ones. Sections with equal scores are in reading order. Synonyms are searched, too
    (`teaching.help.entry_search.alternative_queries`). Sections about Python functions and classes follow all
    others, unless the query is a Python name with a period or an underscore.
    """
    best: dict[str, SearchHit] = {}
    words = search_words(query)
    corrects_spelling = not all(map(_occurs, words))
    for factor, terms in (
        (1.0, words),
        *((_SYNONYM_FACTOR, [other]) for other in alternative_queries(query, corrects_spelling)),
    ):
        for hit in _find_hits(terms, factor < 1.0):
            best_hit = best.get(hit.section.topic)
            if best_hit is None or factor * hit.score > best_hit.score:
                best[hit.section.topic] = replace(hit, score=factor * hit.score)
    is_python_name = re.search(r"\w[._]\w", query) is not None
    return sorted(best.values(), key=lambda hit: (hit.is_generated and not is_python_name, -hit.score))


@lru_cache(maxsize=256)
def _occurs(word: str) -> bool:
    """Return True if the word occurs in any help page as a whole word."""
    return any(
        contains_word(f"{section.title.lower()}\n{_plain_texts(section.text)[1]}", word)
        for page in pages().values()
        for section in page.sections
    )


def _find_hits(terms: list[str], whole_phrases: bool) -> list[SearchHit]:
    """Return the sections that contain the terms, in reading order. If few contain all terms, sections with some of them are
    included.

    If `whole_phrases` is True, a term matches only as whole words.
    """
    hits: list[SearchHit] = []
    if not terms:
        return hits
    for page in pages().values():
        for section in page.sections:
            hit = _score_section(section, page.title, terms, whole_phrases)
            if hit is not None:
                hits.append(hit)
    complete_hits = [hit for hit in hits if not hit.is_partial]
    return complete_hits if len(complete_hits) >= _ENOUGH_HITS else hits


def _score_section(
    section: Section, page_title: str, terms: list[str], whole_phrases: bool
) -> SearchHit | None:
    title, (text, lower) = section.title.lower(), _plain_texts(section.text)
    score, missing_count, has_title_match = 0.0, 0, False
    page_title = page_title.lower()
    if not any(variant in lower or variant in title or variant in page_title or term == section.page
               for term in terms for variant in spellings(term)):  # fmt: skip
        return None
    for term in terms:
        variants = spellings(term)
        as_whole_word = whole_phrases or (len(term) == 1 and term.isascii())
        count = sum(
            len(re.findall(rf"(?<!\w){re.escape(variant)}(?!\w)", lower))
            if as_whole_word
            else lower.count(variant)
            for variant in variants
        )
        in_title = max((_title_score(title, variant, as_whole_word) for variant in variants), default=0.0)
        in_page = (term in page_title and not as_whole_word) or term == section.page
        missing_count += not (count or in_title or in_page)
        has_title_match = has_title_match or in_title >= _TITLE_SCORE
        prefix_count = (
            count
            if as_whole_word
            else sum(
                len(re.findall(f"{WORD_START}{re.escape(variant)}", f"{title}\n{lower}"))
                for variant in variants
            )
        )
        density = min(1.0, _DENSE_LENGTH / max(len(text), 1) + 0.25)
        score += (
            in_title
            + _PAGE_TITLE_SCORE * in_page
            + density * (_WORD_SCORE * min(prefix_count, 4) + min(count, 4))
        )
    if missing_count and not (has_title_match and missing_count < len(terms)):
        return None
    phrase = " ".join(terms)
    if len(terms) > 1 and re.search(_phrase_pattern(phrase), f"{title}\n{lower}"):
        score += _PHRASE_SCORE
    score *= (_PARTIAL_FACTOR if missing_count else 1.0) * _PAGE_FACTORS.get(section.page, 1.0)
    all_variants = [variant for term in terms for variant in spellings(term)]
    if section.level > 1 and not any(variant in lower or variant in title for variant in all_variants):
        return None  # Only the title of its page matches, so that the page itself is found.
    return SearchHit(section, _excerpt(text, phrase, all_variants), score, bool(missing_count))


@cache
def _plain_texts(markdown: str) -> tuple[str, str]:
    """Return the text of a section without Markdown, and the same text in lower case."""
    text = to_plain_text(markdown)
    return text, text.lower()


def _phrase_pattern(words: str) -> str:
    """Return a pattern that matches `words` only as whole words."""
    return f"{WORD_START}{re.escape(words)}{WORD_END}"


def _title_score(title: str, word: str, whole_word: bool) -> float:
    """Return the score of a word in a lower-case title. Shorter titles score higher."""
    if not re.search(_phrase_pattern(word), title):
        return _TITLE_PART_SCORE if word in title and not whole_word else 0.0
    return _TITLE_SCORE + _TITLE_SCORE / (1 + len(title.split()))


def _excerpt(text: str, phrase: str, terms: list[str]) -> str:
    """Return the text around the first occurrence of the whole phrase, or else of the first term."""
    lower = text.lower()
    phrase_match = re.search(_phrase_pattern(phrase), lower)
    first_index = min((index for term in terms if (index := lower.find(term)) >= 0), default=0)
    position = phrase_match.start() if phrase_match else first_index
    low, high = max(position - _EXCERPT_BEFORE, 0), min(position + _EXCERPT_AFTER, len(text))
    if low:
        low = text.find(" ", low, position) + 1 or low
    if high < len(text):
        high = max(text.rfind(" ", position, high), position + 1)
    return f"{'… ' if low else ''}{text[low:high].strip()}{' …' if high < len(text) else ''}"
