"""`quatviz study PRESET`: measure convergence and cost of lanes and integrators.

quatviz study torque_free -o study.pdf      error against step and against computing time
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import quatviz
from quatviz.analysis.studies.files import StudyResult, check_study_path
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES
from quatviz.analysis.studies.plan import DEFAULT_STEP_COUNT, StudyPlan
from quatviz.analysis.studies.result import find_measure
from quatviz.analysis.studies.study import Study
from quatviz.analysis.studies.tables import column_titles, fit_lines, note_lines, table_rows
from quatviz.base.errors import InputError
from quatviz.commands.support.executor_options import (
    add_executor_options,
    format_remaining_time,
    refuse_executor_options,
)
from quatviz.commands.support.terminal import (
    CommandParser,
    format_table,
    print_error,
    print_safe,
    show_progress,
)
from quatviz.files.preset import Lane
from quatviz.files.preset_edits import shown_title

PLACE = 40


NOTHING_FINISHED = 3
CANCELLED = 130
_OPTIONS = {
    "executor": "--scheduler",
    "steps": "--dt",
    "integrators": "--integrator",
    "lanes": "--lane",
    "duration": "--duration",
    "tolerances": "--tolerances",
}


def main(argv: Sequence[str]) -> int:
    """Run a study. Return 0 if a lane reached the end, 3 if none did, 130 if cancelled; results so far are kept."""
    args = _parser().parse_args(argv)
    find_measure(args.quantity)
    for path in args.output:
        check_study_path(path)
    plan = _plan(args)
    try:
        study = Study(plan, args.scheduler, jobs=args.jobs)
    except InputError as refusal:
        raise refusal.with_place(_OPTIONS.get(refusal.key, refusal.place)) from None
    with study:
        try:
            study.complete(_show_study_progress)
        except KeyboardInterrupt:
            study.cancel()
        finally:
            show_progress()
    result = study.result
    for path in args.output:
        result.write(path, args.quantity)
    print_safe(report(result, args.quantity))
    for path in args.output:
        print_safe(f"written to {path}")
    if result.cancelled:
        print_error("cancelled")
        return CANCELLED
    return 0 if any(point.status == "ok" for point in result.points) else NOTHING_FINISHED


def report(result: StudyResult, measure: str) -> str:
    """Return the study as text: a table, the fitted orders and notes."""
    rows = table_rows(result, measure)
    parts = [f"{shown_title(result.plan.preset)}: {find_measure(measure).axis_label()}"]
    if rows:
        parts.append(format_table(head := column_titles(result), rows, right_aligned=range(2, len(head) - 1)))
    parts += ["\n".join(lines) for lines in (fit_lines(result, measure), note_lines(result, measure))]
    return "\n\n".join(part for part in parts if part)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz study",
        description="Measure error and cost for several steps, relative to the exact or a finer solution.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled (results "
        "so far are printed and written)",
    )
    parser.add_argument("preset", help="name of a preset, a TOML file, or a table of a run")
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane, such as hamilton; may be repeated (default: those of the preset)",
    )
    parser.add_argument(
        "--integrator",
        action="append",
        metavar="NAME",
        help="integrator of lanes without their own; may be repeated",
    )
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--dt", metavar="S,S,...", help="time steps, such as 1e-2,5e-3,2.5e-3")
    steps.add_argument(
        "--steps",
        type=int,
        metavar="N",
        help=f"number of steps, each half the previous one (default: {DEFAULT_STEP_COUNT})",
    )
    parser.add_argument(
        "--tolerances",
        metavar="T,T,...",
        help="tolerances of adaptive integrators, such as 1e-4,1e-6,1e-8, or their number, each a tenth of the previous one",
    )
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument(
        "--quantity",
        default=DEFAULT_MEASURE,
        metavar="NAME",
        help="error measure: " + ", ".join(f"{name} ({measure.title})" for name, measure in MEASURES.items()),
    )
    add_executor_options(parser, "processes")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a table (.csv, .json, .md) or a figure (.svg, .pdf, .png); may be repeated",
    )
    return parser


def _plan(args: argparse.Namespace) -> StudyPlan:
    preset = quatviz.load_preset(args.preset)
    refuse_executor_options(args)
    try:
        return StudyPlan.create(
            preset,
            lanes=[Lane.from_string(text) for text in args.lane] if args.lane else None,
            integrators=args.integrator,
            steps=_numbers(args.dt, "--dt", "steps [s] separated by commas") if args.dt else args.steps,
            tolerances=_tolerances(args.tolerances),
            duration=args.duration,
        )
    except InputError as refusal:
        options = _OPTIONS if args.dt else {**_OPTIONS, "steps": "--steps"}
        raise refusal.with_place(options.get(refusal.key, refusal.place)) from None


def _tolerances(text: str | None) -> list[float] | int | None:
    """Return the tolerances in a text such as "1e-6,1e-8", or the number of tolerances if the text is an integer."""
    if text is None or text.strip().isdecimal():
        return None if text is None else int(text)
    return _numbers(text, "--tolerances", "tolerances separated by commas, or their number")


def _numbers(text: str, option: str, expected: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            option,
            expected=expected,
            found=repr(text),
            remedy="write for example 1e-2,5e-3" if option == "--dt" else "write for example 1e-4,1e-6",
            topic="errors#studies",
        ) from None


def _show_study_progress(study: Study) -> None:
    count = f"{len(study.points)} of {study.point_count} runs" if study.points else ""
    show_progress(f"{study.stage} ...  {count}{format_remaining_time(study.seconds_left)}")
