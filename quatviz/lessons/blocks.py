"""A lesson's text cut into headings, words and blocks of data, each with its line."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from quatviz.core.errors import Refusal, phrase
from quatviz.core.toml_lines import KeyLines, fault_of

KINDS = ("lesson", "scene", "question", "check")
"""What a block of data can be: the word behind the three ticks."""
_FENCE = re.compile(r"^(```+|~~~+)\s*(\S*)\s*$")
_HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
TOPIC = "lessons#when-a-lesson-is-refused"


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
    """The sections of a lesson. A `Refusal` names `place` and the line."""
    found: list[Section] = []
    words: list[str] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        fence, heading = _FENCE.match(lines[at]), _HEADING.match(lines[at])
        if fence:
            end = _end_of(lines, at, fence[1], place)
            inside = lines[at + 1 : end]
            if fence[2] in KINDS:
                _put(found, words, at, place)
                if not found:
                    raise _untitled(place, at + 1)
                found[-1].pieces.append(_block(fence[2], "\n".join(inside), at + 1, place))
            elif fence[2] and _meant(fence[2]):
                raise Refusal(
                    phrase("{place}, line {line}", place=place, line=at + 1),
                    expected=phrase(
                        "a block of {names}, or of code that is only shown", names=", ".join(KINDS)
                    ),
                    found=fence[2],
                    remedy=phrase("did you mean {kind!r}?", kind=_meant(fence[2])),
                    topic=TOPIC,
                )
            else:
                words += lines[at : end + 1]
            at = end + 1
            continue
        if heading:
            _put(found, words, at, place)
            found.append(Section(len(heading[1]), heading[2], at + 1))
        else:
            words.append(lines[at])
        at += 1
    _put(found, words, at, place)
    return found


def _end_of(lines: list[str], start: int, mark: str, place: str) -> int:
    for at in range(start + 1, len(lines)):
        if lines[at].strip() == mark:
            return at
    raise Refusal(
        phrase("{place}, line {line}", place=place, line=start + 1),
        expected=phrase("a line {mark} where the block ends", mark=mark),
        found="none up to the end of the file",
        remedy=phrase("close the block with {mark} on a line of its own", mark=mark),
        topic=TOPIC,
    )


def _put(found: list[Section], words: list[str], at: int, place: str) -> None:
    """The words so far belong to the last section."""
    text = "\n".join(words).strip()
    words.clear()
    if not text:
        return
    if not found:
        raise _untitled(place, at)
    found[-1].pieces.append(text)


def _untitled(place: str, line: int) -> Refusal:
    return Refusal(
        phrase("{place}, line {line}", place=place, line=line),
        expected="the lesson's title first: a line such as # Gimbal lock",
        found="something before it",
        remedy="begin the file with # and the title",
        topic=TOPIC,
    )


def _meant(word: str) -> str:
    import difflib

    near = difflib.get_close_matches(word, KINDS, n=1, cutoff=0.7)
    return near[0] if near else ""


def _block(kind: str, text: str, line: int, place: str) -> Block:
    try:
        return Block(kind, text, line, tomllib.loads(text))
    except ValueError as error:
        said, where = fault_of(error, text)
        own = where or text.count("\n") + 1
        raise Refusal(
            phrase("{place}, line {line}, {kind}", place=place, line=line + own, kind=kind),
            expected="keys and values as in a preset: key = value",
            found=said,
            remedy="texts need quotes, lists brackets; every key stands once",
            topic=TOPIC,
        ) from None
