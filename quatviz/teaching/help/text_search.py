"""Full-text search in the help."""

import re
from dataclasses import dataclass, replace

from quatviz.base.latex import spellings
from quatviz.base.markdown import plain
from quatviz.teaching.help.entry_search import meant
from quatviz.teaching.help.pages import Section, pages

_BEFORE, _AFTER = 16, 110
"""Letters of an excerpt before what was found, and after it."""
_IN_TITLE, _INSIDE_TITLE, _IN_PAGE_TITLE, _AS_WORD = 20.0, 8.0, 6.0, 2.0
_MEANT, _LISTED, _LACKING = 0.8, 0.5, 0.4
"""What counts a section that has other words for the same, one of a page that lists what there is, and one whose title has a word
but that lacks others."""
_IN_A_ROW = 12.0
"""What it counts that all words stand beside each other."""
_ENOUGH = 3
"""Sections with all the words from which on none is found that lacks one."""
_LISTS = {"library", "integrators"}
_TELLS = 600
"""Letters of a section in which a word that stands there once or twice may be what it is about."""

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
    lacks: bool
    """Whether it lacks one of them."""


def search(words: str) -> list[Hit]:
    """The sections that have all these words, or words that begin or go on with them, the best first.

    A Greek letter is found by its name too, in formulae as in words. Titles weigh more than text, and what says it in few words
    more than what comes to it among much else. Sections of the same weight stay in the order of reading. Other words for the same
    are sought too (`help.finding.meant`).
    """
    best: dict[str, Hit] = {}
    for share, telling in ((1.0, sought(words)), *((_MEANT, [other]) for other in meant(words))):
        for hit in _with_words(telling, share < 1.0):
            known = best.get(hit.section.topic)
            if known is None or share * hit.score > known.score:
                best[hit.section.topic] = replace(hit, score=share * hit.score)
    return sorted(best.values(), key=lambda hit: -hit.score)


def sought(words: str) -> list[str]:
    """What is sought where a person types these words, in small letters: all but those that every text has, unless there are no
    others. Keys are written as the help has them.

    >>> sought("a figure for a Paper"), sought("What is it"), sought("Ctrl+L")
    (['figure', 'paper'], ['what', 'is', 'it'], ['ctrl', 'l'])
    """
    every = re.sub(r"(?<=\w)\+(?=\w)", " ", words.lower()).split()
    return [word for word in every if not _STOP.match(word)] or every


def _with_words(telling: list[str], whole: bool) -> list[Hit]:
    """The sections that have all these words, or phrases, which have to stand there `whole`, in the order of reading."""
    hits: list[Hit] = []
    if not telling:
        return hits
    for page in pages().values():
        for section in page.sections:
            hit = _hit(section, page.title, telling, whole)
            if hit is not None:
                hits.append(hit)
    having = [hit for hit in hits if not hit.lacks]
    return having if len(having) >= _ENOUGH else hits


def _hit(section: Section, page: str, telling: list[str], whole: bool) -> Hit | None:
    title, text = section.title.lower(), plain(section.text)
    lower, score, lacks, titled = text.lower(), 0.0, 0, False
    for word in telling:
        ways = spellings(word)
        alone = whole or (len(word) == 1 and word.isascii())
        found = sum(len(re.findall(_phrase(way), lower)) if alone else lower.count(way) for way in ways)
        in_title = max((_share_of_title(title, way, alone) for way in ways), default=0.0)
        in_page = (word in page.lower() and not alone) or word == section.page
        lacks += not (found or in_title or in_page)
        titled = titled or in_title >= _IN_TITLE
        begun = (
            found
            if alone
            else sum(len(re.findall(rf"(?<!\w){re.escape(way)}", f"{title}\n{lower}")) for way in ways)
        )
        dense = min(1.0, _TELLS / max(len(text), 1) + 0.25)
        score += in_title + _IN_PAGE_TITLE * in_page + dense * (_AS_WORD * min(begun, 4) + min(found, 4))
    if lacks and not (titled and lacks < len(telling)):
        return None
    together = " ".join(telling)
    if len(telling) > 1 and re.search(_phrase(together), f"{title}\n{lower}"):
        score += _IN_A_ROW
    score *= (_LACKING if lacks else 1.0) * (_LISTED if section.page in _LISTS else 1.0)
    every = [way for word in telling for way in spellings(word)]
    if section.level > 1 and not any(way in lower or way in title for way in every):
        return None  # only its page's title has them: the page itself is found
    return Hit(section, _excerpt(text, together, every), score, bool(lacks))


def _phrase(words: str) -> str:
    """A pattern of words that stand alone."""
    return rf"(?<!\w){re.escape(words)}(?!\w)"


def _share_of_title(title: str, word: str, whole: bool) -> float:
    """What a word counts that a title, in small letters, has: one that is short is about it."""
    if not re.search(_phrase(word), title):
        return _INSIDE_TITLE if word in title and not whole else 0.0
    return _IN_TITLE + _IN_TITLE / (1 + len(title.split()))


def _excerpt(text: str, together: str, sought: list[str]) -> str:
    """The words around all that was sought, where it stands together, else around what is found first."""
    lower = text.lower()
    beside = re.search(_phrase(together), lower)
    first = min((place for word in sought if (place := lower.find(word)) >= 0), default=0)
    at = beside.start() if beside else first
    low, high = max(at - _BEFORE, 0), min(at + _AFTER, len(text))
    if low:
        low = text.find(" ", low, at) + 1 or low
    if high < len(text):
        high = max(text.rfind(" ", at, high), at + 1)
    return f"{'… ' if low else ''}{text[low:high].strip()}{' …' if high < len(text) else ''}"
