"""Parser of lesson files. The help page on lessons describes the format. Errors name the line."""

import logging
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.base.markdown import has_lone_dollar
from quatviz.base.parameters import from_table, parameter
from quatviz.base.parameters import validate as check_declared
from quatviz.base.registry import entry_names
from quatviz.base.translation import translated_error, unreadable_file_text
from quatviz.files.limits import read_limited, refuse_version
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.lessons.blocks import MAX_LESSON_BYTES, LessonBlock, LessonSection, parse_sections
from quatviz.teaching.lessons.check_text import COLUMNS, VECTOR_NORMS, is_quantity, placeholder_names
from quatviz.teaching.lessons.model import (
    REFUSAL_TOPIC,
    Lesson,
    LessonCheck,
    LessonPart,
    LessonStep,
    Question,
    QuestionAndAnswer,
    Scene,
    lesson_error,
    line_location,
)
from quatviz.teaching.lessons.scene_runs import preset_of

log = logging.getLogger(__name__)

FORMAT = 1
Made = TypeVar("Made")
_NUMBER_LINE = re.compile(r"^number = (\d{1,4})$", re.MULTILINE)
_MAX_QUESTIONS = 12
"""Largest number of questions in a step."""


@dataclass(frozen=True)
class LessonHeader:
    """Content of the data block `lesson`, which is at the top of a lesson file."""

    format: int = parameter(explanation="version of the lesson's text")
    source: str = parameter(default="", explanation="where the subject comes from")
    minutes: int = parameter(default=0, minimum=0, explanation="how long it takes")
    number: int = parameter(default=0, minimum=0, explanation="its place in lists; without one it comes last")

    def __post_init__(self) -> None:
        check_declared(self)
        refuse_version(self.format, "format", FORMAT, topic=REFUSAL_TOPIC)


@dataclass
class ParserState:
    """State of the parser between two blocks. `scene` is the last scene that was read."""

    filename: str
    folder: Path | None
    scene: Scene = field(default_factory=Scene)
    check_names: set[str] = field(default_factory=set)
    lanes: list[str] = field(default_factory=list)
    """Names of the lanes of the run that `scene` shows."""
    lanes_by_run: dict[tuple[object, ...], list[str]] = field(default_factory=dict)
    """Names of lanes by `Scene.run_key`, kept so that each preset is read only once."""


def lesson_paths() -> dict[str, Path]:
    """Return the paths of the shipped lessons by name, in the order of their numbers."""
    files = [path for path in resources.asset_path("lessons").glob("*.md") if not path.stem.startswith("_")]
    return {path.stem: path for path in sorted(files, key=lambda path: (_lesson_number(path), path.stem))}


def _lesson_number(path: Path) -> float:
    """Return the number of a lesson, or infinity without a number.

    The lesson is not parsed, because an invalid lesson must not prevent listing the others.
    """
    try:
        match = _NUMBER_LINE.search(path.read_text("utf-8-sig", errors="replace"))
    except OSError:
        return math.inf
    return int(match[1]) if match else math.inf


def find_lesson(name_or_path: str | Path) -> Path:
    """Return the path of a lesson, given the name of a shipped lesson or a path."""
    path, shipped = Path(name_or_path), lesson_paths()
    if str(name_or_path) in shipped:
        return shipped[str(name_or_path)]
    if path.suffix == ".md" and os.path.isfile(path):
        return path
    raise InputError(
        phrase("lesson {name!r}", name=str(name_or_path)),
        expected=phrase(
            "the path of a file ending in .md, or one of the lessons: {names}", names=", ".join(shipped)
        ),
        found="no such file" if path.suffix else "no lesson of that name",
        remedy=suggest_name(path.stem, shipped, otherwise="list the lessons with: quatviz lessons"),
        topic="lessons#from-the-command-line",
    )


