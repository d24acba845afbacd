"""A lesson's text cut into headings, words and blocks of data, each with its line."""

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import blocks
from quatviz.files.limits import refuse_unreadable
from quatviz.files.toml_lines import KeyLines, fault_of
from quatviz.teaching.lessons.model import line_in, refused

if TYPE_CHECKING:
    from markdown_it.token import Token

KINDS = ("lesson", "scene", "question", "check")
"""What a block of data can be: the word behind the three ticks."""
LARGEST = 50_000
"""Bytes of a lesson; the shipped ones have four thousand."""
_MOST = 10_000
"""Parts that Markdown sees in it: a row of a table has as many as its head, whatever is written there."""


@dataclass(frozen=True)
class Block:
    """Data in TOML between two fences."""

    kind: str
    text: str
    line: int
    """The line of the fence that opens it."""
    table: dict[str, Any]

    def line_of(self, key: str) -> int:
        """On which line of the file a key stands."""
        return self.line + KeyLines(self.text).line(key)


@dataclass
class Section:
    """A heading with what stands below it, in order."""

    level: int
    title: str
    line: int
    pieces: list[str | Block] = field(default_factory=list)


def sections_of(text: str, place: str) -> list[Section]:
    """The sections of a lesson. An `InputError` names `place` and the line."""
    found: list[Section] = []
    lines = text.splitlines()
    done = 0
    tokens = blocks(text)
    if len(tokens) > _MOST:
        raise refused(
            place,
            phrase("at most {most} paragraphs, cells and other parts", most=_MOST),
            f"{len(tokens)}",
            "check that it is a lesson at all",
        )
    for token in tokens:
        if token.level or token.map is None:
            continue
        start, end = token.map
        if token.type == "heading_open":
            _put(found, lines[done:start], start, place)
            title = lines[start].lstrip("# ").rstrip()
            found.append(Section(int(token.tag[1:]), title, start + 1))
            done = end
        elif token.type == "fence":
            _refuse_open(token, lines, place)
            kind = token.info.strip()
            if kind not in KINDS:
                _refuse_misspelt(kind, start + 1, place)
                continue
            _put(found, lines[done:start], start, place)
            if not found:
                raise _untitled(place, start + 1)
            found[-1].pieces.append(_block(kind, token.content.rstrip("\n"), start + 1, place))
            done = end
    _put(found, lines[done:], len(lines), place)
    return found


def _refuse_open(fence: "Token", lines: list[str], place: str) -> None:
    """Markdown lets a block that nothing closes go on to the end of the file."""
    assert fence.map is not None
    start, end = fence.map
    last = lines[end - 1].strip()
    if end - 1 > start and last.startswith(fence.markup) and not last.strip(fence.markup[0]):
        return
    raise refused(
        line_in(place, start + 1),
        phrase("a line {mark} where the block ends", mark=fence.markup),
        "none up to the end of the file",
        phrase("close the block with {mark} on a line of its own", mark=fence.markup),
    )


def _refuse_misspelt(kind: str, line: int, place: str) -> None:
    if kind and _meant(kind):
        raise refused(
            line_in(place, line),
            phrase("a block of {names}, or of code that is only shown", names=", ".join(KINDS)),
            kind,
            phrase("did you mean {kind!r}?", kind=_meant(kind)),
        )


def _put(found: list[Section], words: list[str], at: int, place: str) -> None:
    """The words so far belong to the last section."""
    text = "\n".join(words).strip()
    if not text:
        return
    if not found:
        raise _untitled(place, at)
    found[-1].pieces.append(text)


def _untitled(place: str, line: int) -> InputError:
    return refused(
        line_in(place, line),
        "the lesson's title first: a line such as # Gimbal lock",
        "something before it",
        "begin the file with # and the title",
    )


def _meant(word: str) -> str:
    import difflib

    near = difflib.get_close_matches(word, KINDS, n=1, cutoff=0.7)
    return near[0] if near else ""


def _block(kind: str, text: str, line: int, place: str) -> Block:
    try:
        refuse_unreadable(text, line_in(place, line))
        return Block(kind, text, line, tomllib.loads(text))
    except RecursionError:
        raise refused(
            line_in(place, line),
            "values nested a few levels deep",
            "brackets nested too deeply to read",
            "check that it is a lesson at all",
        ) from None
    except ValueError as error:
        said, where = fault_of(error, text)
        own = where or text.count("\n") + 1
        raise refused(
            phrase("{place}, line {line}, {kind}", place=place, line=line + own, kind=kind),
            "keys and values as in a preset: key = value",
            said,
            "texts need quotes, lists brackets; every key stands once",
        ) from None
