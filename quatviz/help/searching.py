"""Full-text search in the help."""

import re
from dataclasses import dataclass

from quatviz.base.latex import spellings
from quatviz.base.markdown import plain
from quatviz.help.finding import meant
from quatviz.help.pages import Section, pages

_BEFORE, _AFTER = 16, 110
"""Letters of an excerpt before what was found, and after it."""
_IN_TITLE, _IN_PAGE_TITLE, _AS_WORD = 20.0, 6.0, 2.0

_STOP = re.compile(
    r"(a|an|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|into"
    r"|is|it|my|of|on|or|that|the|there|this|to|what|when|where|which|why|will|with)$"
)
"""Words that say nothing of what is sought."""


@dataclass(frozen=True)
class Hit:
    """A section that has every word that was sought, and a line of it."""

    section: Section
    excerpt: str
    score: float


def search(words: str) -> list[Hit]:
    """The sections that have all these words, or words that begin or go on with them, the best first.

    A Greek letter is found by its name too, in formulae as in words. Titles weigh more than text. Sections of the same
    weight stay in the order of reading. Where none has them, other words for the same are sought (`help.finding.meant`).
    """
    found = _with_words(words)
    if found:
        return found
    others = {hit.section.topic: hit for way in meant(words) for hit in _with_words(way)}
    return sorted(others.values(), key=lambda hit: -hit.score)


def sought(words: str) -> list[str]:
    """What is sought where a person types these words, in small letters: all but those that every text has, unless there are no
    others.

    >>> sought("a figure for a Paper"), sought("What is it")
    (['figure', 'paper'], ['what', 'is', 'it'])
    """
    every = words.lower().split()
    return [word for word in every if not _STOP.match(word)] or every


def _with_words(words: str) -> list[Hit]:
    """The sections that have all these words, the best first."""
    telling = sought(words)
    if not telling:
        return []
    hits = []
    for page in pages().values():
        for section in page.sections:
            hit = _hit(section, page.title, telling)
            if hit is not None:
                hits.append(hit)
    return sorted(hits, key=lambda hit: -hit.score)


def _hit(section: Section, page: str, telling: list[str]) -> Hit | None:
    title, text = section.title.lower(), plain(section.text)
    lower, score = text.lower(), 0.0
    for word in telling:
        ways = spellings(word)
        found = sum(lower.count(way) for way in ways)
        in_title = any(way in title for way in ways)
        in_page = word in page.lower() or word == section.page
        if not (found or in_title or in_page):
            return None
        whole = sum(len(re.findall(rf"(?<!\w){re.escape(way)}", f"{title}\n{lower}")) for way in ways)
        score += _IN_TITLE * in_title + _IN_PAGE_TITLE * in_page + _AS_WORD * min(whole, 4) + min(found, 4)
    every = [way for word in telling for way in spellings(word)]
    if section.level > 1 and not any(way in lower or way in title for way in every):
        return None  # only its page's title has them: the page itself is found
    return Hit(section, _excerpt(text, every), score)


def _excerpt(text: str, sought: list[str]) -> str:
    """The words around what is found first."""
    lower = text.lower()
    at = min((place for word in sought if (place := lower.find(word)) >= 0), default=0)
    low, high = max(at - _BEFORE, 0), min(at + _AFTER, len(text))
    if low:
        low = text.find(" ", low, at) + 1 or low
    if high < len(text):
        high = max(text.rfind(" ", at, high), at + 1)
    return f"{'… ' if low else ''}{text[low:high].strip()}{' …' if high < len(text) else ''}"
