"""`quatviz sweep PRESET`: compute a preset for many values of its numbers, and measure each run.

quatviz sweep intermediate_axis --over 'initial.angular_velocity[0]=-1:1:100' --over 'initial.angular_velocity[2]=-1:1:100' \
--measure flips -o flips.nc      compute a map of flips; the same command resumes it
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import quatviz
from quatviz.analysis.executors.factory import PROCESSES, THREADS
from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chart import Chart
from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.files import ENDINGS, SweepStore
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.page import SUFFIXES, check_page_path, write_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
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
from quatviz.files.files import supported_endings
from quatviz.files.preset import Lane
from quatviz.files.preset_edits import shown_title

PLACE = 41

NOTHING_FINISHED = 3
CANCELLED = 130
_DEFAULT_MEASURE = "flips"
_MAX_REASONS = 5
"""Largest number of different reasons for early ends that are printed."""


def main(argv: Sequence[str]) -> int:
    """Compute a sweep. Return 0 if a run reached its end, 3 if none did, 130 if cancelled; results so far are kept."""
    args = _parser().parse_args(argv)
    plan = _plan(args)
    page = Path(args.output) if args.output and args.output.lower().endswith(SUFFIXES) else None
    if page is not None:
        check_page_path(page)
        _refuse_undrawn(plan)
    store = SweepStore(plan, args.output) if args.output and page is None else None
    with Sweep(
        plan, args.scheduler or (PROCESSES if args.processes else THREADS), jobs=args.jobs, store=store
    ) as sweep:
        if sweep.points_computed:
            print_safe(f"{sweep.points_computed} of {plan.point_count} points are already computed")
        cancelled = False
        try:
            sweep.complete(_show_sweep_progress)
        except KeyboardInterrupt:
            cancelled = True
            sweep.cancel()
        finally:
            show_progress()
    print_safe(report(plan, sweep.results))
    if sweep.error_message:
        print_error(sweep.error_message)
    if store is not None:
        store.finish(sweep.results, sweep.error_message)
        print_safe(f"written to {store.path}")
    if page is not None:
        write_page(Chart(plan, sweep.results, plan.measures[0]), page)
        print_safe(f"written to {page}")
    if cancelled:
        resume_note = "; the same command resumes it" if store is not None else ""
        print_error(f"cancelled with {sweep.points_computed} of {plan.point_count} points{resume_note}")
        return CANCELLED
    return 0 if (sweep.results.status == 0).any() else NOTHING_FINISHED


def _refuse_undrawn(plan: SweepPlan) -> None:
    if len(plan.axes) > 2 or (plan.grid_axes and plan.random_axes):
        raise InputError(
            "the page", expected="one or two axes, both random or both regular", found=f"{len(plan.axes)} axes",
            remedy="remove axes, or write a data set such as map.nc", topic="sweeps#files",
        )  # fmt: skip


def report(plan: SweepPlan, results: SweepResults) -> str:
    """Return a summary: the range of each measure in each lane, and the runs that failed."""
    header = ("lane", "measure", "least", "median", "largest", "runs without")
    rows = []
    for number, lane in enumerate(plan.lanes):
        for name in plan.measures:
            measure = plan.measure_classes[name]
            values = results.measured[name][number]
            finite = values[np.isfinite(values)]
            unit = f" [{measure.unit}]" if measure.unit else ""
            statistics = ["", "", ""]
            if len(finite) and not measure.category_titles:  # The summary below counts the categories.
                statistics = [f"{value:.6g}" for value in (finite.min(), np.median(finite), finite.max())]
            is_missing = ~np.isfinite(values.reshape(plan.point_count, -1)).any(axis=1)
            rows.append((lane, f"{name}{unit}", *statistics, str(int(is_missing.sum()))))
    shape = " x ".join(map(str, plan.shape))
    parts = [
        f"{shown_title(plan.preset)}: {shape} points, {plan.run_count} runs",
        format_table(header, rows, right_aligned=range(2, 6)),
    ]
    remarks = "\n".join(map(tr, plan.remarks))
    return "\n\n".join([*parts, *_describe_incomplete_runs(results), *filter(None, (remarks,))])


def _describe_incomplete_runs(results: SweepResults) -> Iterator[str]:
    """Yield how many runs ended early or were refused, and the most frequent reasons."""
    counts = Counter(results.status[results.status > 0].tolist())
    if not counts:
        return
    reasons = Counter(results.reason[results.status > 0].tolist())
    lines = [f"{count} {STATUSES[code].replace('_', ' ')}" for code, count in sorted(counts.items())]
    reason_lines = [f"  {count}: {reason}" for reason, count in reasons.most_common(_MAX_REASONS)]
    yield "\n".join([f"incomplete runs: {', '.join(lines)}", *reason_lines])


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz sweep",
        description="Compute a preset for many values of its numbers, and reduce each run to measures.",
        epilog="exit status: 0 a run reached its end, 2 bad input, 3 no run did, 130 cancelled (results so far are printed "
        "and saved; the same command resumes)",
    )
    parser.add_argument("preset", help="name of a preset, a TOML file, or a table of a run")
    parser.add_argument(
        "--over", action="append", default=[], metavar="PATH=FROM:TO:COUNT[:log][:random]",
        help="a number of the preset and its values, or PATH=A,B,C; may be repeated (default: the map of the preset)",
    )  # fmt: skip
    parser.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help="; ".join(f"{name}: {measure.title}" for name, measure in MEASURES.items())
        + f"; may be repeated ({_DEFAULT_MEASURE})",
    )
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane; may be repeated (default: those of the preset)",
    )
    parser.add_argument("--integrator", metavar="NAME", help="integrator of lanes without their own")
    parser.add_argument("--dt", type=float, metavar="S", help="time step of lanes without their own")
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument("--sample-interval", type=float, metavar="S", help="time between samples")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of random axes (0)")
    parser.add_argument("--processes", action="store_true", help="compute in processes instead of threads")
    add_executor_options(parser, "threads")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"file to write: a data set ({', '.join(supported_endings(ENDINGS))}) or a web page (.html)",
    )
    return parser


def _plan(args: argparse.Namespace) -> SweepPlan:
    refuse_executor_options(args)
    preset = quatviz.load_preset(args.preset).with_run(
        lanes=[Lane.from_string(text) for text in args.lane] if args.lane else None,
        integrator=args.integrator, dt=args.dt, duration=args.duration, sample_interval=args.sample_interval,
    )  # fmt: skip
    if not args.over and args.measure is None:
        return SweepPlan.from_preset_map(preset)
    over = dict(map(Axis.from_text, args.over))
    return SweepPlan.create(preset, over, measure=args.measure or _DEFAULT_MEASURE, seed=args.seed)


def _show_sweep_progress(sweep: Sweep) -> None:
    show_progress(
        f"{sweep.points_computed} of {sweep.plan.point_count} points{format_remaining_time(sweep.seconds_left)}"
    )
