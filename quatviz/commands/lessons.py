"""`quatviz lessons`: lectures, whose numbers are measured in runs made now.

quatviz lessons --check all                 the numbers that lessons state, measured now: see lessons.md
quatviz lessons --questions all -o class.xml     their questions for Moodle
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from quatviz import bootstrap
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.commands._text import Parser, as_text, print_json, say, show_progress
from quatviz.lessons import Lesson, lesson_paths, read_lesson
from quatviz.lessons.checking import Outcome, outcomes
from quatviz.lessons.questions import write_questions
from quatviz.lessons.sheet import ANSWERS, write_sheet
from quatviz.lessons.stating import number, stated
from quatviz.text.files import write_text

PLACE = 50


MISSED = 1


def main(words: Sequence[str]) -> int:
    """0; 1 where a check misses what a lesson states."""
    choice = _parser().parse_args(words)
    if choice.new is not None:
        return _new(choice.new)
    if choice.sheet is not None:
        return _sheet(read_lesson(choice.sheet), choice.output or Path("sheet"), choice.progress)
    if choice.questions is not None:
        return _questions(_named(choice.questions), choice.output or Path("questions.xml"))
    if choice.check is None:
        return _list(choice.json)
    return _check(_named(choice.check), choice.json)


def _named(name: str) -> list[Lesson]:
    return [read_lesson(one) for one in (lesson_paths() if name == "all" else [name])]


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz lessons",
        description="List the lessons; measure every number that one of them states; begin one of your own.",
    )
    parser.add_argument("--check", metavar="LESSON", help="a lesson's name, a file, or all: run its checks")
    parser.add_argument(
        "--new", type=Path, metavar="FILE.md", help="write the template of a lesson to this file"
    )
    parser.add_argument(
        "--sheet", metavar="LESSON", help="write a student's sheet, Markdown and PDF with figures"
    )
    parser.add_argument(
        "--questions",
        metavar="LESSON",
        help="write its questions, or those of all, for a learning platform, with answers measured now",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the folder of the sheet (default: sheet), or the file of questions: Moodle's .xml (default: questions.xml) "
        "or .gift",
    )
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)  # for the window's dialog
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    return parser


def _list(as_json: bool) -> int:
    found = []
    for name in lesson_paths():
        lesson = read_lesson(name)
        found.append(
            {
                "id": name,
                "title": lesson.title,
                "summary": lesson.summary,
                "source": lesson.source,
                "minutes": lesson.minutes,
                "steps": len(lesson.steps),
                "checks": len(lesson.checks),
                "path": str(lesson.path),
            }
        )
    if as_json:
        print_json(found)
        return 0
    told = ("title", "steps", "checks", "minutes")
    rows = [[str(one[what]) for what in ("id", *told)] for one in found]
    print(as_text(("lesson", *told), rows, right=(2, 3, 4)))
    return 0


def _check(lessons: Sequence[Lesson], as_json: bool) -> int:
    made: list[Outcome] = []
    for lesson in lessons:
        own = []
        for one in outcomes(lesson):
            own.append(one)
            show_progress(f"{lesson.name}  {len(own)} of {len(lesson.checks)}")
        show_progress()
        if not as_json:
            say(f"{lesson.name}: {lesson.title}")
            print(as_text(("check", "states", "allowed", "measured", ""), [_row(one) for one in own]) + "\n")
        made += own
    missed = [one for one in made if not one.ok]
    if as_json:
        print_json(map(_object, made))
    else:
        print(f"{len(made) - len(missed)} of {len(made)} checks hold")
    return MISSED if missed else 0


def _row(one: Outcome) -> tuple[str, ...]:
    check = one.check
    allowed = "or less" if check.below is not None else "or more" if check.above is not None else ""
    allowed = allowed if check.tolerance is None else f"± {number(check.tolerance)}"
    return check.name, stated(check), allowed, one.said, "ok" if one.ok else "MISSED"


def _object(one: Outcome) -> dict[str, object]:
    return {
        "lesson": one.lesson,
        "step": one.step,
        "check": one.check.name,
        "states": one.check.status if one.check.number is None else one.check.number,
        "tolerance": one.check.tolerance,
        "measured": one.said if one.measured != one.measured else one.measured,
        "ok": one.ok,
    }


def _sheet(lesson: Lesson, folder: Path, tell: bool) -> int:
    if not os.environ.get("QT_QPA_PLATFORM") and not bootstrap.has_display(sys.platform, os.environ):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # paper needs no display
    from quatviz.app import make_application
    from quatviz.commands._sheet_pdf import paint_body, write_pdf
    from quatviz.commands._stage import tell_of_lines

    application = make_application()
    tell_of_lines()
    total = len(lesson.steps) + 3

    def told(done: int) -> None:
        if tell:
            print(f"{done}/{total}", flush=True)

    told(1)
    fresh = not folder.exists()
    try:
        paths = write_sheet(lesson, folder, paint_body, lambda done: told(1 + done))
        for text in [path for path in paths if path.suffix == ".md"]:
            paths.append(text.with_suffix(".pdf"))
            write_pdf(text, paths[-1])
            told(total - 1)
    except BaseException:
        if fresh:
            with suppress(OSError):  # something is in it, or it was never made
                folder.rmdir()
        raise
    application.processEvents()
    print(
        f"{len(paths)} files written to {folder}; {lesson.name}.pdf is the sheet, {lesson.name}{ANSWERS}.pdf the teacher's copy"
    )
    return 0


def _questions(lessons: Sequence[Lesson], path: Path) -> int:
    say(f"{write_questions(lessons, path)} questions written to {path}")
    return 0


def _new(path: Path) -> int:
    if os.path.exists(path):
        raise InputError(
            str(path),
            expected="a file that is not there yet",
            found="a file of that name",
            remedy="choose another name",
            topic="errors#files",
        )
    write_text(path, (resources.asset("lessons") / "_template.md").read_text("utf-8"))
    say(f"{path} written; quatviz lessons --check {path} reads it and measures its numbers")
    return 0
