"""Division of the text of a lesson into headings, texts and data blocks, with line numbers."""

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import block_tokens
from quatviz.files.limits import refuse_unreadable
from quatviz.files.toml_lines import KeyLines, parse_toml_error
from quatviz.teaching.lessons.model import lesson_error, line_location

if TYPE_CHECKING:
    from markdown_it.token import Token

BLOCK_TYPES = ("lesson", "scene", "question", "check")
"""Types of data blocks. The type is the word after the opening fence."""
MAX_LESSON_BYTES = 50_000
"""Largest size of a lesson [bytes]. The shipped lessons have about 4000 bytes."""
_MAX_TOKENS = 10_000
"""Largest number of Markdown tokens of a lesson. The size of the text does not limit this number, because even an empty row
of a table has as many cells as the heading."""


@dataclass(frozen=True)
class LessonBlock:
    """A data block of a lesson: TOML text between two Markdown fences."""

    block_type: str
    text: str
    line: int
    """Line number of the opening fence in the lesson file."""
    table: dict[str, Any]

    def line_of(self, key: str) -> int:
        """Return the number of the line in the lesson file that contains a key of this block."""
        return self.line + KeyLines(self.text).line(key)


@dataclass
class LessonSection:
    """A heading and the texts and blocks that follow it, in order."""

    level: int
    title: str
    line: int
    pieces: list[str | LessonBlock] = field(default_factory=list)


def parse_sections(text: str, filename: str) -> list[LessonSection]:
    """Return the sections of a lesson.

    Raises
    ------
    InputError
        If a block is invalid. The error names `filename` and the line.
    """
    sections: list[LessonSection] = []
    lines = text.splitlines()
    next_line = 0
    tokens = block_tokens(text)
    if len(tokens) > _MAX_TOKENS:
        raise lesson_error(
            filename,
            phrase("at most {most} paragraphs, table cells and other parts", most=_MAX_TOKENS),
            f"{len(tokens)}",
            "check that the file is a lesson",
        )
    for token in tokens:
        if token.level or token.map is None:
            continue
        start, end = token.map
        if token.type == "heading_open":
            _append_text(sections, lines[next_line:start], start, filename)
            title = lines[start].lstrip("# ").rstrip()
            sections.append(LessonSection(int(token.tag[1:]), title, start + 1))
            next_line = end
        elif token.type == "fence":
            _refuse_unclosed(token, lines, filename)
            block_type = token.info.strip()
            if block_type not in BLOCK_TYPES:
                _refuse_misspelled(block_type, start + 1, filename)
                continue
            _append_text(sections, lines[next_line:start], start, filename)
            if not sections:
                raise _missing_title(filename, start + 1)
            sections[-1].pieces.append(
                _parse_block(block_type, token.content.rstrip("\n"), start + 1, filename)
            )
            next_line = end
    _append_text(sections, lines[next_line:], len(lines), filename)
    return sections


def _refuse_unclosed(fence: "Token", lines: list[str], filename: str) -> None:
    """Raise an `InputError` for a block whose fence is not closed. Markdown would extend this block to the end of the file."""
    assert fence.map is not None
    start, end = fence.map
    last = lines[end - 1].strip()
    if end - 1 > start and last.startswith(fence.markup) and not last.strip(fence.markup[0]):
        return
    raise lesson_error(
        line_location(filename, start + 1),
        phrase("a line {mark} where the block ends", mark=fence.markup),
        "no such line before the end of the file",
        phrase("close the block with {mark} on a line of its own", mark=fence.markup),
    )


def _refuse_misspelled(block_type: str, line: int, filename: str) -> None:
    if block_type and _closest_block_type(block_type):
        raise lesson_error(
            line_location(filename, line),
            phrase("a block of the type {names}, or a code block", names=", ".join(BLOCK_TYPES)),
            block_type,
            phrase("did you mean {kind!r}?", kind=_closest_block_type(block_type)),
        )


def _append_text(sections: list[LessonSection], lines: list[str], line: int, filename: str) -> None:
    """Append a text to the last section. Raise an `InputError` if there is no section yet."""
    text = "\n".join(lines).strip()
    if not text:
        return
    if not sections:
        raise _missing_title(filename, line)
    sections[-1].pieces.append(text)


def _missing_title(filename: str, line: int) -> InputError:
    return lesson_error(
        line_location(filename, line),
        "the lesson's title first: a line such as # Gimbal lock",
        "something before it",
        "begin the file with # and the title",
    )


def _closest_block_type(word: str) -> str:
    import difflib

    matches = difflib.get_close_matches(word, BLOCK_TYPES, n=1, cutoff=0.7)
    return matches[0] if matches else ""


def _parse_block(block_type: str, text: str, line: int, filename: str) -> LessonBlock:
    try:
        refuse_unreadable(text, line_location(filename, line))
        return LessonBlock(block_type, text, line, tomllib.loads(text))
    except RecursionError:
        raise lesson_error(
            line_location(filename, line),
            "values nested a few levels deep",
            "brackets nested too deeply to read",
            "check that the file is a lesson",
        ) from None
    except ValueError as error:
        message, fault_line = parse_toml_error(error, text)
        line_in_block = fault_line or text.count("\n") + 1
        raise lesson_error(
            phrase(
                "{place}, line {line}, {kind}", place=filename, line=line + line_in_block, kind=block_type
            ),
            "keys and values as in a preset: key = value",
            message,
            "texts need quotes, lists need brackets; each key may appear once",
        ) from None
