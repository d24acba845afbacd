"""A lesson from its file. The protocol is the page of the help called Lessons; whatever breaks it is refused with its line."""

import logging
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import has_lone_dollar
from quatviz.base.parameters import check as check_declared
from quatviz.base.parameters import from_table, parameter, suggestion
from quatviz.base.registry import names_of
from quatviz.base.translation import translated, unread
from quatviz.files.limits import read_limited, refuse_version
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.lessons.blocks import LARGEST, Block, Section, sections_of
from quatviz.teaching.lessons.check_text import COLUMNS, SIZES, is_quantity, names_in
from quatviz.teaching.lessons.model import (
    TOPIC,
    Asking,
    Check,
    Lesson,
    Part,
    Question,
    Scene,
    Step,
    line_in,
    refused,
)
from quatviz.teaching.lessons.scene_runs import preset_of

log = logging.getLogger(__name__)

FORMAT = 1
Made = TypeVar("Made")
_NUMBER = re.compile(r"^number = (\d{1,4})$", re.MULTILINE)
_MOST_QUESTIONS = 12
"""In a step."""


@dataclass(frozen=True)
class Head:
    """The block `lesson` at the top of a file."""

    format: int = parameter(explanation="version of the lesson's text")
    source: str = parameter(default="", explanation="where the subject comes from")
    minutes: int = parameter(default=0, minimum=0, explanation="how long it takes")
    number: int = parameter(default=0, minimum=0, explanation="its place in lists; without one it comes last")

    def __post_init__(self) -> None:
        check_declared(self)
        refuse_version(self.format, "format", FORMAT, topic=TOPIC)


@dataclass
class Reading:
    """What is known while a lesson is read."""

    place: str
    folder: Path | None
    scene: Scene = field(default_factory=Scene)
    names: set[str] = field(default_factory=set)
    lanes: list[str] = field(default_factory=list)
    """Those of the scene's run."""
    known: dict[tuple[object, ...], list[str]] = field(default_factory=dict)
    """Those of each run so far, whose preset is read once."""


def lesson_paths() -> dict[str, Path]:
    """The file of every lesson that quatviz ships, by name, in the order of their numbers."""
    files = [path for path in resources.asset("lessons").glob("*.md") if not path.stem.startswith("_")]
    return {path.stem: path for path in sorted(files, key=lambda path: (_number_in(path), path.stem))}


def _number_in(path: Path) -> float:
    """Found without reading the lesson: one that is malformed must not keep the others out of a list."""
    try:
        found = _NUMBER.search(path.read_text("utf-8-sig", errors="replace"))
    except OSError:
        return math.inf
    return int(found[1]) if found else math.inf


def find_lesson(name_or_path: str | Path) -> Path:
    """The file of a lesson: the name of a shipped one, or a path."""
    path, known = Path(name_or_path), lesson_paths()
    if str(name_or_path) in known:
        return known[str(name_or_path)]
    if path.suffix == ".md" and os.path.isfile(path):
        return path
    raise InputError(
        phrase("lesson {name!r}", name=str(name_or_path)),
        expected=phrase(
            "the path of a file ending in .md, or one of the lessons: {names}", names=", ".join(known)
        ),
        found="no such file" if path.suffix else "no lesson of that name",
        remedy=suggestion(path.stem, known, otherwise="list the lessons with: quatviz lessons"),
        topic="lessons#from-the-command-line",
    )


def read_lesson(name_or_path: str | Path) -> Lesson:
    """A lesson by name or path. `InputError` with file and line for what cannot be used."""
    path = find_lesson(name_or_path)
    lesson = parse_lesson(text_of(path), str(path), path.parent)
    return replace(lesson, name=path.stem, path=path)


@dataclass(frozen=True)
class Unread:
    """A lesson's file that cannot be read, and why: it must not hide the others."""

    path: Path
    refusal: InputError

    @property
    def title(self) -> str:
        """The name of the file, for its own is not known."""
        return self.path.stem

    @property
    def about(self) -> str:
        """In place of a summary."""
        return unread(self.refusal, self.path.parent)

    @property
    def whole(self) -> str:
        """All four parts of why, each in a line."""
        return str(translated(self.refusal))


def all_of(paths: Iterable[Path], read: Callable[[Path], Lesson] = read_lesson) -> list[Lesson | Unread]:
    """The lessons of these files, and in their places those that cannot be read, which are logged."""
    found: list[Lesson | Unread] = []
    for path in paths:
        try:
            found.append(read(path))
        except InputError as refusal:
            log.warning("the lesson %s cannot be read: %s", path, refusal)
            found.append(Unread(path, refusal))
    return found


