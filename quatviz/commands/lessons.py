"""`quatviz lessons`: lectures, whose numbers are measured in runs made now.

quatviz lessons --check all                 the numbers that lessons state, measured now: see lessons.md
quatviz lessons --questions all -o class.xml     their questions for Moodle
"""

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.commands.support.diagnostics import display, opengl
from quatviz.commands.support.offscreen import elsewhere
from quatviz.commands.support.terminal import Parser, as_text, bar, complain, print_json, say, show_progress
from quatviz.files.files import write_text
from quatviz.teaching.lessons import Lesson, lesson_paths, read_lesson
from quatviz.teaching.lessons.check_text import number, stated
from quatviz.teaching.lessons.checking import Outcome, outcomes
from quatviz.teaching.lessons.merging import write_joined
from quatviz.teaching.lessons.parsing import Unread, all_of
from quatviz.teaching.lessons.preparation import Found, prepare
from quatviz.teaching.lessons.questions import write_questions
from quatviz.teaching.lessons.sheet import ANSWERS, write_sheet

PLACE = 50


MISSED = 1
READY, TO_DO = "ok", "TO DO"
"""How a line of what is prepared begins."""


def main(words: Sequence[str]) -> int:
    """0; 1 where a check misses what a lesson states, one of all lessons cannot be read, or something is to do before one can be
    given."""
    choice = _parser().parse_args(words)
    if choice.new is not None:
        return _new(choice.new)
    if choice.sheet is not None:
        lesson = read_lesson(choice.sheet)
        if (status := elsewhere(["lessons", *words])) is not None:
            return status
        return _sheet(lesson, choice.output or Path("sheet"), choice.progress)
    if choice.prepare is not None:
        return _prepare(read_lesson(choice.prepare), choice.progress)
    if choice.join is not None:
        return _join([read_lesson(name) for name in choice.join], choice.output or Path("class.md"))
    if choice.questions is not None:
        lessons, lacking = _named(choice.questions)
        return _questions(lessons, choice.output or Path("questions.xml"), choice.progress) or lacking
    if choice.check is None:
        return _list(choice.json)
    lessons, lacking = _named(choice.check)
    return _check(lessons, choice.json) or lacking


def _named(name: str) -> tuple[list[Lesson], int]:
    """The lesson of this name, or all that can be read, and 1 where one of these cannot, which is told."""
    if name != "all":
        return [read_lesson(name)], 0
    found = all_of(lesson_paths().values())
    lacking = [one.refusal for one in found if isinstance(one, Unread)]
    for refusal in lacking:
        complain(refusal)
    return [one for one in found if isinstance(one, Lesson)], MISSED if lacking else 0


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
        "--prepare",
        metavar="LESSON",
        help="compile and check everything the day before, and say what is to do",
    )
    parser.add_argument(
        "--join", nargs="+", metavar="LESSON", help="write these lessons as one, for one class"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="the folder of the sheet (default: sheet), the file of questions: Moodle's .xml (default: questions.xml) "
        "or .gift, or that of a class (default: class.md)",
    )
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)  # for the window's dialog
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    return parser


def _list(as_json: bool) -> int:
    found = all_of(lesson_paths().values())
    if as_json:
        print_json(map(_listed, found))
        return 0
    told = ("title", "steps", "checks", "minutes")
    lessons = [_listed(one) for one in found if isinstance(one, Lesson)]
    rows = [[str(one[what]) for what in ("id", *told)] for one in lessons]
    say(as_text(("lesson", *told), rows, right=(2, 3, 4)))
    for one in found:
        if isinstance(one, Unread):
            complain(one.refusal)
    return 0


def _listed(one: Lesson | Unread) -> dict[str, object]:
    if isinstance(one, Unread):
        return {"id": one.path.stem, "path": str(one.path), "refused": one.about}
    return {
        "id": one.name,
        "title": one.title,
        "summary": one.summary,
        "source": one.source,
        "minutes": one.minutes,
        "steps": len(one.steps),
        "checks": len(one.checks),
        "path": str(one.path),
    }


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
            say(as_text(("check", "states", "allowed", "measured", ""), [_row(one) for one in own]) + "\n")
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
    from quatviz.app import make_application
    from quatviz.commands.support.offscreen import tell_of_lines
    from quatviz.commands.support.sheet_pdf import paint_body, write_pdf

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


def _prepare(lesson: Lesson, tell: bool) -> int:
    """A line for each thing; for the window, lines with how much is done between them, and nothing of the machine, which that
    knows itself."""

    def told(percent: int) -> None:
        if tell:
            print(f"{percent}/100", flush=True)
        else:
            show_progress(bar(tr("Preparing"), percent, 100))

    found = list(prepare(lesson, told))
    show_progress()
    if not tell:
        found += [Found(one.name, one.value, one.ok) for one in (display(os.environ), *opengl())]
    for one in found:
        say(f"{READY if one.ok else TO_DO:<7}{one.what}: {one.said}")
    if not tell:
        ready = all(one.ok for one in found)
        say(f"{lesson.title}: {tr('ready') if ready else tr('not ready, see above')}")
    return 0 if tell or all(one.ok for one in found) else MISSED


def _join(lessons: Sequence[Lesson], path: Path) -> int:
    _refuse_existing(path)
    made = write_joined(lessons, path)
    say(f"{path} written, with {len(made.steps)} steps; quatviz {path} presents it")
    return 0


def _questions(lessons: Sequence[Lesson], path: Path, tell: bool) -> int:
    done, total = 0, sum(len(lesson.checks) for lesson in lessons)

    def measured_one() -> None:
        nonlocal done
        done += 1
        if tell:
            print(f"{done}/{total}", flush=True)
        else:
            show_progress(bar(tr("Measuring"), done, total))

    count = write_questions(lessons, path, measured_one)
    show_progress()
    say(f"{count} questions written to {path}")
    return 0


def _refuse_existing(path: Path) -> None:
    if os.path.exists(path):
        raise InputError(
            str(path),
            expected="a file that is not there yet",
            found="a file of that name",
            remedy="choose another name",
            topic="errors#files",
        )


def _new(path: Path) -> int:
    _refuse_existing(path)
    write_text(path, (resources.asset("lessons") / "_template.md").read_text("utf-8"))
    say(f"{path} written; quatviz lessons --check {path} reads it and measures its numbers")
    return 0
