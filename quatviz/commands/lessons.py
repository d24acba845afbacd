"""`quatviz lessons`: list lessons, check their numbers, and write sheets and questions.

quatviz lessons --check all                 measure all numbers that lessons state: see lessons.md
quatviz lessons --questions all -o class.xml     write their questions for Moodle
"""

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.commands.support.diagnostics import check_display, check_opengl
from quatviz.commands.support.offscreen import rerun_with_display
from quatviz.commands.support.terminal import (
    CommandParser,
    format_table,
    print_error,
    print_json,
    print_safe,
    progress_bar,
    show_progress,
)
from quatviz.files.files import write_text
from quatviz.teaching.lessons import Lesson, lesson_paths, read_lesson
from quatviz.teaching.lessons.check_text import format_check_value, format_number
from quatviz.teaching.lessons.checking import CheckResult, evaluate_checks
from quatviz.teaching.lessons.merging import write_merged
from quatviz.teaching.lessons.parsing import UnreadableLesson, read_lessons
from quatviz.teaching.lessons.preparation import PreparationResult, prepare
from quatviz.teaching.lessons.questions import write_questions
from quatviz.teaching.lessons.sheet import ANSWERS_SUFFIX, write_sheet

PLACE = 50


CHECK_FAILED = 1
READY, TO_DO = "ok", "TO DO"
"""Words at the beginning of the lines that `--prepare` prints: an item that is ready, and one that remains to be done."""


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status.

    The status is 1 if a measured number differs from that of the lesson, if a lesson cannot be read when all are
    requested, or if something remains to be prepared.
    """
    args = _parser().parse_args(argv)
    if args.new is not None:
        return _write_template(args.new)
    if args.sheet is not None:
        lesson = read_lesson(args.sheet)
        if (status := rerun_with_display(["lessons", *argv])) is not None:
            return status
        return _write_sheet(lesson, args.output or Path("sheet"), args.progress)
    if args.prepare is not None:
        return _prepare_lesson(read_lesson(args.prepare), args.progress)
    if args.join is not None:
        return _merge_lessons([read_lesson(name) for name in args.join], args.output or Path("class.md"))
    if args.questions is not None:
        lessons, unreadable_status = _find_lessons(args.questions)
        return (
            _write_questions(lessons, args.output or Path("questions.xml"), args.progress)
            or unreadable_status
        )
    if args.check is None:
        return _list_lessons(args.json)
    lessons, unreadable_status = _find_lessons(args.check)
    return _run_checks(lessons, args.json) or unreadable_status


def _find_lessons(name: str) -> tuple[list[Lesson], int]:
    """Return the lesson called `name`, or all lessons that can be read if `name` is "all". Also return an exit status.

    The status is 1 if some of all lessons cannot be read; their errors are printed.
    """
    if name != "all":
        return [read_lesson(name)], 0
    entries = read_lessons(lesson_paths().values())
    refusals = [entry.refusal for entry in entries if isinstance(entry, UnreadableLesson)]
    for refusal in refusals:
        print_error(refusal)
    return [entry for entry in entries if isinstance(entry, Lesson)], CHECK_FAILED if refusals else 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz lessons",
        description="List the lessons, check the numbers that they state, write worksheets and quizzes, or begin a new lesson.",
    )
    parser.add_argument(
        "--check", metavar="LESSON", help="run the checks of a lesson (name or file), or of all"
    )
    parser.add_argument(
        "--new", type=Path, metavar="FILE.md", help="write a template for a new lesson to this file"
    )
    parser.add_argument(
        "--sheet", metavar="LESSON", help="write a worksheet for students, as Markdown and PDF with figures"
    )
    parser.add_argument(
        "--questions",
        metavar="LESSON",
        help="write the questions of a lesson, or of all, for a learning platform, with measured answers",
    )
    parser.add_argument(
        "--prepare",
        metavar="LESSON",
        help="compile and check everything in advance, and report what remains to be done",
    )
    parser.add_argument("--join", nargs="+", metavar="LESSON", help="merge these lessons into one")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="folder of the worksheet (default: sheet), file of the questions: Moodle .xml (default: questions.xml) "
        "or .gift, or file of the merged lesson (default: class.md)",
    )
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)  # for the window's dialog
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    return parser


def _list_lessons(as_json: bool) -> int:
    entries = read_lessons(lesson_paths().values())
    if as_json:
        print_json(map(_lesson_record, entries))
        return 0
    columns = ("title", "steps", "checks", "minutes")
    records = [_lesson_record(entry) for entry in entries if isinstance(entry, Lesson)]
    rows = [[str(entry[column]) for column in ("id", *columns)] for entry in records]
    print_safe(format_table(("lesson", *columns), rows, right_aligned=(2, 3, 4)))
    for entry in entries:
        if isinstance(entry, UnreadableLesson):
            print_error(entry.refusal)
    return 0


def _lesson_record(lesson: Lesson | UnreadableLesson) -> dict[str, object]:
    if isinstance(lesson, UnreadableLesson):
        return {"id": lesson.path.stem, "path": str(lesson.path), "refused": lesson.description}
    return {
        "id": lesson.name,
        "title": lesson.title,
        "summary": lesson.summary,
        "source": lesson.source,
        "minutes": lesson.minutes,
        "steps": len(lesson.steps),
        "checks": len(lesson.checks),
        "path": str(lesson.path),
    }


def _run_checks(lessons: Sequence[Lesson], as_json: bool) -> int:
    results: list[CheckResult] = []
    for lesson in lessons:
        lesson_results = []
        for result in evaluate_checks(lesson):
            lesson_results.append(result)
            show_progress(f"{lesson.name}  {len(lesson_results)} of {len(lesson.checks)}")
        show_progress()
        if not as_json:
            print_safe(f"{lesson.name}: {lesson.title}")
            print_safe(
                format_table(
                    ("check", "states", "allowed", "measured", ""),
                    [_check_row(result) for result in lesson_results],
                )
                + "\n"
            )
        results += lesson_results
    failures = [result for result in results if not result.ok]
    if as_json:
        print_json(map(_check_record, results))
    else:
        print(f"{len(results) - len(failures)} of {len(results)} checks passed")
    return CHECK_FAILED if failures else 0


def _check_row(result: CheckResult) -> tuple[str, ...]:
    check = result.check
    allowed = "or less" if check.below is not None else "or more" if check.above is not None else ""
    allowed = allowed if check.tolerance is None else f"± {format_number(check.tolerance)}"
    return (
        check.name,
        format_check_value(check),
        allowed,
        result.measured_text,
        "ok" if result.ok else "MISSED",
    )


def _check_record(result: CheckResult) -> dict[str, object]:
    return {
        "lesson": result.lesson,
        "step": result.step,
        "check": result.check.name,
        "states": result.check.status if result.check.stated_value is None else result.check.stated_value,
        "tolerance": result.check.tolerance,
        "measured": result.measured_text if result.measured != result.measured else result.measured,
        "ok": result.ok,
    }


def _write_sheet(lesson: Lesson, folder: Path, print_lines: bool) -> int:
    from quatviz.app import make_application
    from quatviz.commands.support.offscreen import warn_about_line_drawing
    from quatviz.commands.support.sheet_pdf import paint_body, write_pdf

    application = make_application()
    warn_about_line_drawing()
    total = len(lesson.steps) + 3

    def report(done: int) -> None:
        if print_lines:
            print(f"{done}/{total}", flush=True)

    report(1)
    is_new_folder = not folder.exists()
    try:
        paths = write_sheet(lesson, folder, paint_body, lambda done: report(1 + done))
        for text in [path for path in paths if path.suffix == ".md"]:
            paths.append(text.with_suffix(".pdf"))
            write_pdf(text, paths[-1])
            report(total - 1)
    except BaseException:
        if is_new_folder:
            with suppress(OSError):  # The folder is not empty, or was never made.
                folder.rmdir()
        raise
    application.processEvents()
    print(
        f"{len(paths)} files written to {folder}; {lesson.name}.pdf is the worksheet, "
        f"{lesson.name}{ANSWERS_SUFFIX}.pdf the teacher's copy"
    )
    return 0


def _prepare_lesson(lesson: Lesson, print_lines: bool) -> int:
    """Prepare a lesson, print one line per item, and return the exit status.

    If the window calls the command, progress is printed too, and the checks of the machine are omitted, because the
    window makes them itself.
    """

    def report(percent: int) -> None:
        if print_lines:
            print(f"{percent}/100", flush=True)
        else:
            show_progress(progress_bar(tr("Preparing"), percent, 100))

    results = list(prepare(lesson, report))
    show_progress()
    if not print_lines:
        results += [
            PreparationResult(result.name, result.value, result.ok)
            for result in (check_display(os.environ), *check_opengl())
        ]
    for result in results:
        print_safe(f"{READY if result.ok else TO_DO:<7}{result.title}: {result.message}")
    if not print_lines:
        ready = all(result.ok for result in results)
        print_safe(f"{lesson.title}: {tr('ready') if ready else tr('not ready, see above')}")
    return 0 if print_lines or all(result.ok for result in results) else CHECK_FAILED


def _merge_lessons(lessons: Sequence[Lesson], path: Path) -> int:
    _refuse_existing(path)
    merged = write_merged(lessons, path)
    print_safe(f"{path} written, with {len(merged.steps)} steps; present it with: quatviz {path}")
    return 0


def _write_questions(lessons: Sequence[Lesson], path: Path, print_lines: bool) -> int:
    done, total = 0, sum(len(lesson.checks) for lesson in lessons)

    def on_measured() -> None:
        nonlocal done
        done += 1
        if print_lines:
            print(f"{done}/{total}", flush=True)
        else:
            show_progress(progress_bar(tr("Measuring"), done, total))

    count = write_questions(lessons, path, on_measured)
    show_progress()
    print_safe(f"{count} questions written to {path}")
    return 0


def _refuse_existing(path: Path) -> None:
    if os.path.exists(path):
        raise InputError(
            str(path),
            expected="a file that does not exist",
            found="a file of that name",
            remedy="choose another name",
            topic="errors#files",
        )


def _write_template(path: Path) -> int:
    _refuse_existing(path)
    write_text(path, (resources.asset_path("lessons") / "_template.md").read_text("utf-8"))
    print_safe(f"{path} written; check it with: quatviz lessons --check {path}")
    return 0