def text_of(path: Path) -> str:
    """What a lesson's file says. `InputError` where it is too large, or no text."""
    try:
        return read_limited(path, LARGEST).decode("utf-8-sig")
    except InputError as refusal:
        raise refused(
            str(path), refusal.expected, refusal.found, "check that it is a lesson at all"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        remedy = "save the file as UTF-8, and check that you may read it"
        raise refused(str(path), "a text in UTF-8 that can be read", str(error), remedy) from None


def parse_lesson(text: str, place: str = "<lesson>", folder: Path | None = None) -> Lesson:
    """The lesson that `text` describes. Presets that are files are looked for in `folder`."""
    reading = Reading(place, folder)
    lesson, sections = _heading(text, reading)
    if not sections:
        raise refused(place, "at least one step", "none", "add a heading: ## and words")
    lesson = replace(lesson, steps=tuple(_step(section, reading) for section in sections))
    _refuse_unknown_names(text, lesson, place)
    return lesson


def _heading(text: str, reading: Reading) -> tuple[Lesson, list[Section]]:
    """What stands above the steps, as a lesson that has none yet, and the steps' sections."""
    place, sections = reading.place, sections_of(text, reading.place)
    if not sections or sections[0].level != 1:
        raise refused(
            line_in(place, 1), "a title: # and words", "none", "begin with # and the lesson's title"
        )
    top = sections[0]
    head = _head(top, reading)
    summary = " ".join(piece for piece in top.pieces if isinstance(piece, str))
    lesson = Lesson(top.title, " ".join(summary.split()), (), head.source, head.minutes)
    return lesson, list(sections[1:])


def _head(top: Section, reading: Reading) -> Head:
    blocks = [piece for piece in top.pieces if isinstance(piece, Block)]
    if [block.kind for block in blocks] != ["lesson"]:
        raise refused(
            line_in(reading.place, top.line),
            "one block ```lesson below the title, before the first ##",
            ", ".join(block.kind for block in blocks) or "none",
            "write format = 1 between ```lesson and ```",
        )
    return _made(Head, blocks[0], reading)


def _step(section: Section, reading: Reading) -> Step:
    """A heading of the second level with words, scenes, questions, checks."""
    where = line_in(reading.place, section.line)
    if section.level != 2:
        raise refused(
            where, "headings ## only: each is a step", "#" * section.level, "use ## for a step, bold within"
        )
    parts: list[Part] = []
    questions: list[tuple[Question, Block]] = []
    checks: list[tuple[Check, Block, Scene]] = []
    words: list[str] = []
    staged = False
    reading.scene = Scene().after(reading.scene)
    for piece in section.pieces:
        if isinstance(piece, str):
            _refuse_lone_dollar(piece, section, reading)
            words.append(piece)
            continue
        at = line_in(reading.place, piece.line)
        if piece.kind == "scene":
            if staged:
                raise refused(at, "one scene", "a second one", "make a step of it")
            reading.scene, staged = _scene(piece, reading), True
        elif piece.kind == "question":
            if reading.scene.preset is None:
                raise refused(at, "a scene with a preset before it", "none", "put the scene first")
            if len(questions) == _MOST_QUESTIONS:
                expected = phrase("at most {most} questions in a step", most=_MOST_QUESTIONS)
                raise refused(at, expected, "one more", "make a step of it")
            parts.append(Part("\n\n".join(words), reading.scene))
            questions.append((_made(Question, piece, reading), piece))
            reading.scene, words, staged = Scene().after(reading.scene), [], False
        elif piece.kind == "check":
            checks.append((_check(piece, reading), piece, reading.scene))
        else:
            raise refused(at, "the block lesson at the top", "here", "move it")
    if reading.scene.preset is None:
        raise refused(
            where, "a scene with a preset in the first step", "none", 'add ```scene, preset = "torque_free"'
        )
    for question, block in questions:
        if question.choices is None:
            _refuse_no_check(question, block, [check for check, _, _ in checks], reading)
    first, *answers = *parts, Part("\n\n".join(words), reading.scene)
    asked = (Asking(question, answer) for (question, _), answer in zip(questions, answers, strict=True))
    return Step(section.title, first, tuple(asked), tuple((check, scene) for check, _, scene in checks))


def _made(cls: type[Made], block: Block, reading: Reading) -> Made:
    """What a block describes."""
    try:
        return from_table(cls, block.table, "")
    except InputError as refusal:
        raise _at(refusal, block, reading) from None


def _at(refusal: InputError, block: Block, reading: Reading, key: str | None = None) -> InputError:
    key = refusal.key if key is None else key
    place = _key(reading.place, block, key)
    return refused(place, refusal.expected, refusal.found, refusal.remedy, key)


def _scene(block: Block, reading: Reading) -> Scene:
    scene = _made(Scene, block, reading)
    known: tuple[tuple[str, Iterable[str]], ...] = (
        ("panels", set(names_of("panels"))),
        ("show", set(names_of("items"))),
        ("hide", set(names_of("items"))),
    )
    for key, names in known:
        for number, name in enumerate(getattr(scene, key) or ()):
            _refuse_unknown(name, sorted(names), f"{key}[{number}]", block, reading)
    if scene.sequence is not None:
        _refuse_unknown(scene.sequence, SEQUENCES, "sequence", block, reading)
    whole = scene.after(reading.scene)
    reading.lanes = reading.known.get(whole.run, [])
    if whole.preset is not None and not reading.lanes:
        try:
            reading.lanes = lane_names(preset_of(whole, reading.folder).lanes)
        except InputError as refusal:
            first = re.split(r"[.\[]", refusal.key.removeprefix("run."))[0]
            key = first if first in block.table else "preset"
            raise _at(refusal, block, reading, key) from None
        reading.known[whole.run] = reading.lanes
    return whole


def _check(block: Block, reading: Reading) -> Check:
    check = _made(Check, block, reading)
    if check.quantity and not is_quantity(check.quantity):
        names = [*COLUMNS, *SIZES, "orientation_error"]
        _refuse_unknown(
            check.quantity, names, "quantity", block, reading, shown="a column such as h_2, lam or |h|"
        )
    if check.name in reading.names:
        raise refused(
            _key(reading.place, block, "name"),
            "a name of its own",
            check.name,
            "choose another",
        )
    reading.names.add(check.name)
    for key in ("lane", "minus", "over"):
        if getattr(check, key):
            _refuse_unknown(getattr(check, key), reading.lanes, key, block, reading)
    if check.quantity == "orientation_error" and not check.minus:
        raise refused(
            _key(reading.place, block, "quantity"),
            "the lane from which the orientation differs",
            "no key minus",
            'add minus = "NAME OF A LANE"',
        )
    return check


def _refuse_unknown(
    name: str, known: Iterable[str], key: str, block: Block, reading: Reading, shown: str = ""
) -> None:
    names = list(known)
    if name not in names:
        raise refused(
            _key(reading.place, block, key),
            shown or phrase("one of {names}", names=", ".join(names)),
            repr(name),
            suggestion(name, names, otherwise="choose one of these"),
        )


def _refuse_no_check(question: Question, block: Block, checks: list[Check], reading: Reading) -> None:
    names = [check.name for check in checks if check.number is not None]
    if question.answer not in names:
        raise refused(
            _key(reading.place, block, "answer"),
            "the name of a check of this step with a value, or a list of choices",
            repr(question.answer),
            phrase("one of {names}", names=", ".join(names))
            if names
            else "add a check that measures the answer",
        )


def _refuse_lone_dollar(words: str, section: Section, reading: Reading) -> None:
    if has_lone_dollar(words):
        raise refused(
            phrase(
                "{place}, step “{title}”, line {line}",
                place=reading.place,
                title=section.title,
                line=section.line,
            ),
            "dollars in pairs around each formula",
            "one dollar too many",
            "close the formula with $, or with $$ what began with $$",
        )


def _refuse_unknown_names(text: str, lesson: Lesson, place: str) -> None:
    """Names in braces that no check has."""
    known = lesson.checks
    for line, name in _names(lesson, text):
        if name not in known:
            raise refused(
                line_in(place, line),
                phrase("the name of a check in braces: {names}", names=", ".join(known))
                if known
                else "the name of a check in braces",
                f"{{{name}}}",
                suggestion(name, known, otherwise="add a check of that name, which measures the number"),
            )


def _names(lesson: Lesson, text: str) -> Iterator[tuple[int, str]]:
    for one in lesson.words:
        for name in names_in(one):
            written = f"{{{name}}}"
            yield next((n for n, said in enumerate(text.splitlines(), 1) if written in said), 1), name


def _key(place: str, block: Block, key: str) -> str:
    """Where a key of a block stands; the block itself where there is no key."""
    name = f"{block.kind}.{key}".rstrip(".")
    return phrase("{place}, line {line}, {key}", place=place, line=block.line_of(key), key=name)