def read_lesson(name_or_path: str | Path) -> Lesson:
    """Read a lesson by name or path.

    Raises
    ------
    InputError
        If the lesson is invalid. The error names the file and the line.
    """
    path = find_lesson(name_or_path)
    lesson = parse_lesson(read_lesson_text(path), str(path), path.parent)
    return replace(lesson, name=path.stem, path=path)


@dataclass(frozen=True)
class UnreadableLesson:
    """A lesson file that cannot be read, with the reason. It is listed together with the other lessons."""

    path: Path
    refusal: InputError

    @property
    def title(self) -> str:
        """Name of the file, because the title is not known."""
        return self.path.stem

    @property
    def description(self) -> str:
        """Reason why the lesson cannot be read, in place of a summary."""
        return unreadable_file_text(self.refusal, self.path.parent)

    @property
    def full_message(self) -> str:
        """Complete error message, one part per line."""
        return str(translated_error(self.refusal))


def read_lessons(
    paths: Iterable[Path], read: Callable[[Path], Lesson] = read_lesson
) -> list[Lesson | UnreadableLesson]:
    """Read lessons. Lessons that cannot be read are logged and returned as `UnreadableLesson`."""
    lessons: list[Lesson | UnreadableLesson] = []
    for path in paths:
        try:
            lessons.append(read(path))
        except InputError as refusal:
            log.warning("the lesson %s cannot be read: %s", path, refusal)
            lessons.append(UnreadableLesson(path, refusal))
    return lessons


