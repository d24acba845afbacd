"""`quatviz study PRESET`: how errors fall with the step, and what they cost.

quatviz study torque_free -o study.pdf      how errors fall with the step, and what they cost
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import quatviz
from quatviz.analysis.studies.files import Result, refuse_study_file
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES
from quatviz.analysis.studies.plan import STEPS, Plan
from quatviz.analysis.studies.result import find_measure
from quatviz.analysis.studies.study import Study
from quatviz.analysis.studies.tables import fit_lines, head_of, note_lines, text_rows
from quatviz.base.errors import InputError
from quatviz.commands.support.executor_options import offer_workers, refuse_workers, told_left
from quatviz.commands.support.terminal import Parser, as_text, complain, say, show_progress
from quatviz.files.preset import Lane

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


def main(words: Sequence[str]) -> int:
    """Run a study: 0 if a lane reached the end, 3 if none did, 130 if cancelled, with what there is by then."""
    choice = _parser().parse_args(words)
    find_measure(choice.quantity)
    for path in choice.output:
        refuse_study_file(path)
    plan = _plan(choice)
    try:
        study = Study(plan, choice.scheduler, jobs=choice.jobs)
    except InputError as refusal:
        raise refusal.at(_OPTIONS.get(refusal.key, refusal.place)) from None
    with study:
        try:
            study.complete(_progress)
        except KeyboardInterrupt:
            study.cancel()
        finally:
            show_progress()
    result = study.result
    for path in choice.output:
        result.write(path, choice.quantity)
    say(report(result, choice.quantity))
    for path in choice.output:
        say(f"written to {path}")
    if result.cancelled:
        complain("cancelled")
        return CANCELLED
    return 0 if any(point.status == "ok" for point in result.points) else NOTHING_FINISHED


def report(result: Result, measure: str) -> str:
    """The study as text: a table, the fitted orders, and what a reader has to know."""
    rows = text_rows(result, measure)
    parts = [f"{result.plan.preset.title}: {find_measure(measure).axis()}"]
    if rows:
        parts.append(as_text(head := head_of(result), rows, right=range(2, len(head) - 1)))
    parts += ["\n".join(lines) for lines in (fit_lines(result, measure), note_lines(result, measure))]
    return "\n\n".join(part for part in parts if part)


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz study",
        description="Measure how the error falls with the step, and what it costs, against an exact or a finer solution.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled (what was "
        "measured by then is printed and written)",
    )
    parser.add_argument("preset", help="a preset's name, a TOML file, or a table of a run")
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane, such as hamilton; may be repeated (the preset's own)",
    )
    parser.add_argument(
        "--integrator",
        action="append",
        metavar="NAME",
        help="a method, for lanes that name none; may be repeated",
    )
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--dt", metavar="S,S,...", help="the time steps, such as 1e-2,5e-3,2.5e-3")
    steps.add_argument(
        "--steps", type=int, metavar="N", help=f"how many steps, each half the one before ({STEPS})"
    )
    parser.add_argument(
        "--tolerances",
        metavar="T,T,...",
        help="tolerances of adaptive integrators, such as 1e-4,1e-6,1e-8, or how many, each a tenth of the one before",
    )
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument(
        "--quantity",
        default=DEFAULT_MEASURE,
        metavar="NAME",
        help="the error: " + ", ".join(f"{name} ({kind.title})" for name, kind in MEASURES.items()),
    )
    offer_workers(parser, "processes")
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


def _plan(choice: argparse.Namespace) -> Plan:
    preset = quatviz.load_preset(choice.preset)
    refuse_workers(choice)
    try:
        return Plan.of(
            preset,
            lanes=[Lane.from_string(text) for text in choice.lane] if choice.lane else None,
            integrators=choice.integrator,
            steps=_numbers(choice.dt, "--dt", "steps [s] between commas") if choice.dt else choice.steps,
            tolerances=_tolerances(choice.tolerances),
            duration=choice.duration,
        )
    except InputError as refusal:
        options = _OPTIONS if choice.dt else {**_OPTIONS, "steps": "--steps"}
        raise refusal.at(options.get(refusal.key, refusal.place)) from None


def _tolerances(text: str | None) -> list[float] | int | None:
    """Several between commas, or how many."""
    if text is None or text.strip().isdecimal():
        return None if text is None else int(text)
    return _numbers(text, "--tolerances", "tolerances between commas, or how many")


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


def _progress(study: Study) -> None:
    count = f"{len(study.points)} of {study.total} runs" if study.points else ""
    show_progress(f"{study.stage} ...  {count}{told_left(study.seconds_left)}")
