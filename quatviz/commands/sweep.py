"""`quatviz sweep PRESET`: run it with many numbers, and measure each run.

quatviz sweep intermediate_axis --over 'initial.angular_velocity[0]=-1:1:100' --over 'initial.angular_velocity[2]=-1:1:100' \
--measure flips -o flips.nc      a map of flips; the same command goes on where it was ended
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
from quatviz.analysis.sweeps.chunk import Found
from quatviz.analysis.sweeps.files import ENDINGS, Store
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.page import SUFFIXES, refuse_page, write_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.base.errors import InputError
from quatviz.commands.support.executor_options import offer_workers, refuse_workers, told_left
from quatviz.commands.support.terminal import Parser, as_text, complain, say, show_progress
from quatviz.files.files import offered
from quatviz.files.preset import Lane

PLACE = 41

NOTHING_FINISHED = 3
CANCELLED = 130
_USUAL = "flips"
_REASONS = 5
"""Reasons for holes that are told."""


def main(words: Sequence[str]) -> int:
    """Compute a sweep: 0 if a run reached its end, 3 if none did, 130 if cancelled, with what there is by then."""
    choice = _parser().parse_args(words)
    plan = _plan(choice)
    page = Path(choice.output) if choice.output and choice.output.lower().endswith(SUFFIXES) else None
    if page is not None:
        refuse_page(page)
        _refuse_undrawn(plan)
    store = Store(plan, choice.output) if choice.output and page is None else None
    with Sweep(
        plan, choice.scheduler or (PROCESSES if choice.processes else THREADS), jobs=choice.jobs, store=store
    ) as sweep:
        if sweep.computed:
            say(f"{sweep.computed} of {plan.points} points are there already")
        cancelled = False
        try:
            sweep.complete(_progress)
        except KeyboardInterrupt:
            cancelled = True
            sweep.cancel()
        finally:
            show_progress()
    say(report(plan, sweep.found))
    if sweep.fault:
        complain(sweep.fault)
    if store is not None:
        store.finish(sweep.found, sweep.fault)
        say(f"written to {store.path}")
    if page is not None:
        write_page(Chart(plan, sweep.found, plan.measures[0]), page)
        say(f"written to {page}")
    if cancelled:
        kept = "; the same command goes on with it" if store is not None else ""
        complain(f"cancelled with {sweep.computed} of {plan.points} points{kept}")
        return CANCELLED
    return 0 if (sweep.found.status == 0).any() else NOTHING_FINISHED


def _refuse_undrawn(plan: SweepPlan) -> None:
    if len(plan.axes) > 2 or (plan.grid and plan.scattered):
        raise InputError(
            "the page", expected="one axis or two, both random or neither", found=f"{len(plan.axes)} axes",
            remedy="leave axes out, or write a data set such as map.nc", topic="sweeps#files",
        )  # fmt: skip


def report(plan: SweepPlan, found: Found) -> str:
    """What was found in a few lines: the range of each measure in each lane, and the holes."""
    head = ("lane", "measure", "least", "median", "largest", "runs without")
    rows = []
    for number, lane in enumerate(plan.lanes):
        for name in plan.measures:
            kind = MEASURES[name]
            values = found.measured[name][number]
            plain = values[np.isfinite(values)]
            unit = f" [{kind.unit}]" if kind.unit else ""
            told = ["", "", ""]
            if len(plain) and not kind.kinds:  # the holes below say how many of each kind
                told = [f"{value:.6g}" for value in (plain.min(), np.median(plain), plain.max())]
            lacking = ~np.isfinite(values.reshape(plan.points, -1)).any(axis=1)
            rows.append((lane, f"{name}{unit}", *told, str(int(lacking.sum()))))
    shape = " x ".join(map(str, plan.shape))
    parts = [f"{plan.preset.title}: {shape} points, {plan.runs} runs", as_text(head, rows, right=range(2, 6))]
    return "\n\n".join([*parts, *_holes(found)])


def _holes(found: Found) -> Iterator[str]:
    """How many runs ended early or could not be, and the most frequent reasons."""
    counts = Counter(found.status[found.status > 0].tolist())
    if not counts:
        return
    reasons = Counter(found.reason[found.status > 0].tolist())
    lines = [f"{count} {STATUSES[code].replace('_', ' ')}" for code, count in sorted(counts.items())]
    told = [f"  {count}: {reason}" for reason, count in reasons.most_common(_REASONS)]
    yield "\n".join([f"holes: {', '.join(lines)}", *told])


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz sweep",
        description="Run a preset with many numbers, and measure each run while it is computed.",
        epilog="exit status: 0 a run reached its end, 2 bad input, 3 no run did, 130 cancelled (what was found by then is printed "
        "and kept beside the file; the same command goes on with it)",
    )
    parser.add_argument("preset", help="a preset's name, a TOML file, or a table of a run")
    parser.add_argument(
        "--over", action="append", default=[], metavar="PATH=FROM:TO:COUNT[:log][:random]",
        help="a number of the preset and its values, or PATH=A,B,C; may be repeated (the preset's own map)",
    )  # fmt: skip
    parser.add_argument(
        "--measure", action="append", metavar="NAME",
        help="; ".join(f"{name}: {kind.title}" for name, kind in MEASURES.items()) + f"; may be repeated ({_USUAL})",
    )  # fmt: skip
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane; may be repeated (the preset's own)",
    )
    parser.add_argument("--integrator", metavar="NAME", help="a method, for lanes that name none")
    parser.add_argument("--dt", type=float, metavar="S", help="time step of lanes that name none")
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument(
        "--sample-interval", type=float, metavar="S", help="time between samples, at which is measured"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of random axes (0)")
    parser.add_argument(
        "--processes", action="store_true", help="compute in processes, not in threads of this one"
    )
    offer_workers(parser, "threads")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"a data set: {', '.join(offered(ENDINGS))}; or a page for a browser: .html",
    )
    return parser


def _plan(choice: argparse.Namespace) -> SweepPlan:
    refuse_workers(choice)
    preset = quatviz.load_preset(choice.preset).with_run(
        lanes=[Lane.from_string(text) for text in choice.lane] if choice.lane else None,
        integrator=choice.integrator, dt=choice.dt, duration=choice.duration, sample_interval=choice.sample_interval,
    )  # fmt: skip
    if not choice.over and choice.measure is None:
        return SweepPlan.of_map(preset)
    over = dict(map(Axis.from_text, choice.over))
    return SweepPlan.of(preset, over, measure=choice.measure or _USUAL, seed=choice.seed)


def _progress(sweep: Sweep) -> None:
    show_progress(f"{sweep.computed} of {sweep.plan.points} points{told_left(sweep.seconds_left)}")