def read_lesson_text(path: Path) -> str:
    """Return the text of a lesson file.

    Raises
    ------
    InputError
        If the file is too large, unreadable or not UTF-8.
    """
    try:
        return read_limited(path, MAX_LESSON_BYTES).decode("utf-8-sig")
    except InputError as refusal:
        raise lesson_error(
            str(path), refusal.expected, refusal.found, "check that the file is a lesson"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        remedy = "save the file as UTF-8, and check that you may read it"
        raise lesson_error(str(path), "a text in UTF-8 that can be read", str(error), remedy) from None


def parse_lesson(text: str, filename: str = "<lesson>", folder: Path | None = None) -> Lesson:
    """Parse a lesson. `folder` contains its preset files.

    Raises
    ------
    InputError
        If the lesson is invalid. The error names `filename` and the line.
    """
    state = ParserState(filename, folder)
    lesson, sections = _parse_top(text, state)
    if not sections:
        raise lesson_error(filename, "at least one step", "none", "add a heading: ## and words")
    lesson = replace(lesson, steps=tuple(_parse_step(section, state) for section in sections))
    _refuse_unknown_names(text, lesson, filename)
    return lesson


def _parse_top(text: str, state: ParserState) -> tuple[Lesson, list[LessonSection]]:
    """Parse title, summary and header. Return a lesson without steps, and the sections of the steps."""
    filename, sections = state.filename, parse_sections(text, state.filename)
    if not sections or sections[0].level != 1:
        raise lesson_error(
            line_location(filename, 1), "a title: # and words", "none", "begin with # and the lesson's title"
        )
    top = sections[0]
    header = _parse_header(top, state)
    summary = " ".join(piece for piece in top.pieces if isinstance(piece, str))
    lesson = Lesson(top.title, " ".join(summary.split()), (), header.source, header.minutes)
    return lesson, list(sections[1:])


def _parse_header(top: LessonSection, state: ParserState) -> LessonHeader:
    blocks = [piece for piece in top.pieces if isinstance(piece, LessonBlock)]
    if [block.block_type for block in blocks] != ["lesson"]:
        raise lesson_error(
            line_location(state.filename, top.line),
            "one block ```lesson below the title, before the first ##",
            ", ".join(block.block_type for block in blocks) or "none",
            "write format = 1 between ```lesson and ```",
        )
    return _from_block(LessonHeader, blocks[0], state)


def _parse_step(section: LessonSection, state: ParserState) -> LessonStep:
    """Parse a step: a heading of level 2 with texts, scenes, questions and checks."""
    location = line_location(state.filename, section.line)
    if section.level != 2:
        marks = "#" * section.level
        raise lesson_error(
            location, "headings ## only: each is a step", marks, "use ## for a step, bold within"
        )
    parts: list[LessonPart] = []
    questions: list[tuple[Question, LessonBlock]] = []
    checks: list[tuple[LessonCheck, LessonBlock, Scene]] = []
    texts: list[str] = []
    has_scene = False
    state.scene = Scene().resolved_after(state.scene)
    for piece in section.pieces:
        if isinstance(piece, str):
            _refuse_lone_dollar(piece, section, state)
            texts.append(piece)
            continue
        block_location = line_location(state.filename, piece.line)
        if piece.block_type == "scene":
            if has_scene:
                raise lesson_error(
                    block_location, "one scene", "a second scene", "move it to a step of its own"
                )
            state.scene, has_scene = _parse_scene(piece, state), True
        elif piece.block_type == "question":
            if state.scene.preset is None:
                raise lesson_error(
                    block_location, "a scene with a preset before it", "none", "put the scene first"
                )
            if len(questions) == _MAX_QUESTIONS:
                expected = phrase("at most {most} questions in a step", most=_MAX_QUESTIONS)
                raise lesson_error(
                    block_location, expected, "another question", "move it to a step of its own"
                )
            parts.append(LessonPart("\n\n".join(texts), state.scene))
            questions.append((_from_block(Question, piece, state), piece))
            state.scene, texts, has_scene = Scene().resolved_after(state.scene), [], False
        elif piece.block_type == "check":
            checks.append((_parse_check(piece, state), piece, state.scene))
        else:
            raise lesson_error(block_location, "the block lesson at the top", "here", "move it")
    if state.scene.preset is None:
        raise lesson_error(
            location,
            "a scene with a preset in the first step",
            "none",
            'add ```scene, preset = "torque_free"',
        )
    for question, block in questions:
        if question.choices is None:
            _refuse_missing_check(question, block, [check for check, _, _ in checks], state)
    first, *answers = *parts, LessonPart("\n\n".join(texts), state.scene)
    answered_questions = (
        QuestionAndAnswer(question, answer) for (question, _), answer in zip(questions, answers, strict=True)
    )
    return LessonStep(
        section.title, first, tuple(answered_questions), tuple((check, scene) for check, _, scene in checks)
    )


def _from_block(cls: type[Made], block: LessonBlock, state: ParserState) -> Made:
    """Create an instance of the class `cls` from a data block. An error names the line of the rejected key."""
    try:
        return from_table(cls, block.table, "")
    except InputError as refusal:
        raise _relocate(refusal, block, state) from None


def _relocate(
    refusal: InputError, block: LessonBlock, state: ParserState, key: str | None = None
) -> InputError:
    key = refusal.key if key is None else key
    location = _key_location(state.filename, block, key)
    return lesson_error(location, refusal.expected, refusal.found, refusal.remedy, key)


def _parse_scene(block: LessonBlock, state: ParserState) -> Scene:
    scene = _from_block(Scene, block, state)
    allowed_names: tuple[tuple[str, Iterable[str]], ...] = (
        ("panels", set(entry_names("panels"))),
        ("show", set(entry_names("items"))),
        ("hide", set(entry_names("items"))),
    )
    for key, names in allowed_names:
        for number, name in enumerate(getattr(scene, key) or ()):
            _refuse_unknown(name, sorted(names), f"{key}[{number}]", block, state)
    if scene.sequence is not None:
        _refuse_unknown(scene.sequence, SEQUENCES, "sequence", block, state)
    resolved = scene.resolved_after(state.scene)
    state.lanes = state.lanes_by_run.get(resolved.run_key, [])
    if resolved.preset is not None and not state.lanes:
        try:
            state.lanes = lane_names(preset_of(resolved, state.folder).lanes)
        except InputError as refusal:
            first = re.split(r"[.\[]", refusal.key.removeprefix("run."))[0]
            key = first if first in block.table else "preset"
            raise _relocate(refusal, block, state, key) from None
        state.lanes_by_run[resolved.run_key] = state.lanes
    return resolved


def _parse_check(block: LessonBlock, state: ParserState) -> LessonCheck:
    check = _from_block(LessonCheck, block, state)
    if check.quantity and not is_quantity(check.quantity):
        names = [*COLUMNS, *VECTOR_NORMS, "orientation_error"]
        _refuse_unknown(
            check.quantity, names, "quantity", block, state, expected="a column such as h_2, lam or |h|"
        )
    if check.name in state.check_names:
        raise lesson_error(
            _key_location(state.filename, block, "name"),
            "a unique name",
            check.name,
            "choose another",
        )
    state.check_names.add(check.name)
    for key in ("lane", "minus", "over"):
        if getattr(check, key):
            _refuse_unknown(getattr(check, key), state.lanes, key, block, state)
    if check.quantity == "orientation_error" and not check.minus:
        raise lesson_error(
            _key_location(state.filename, block, "quantity"),
            "the lane from which the orientation differs",
            "no key minus",
            'add minus = "NAME OF A LANE"',
        )
    return check


def _refuse_unknown(
    name: str, allowed: Iterable[str], key: str, block: LessonBlock, state: ParserState, expected: str = ""
) -> None:
    names = list(allowed)
    if name not in names:
        raise lesson_error(
            _key_location(state.filename, block, key),
            expected or phrase("one of {names}", names=", ".join(names)),
            repr(name),
            suggest_name(name, names, otherwise="choose one of these"),
        )


def _refuse_missing_check(
    question: Question, block: LessonBlock, checks: list[LessonCheck], state: ParserState
) -> None:
    names = [check.name for check in checks if check.stated_value is not None]
    if question.answer not in names:
        raise lesson_error(
            _key_location(state.filename, block, "answer"),
            "the name of a check of this step with a value, or a list of choices",
            repr(question.answer),
            phrase("one of {names}", names=", ".join(names))
            if names
            else "add a check that measures the answer",
        )


def _refuse_lone_dollar(text: str, section: LessonSection, state: ParserState) -> None:
    if has_lone_dollar(text):
        raise lesson_error(
            phrase(
                "{place}, step “{title}”, line {line}",
                place=state.filename,
                title=section.title,
                line=section.line,
            ),
            "a pair of dollar signs around each formula",
            "an unpaired dollar sign",
            "close the formula with $ or $$, as it was opened",
        )


def _refuse_unknown_names(text: str, lesson: Lesson, filename: str) -> None:
    """Raise an `InputError` for a name in braces that is not the name of a check."""
    checks = lesson.checks
    for line, name in _placeholders(lesson, text):
        if name not in checks:
            raise lesson_error(
                line_location(filename, line),
                phrase("the name of a check in braces: {names}", names=", ".join(checks))
                if checks
                else "the name of a check in braces",
                f"{{{name}}}",
                suggest_name(name, checks, otherwise="add a check of that name, which measures the number"),
            )


def _placeholders(lesson: Lesson, text: str) -> Iterator[tuple[int, str]]:
    for passage in lesson.all_texts:
        for name in placeholder_names(passage):
            placeholder = f"{{{name}}}"
            yield (
                next(
                    (
                        line_number
                        for line_number, source_line in enumerate(text.splitlines(), 1)
                        if placeholder in source_line
                    ),
                    1,
                ),
                name,
            )


def _key_location(filename: str, block: LessonBlock, key: str) -> str:
    """Return the location of a key in a block, or of the block if `key` is empty."""
    name = f"{block.block_type}.{key}".rstrip(".")
    return phrase("{place}, line {line}, {key}", place=filename, line=block.line_of(key), key=name)
