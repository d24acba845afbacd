"""`quatviz run PRESET`: compute a preset, print a report of the lanes, and write a table.

quatviz run torque_free                     print status, drift and time per step of the lanes
quatviz run torque_free --lane hamilton --lane hamilton,dt=1e-2,name=coarse -o run.parquet
quatviz run run.parquet                     repeat this run
quatviz run torque_free -o angles.csv --quantity angles_321 --every 10     write selected quantities and samples
quatviz run torque_free --look mine.toml -o run.csv     write a table with the view settings of mine.toml
quatviz run mine.toml --hash                print a hash of the samples of each lane of a session
"""

import argparse
import math
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError, join_phrases
from quatviz.commands.support.run_options import (
    NO_LANE_FINISHED,
    add_run_options,
    complete_with_progress,
    message_text,
    simulation_of,
)
from quatviz.commands.support.terminal import CommandParser, format_table, print_safe
from quatviz.display.view_state.view_state import read_view_state
from quatviz.export.formats import FORMATS
from quatviz.export.table import DEFAULT_QUANTITIES, TableSelection
from quatviz.export.table_files import refuse_target, write_table
from quatviz.files.files import supported_endings
from quatviz.simulation.diagnostics import accuracy_verdicts
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import run_conserved_quantities
from quatviz.simulation.simulation import Simulation

PLACE = 20
CHUNK_ROWS = 100_000
"""Number of rows that are read at once for the report of a run."""


def main(argv: Sequence[str]) -> int:
    """Compute a preset, print the report and write the table. Return 0 if a lane reached the end, otherwise 3."""
    args = _parser().parse_args(argv)
    look = None
    selection = TableSelection(args.quantity or DEFAULT_QUANTITIES, None, args.start, args.stop, args.every)
    if args.output is not None:
        refuse_target(args.output)
    if args.look is not None:
        if args.output is None:
            raise InputError(
                "--look", expected="an output table, which stores the view settings", found="no --output",
                remedy="add -o FILE, or give the look to quatviz or quatviz render", topic="errors#exports",
            )  # fmt: skip
        look = read_view_state(args.look)
    run = simulation_of(args)
    # The program that reads the progress cancels by SIGINT, which a child process of a script may ignore.
    if args.progress:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run.complete(lambda fraction: print(f"{round(100 * fraction)}/100", flush=True))
    else:
        complete_with_progress(run, args.quiet)
    if args.output is not None:
        write_table(run, args.output, selection, view_state=look)
    if args.hash:
        for lane in run:
            print_safe(f"{lane.digest}  {lane.name}")
    elif not args.quiet:
        print_safe(_format_report(run))
        if args.output is not None:
            print_safe(f"\nwritten to {args.output}: repeat it with: quatviz run {args.output}")
    return 0 if any(lane.status == "ok" for lane in run) else NO_LANE_FINISHED


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz run",
        description="Compute a preset without the window. Options override the settings of the preset.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled",
    )
    add_run_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"write a table: {join_phrases(supported_endings(FORMATS.entries_by_ending), 'or')}",
    )
    parser.add_argument(
        "--quantity",
        action="append",
        metavar="NAME",
        help="quantity in the table, such as angles_321; may be repeated (default: p, omega, h, energy and so on)",
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="write every N-th sample")
    parser.add_argument("--start", type=float, default=0.0, metavar="S", help="first time in the table")
    parser.add_argument("--stop", type=float, default=math.inf, metavar="S", help="last time in the table")
    parser.add_argument(
        "--look",
        type=Path,
        metavar="FILE",
        help="view settings to store in the table: a file of a look, or a session",
    )
    parser.add_argument(
        "--hash",
        action="store_true",
        help="print a hash of the samples of each lane instead: equal runs on the same machine and versions have equal "
        "hashes",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)  # for the window's dialog
    return parser


def _format_report(run: Simulation) -> str:
    """Return a table of the lanes, followed by the reasons for early ends and inaccurate results."""
    verdicts = accuracy_verdicts(run.lanes)
    header = ("lane", "status", "to t [s]", "accurate to", "steps", "energy drift", "||p|^2 - 1|", "ns/step")
    rows = []
    is_conservative = "energy_drift" in run_conserved_quantities(run.preset)
    for lane, verdict in zip(run, verdicts, strict=True):
        energy, constraint = _largest_errors(lane)
        rows.append(
            (
                lane.name,
                lane.status,
                f"{lane.computed_to if lane.ended_at is None else lane.ended_at:.6g}",
                "unknown" if math.isnan(verdict.accurate_until) else f"{verdict.accurate_until:.6g}",
                str(lane.solver.steps),
                energy if is_conservative else "-",
                constraint,
                f"{lane.solver.cost * 1e9:.0f}" if lane.solver.steps else "-",
            )
        )
    text = format_table(header, rows, right_aligned=range(2, len(header)))
    messages = [message for lane in run if (message := message_text(lane))]
    remarks = [f"{lane.name}: {remark}" for lane in run for remark in lane.diagnostics.all_remarks]
    return "\n".join([text, *([""] if messages or remarks else []), *messages, *remarks])


def _largest_errors(lane: LaneRun) -> tuple[str, str]:
    """Return the largest energy drift and constraint error of a lane as text, each "-" for a lane without steps.

    The samples are read block by block, because a long run need not fit into memory.
    """
    if lane.samples < 2:
        return "-", "-"
    maxima = []
    for start in range(0, lane.samples, CHUNK_ROWS):
        motion = lane.motion(start, start + CHUNK_ROWS)
        # Values are NaN in the gaps of a recording.
        maxima.append([np.fmax.reduce(np.abs(values)) for values in (motion.energy_drift, motion.constraint)])
    energy, constraint = np.fmax.reduce(maxima, axis=0)
    return f"{energy:.2e}", f"{constraint:.2e}"
