"""`quatviz run PRESET`: compute a preset, print what became of each lane, write a table.

quatviz run torque_free                     a table of the lanes: status, drift, time per step
quatviz run torque_free --lane hamilton --lane hamilton,dt=1e-2,name=coarse -o run.parquet
quatviz run run.parquet                     the same run again
quatviz run torque_free -o angles.csv --quantity angles_321 --every 10     what is chosen of it
quatviz run torque_free --look mine.toml -o run.csv     a table that the window shows as mine.toml says
quatviz run mine.toml --hash                a session of the window; a hash of what each lane recorded
"""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError, listed
from quatviz.commands.support.run_options import (
    NO_LANE_FINISHED,
    add_run_options,
    complete,
    message_text,
    simulation_of,
)
from quatviz.commands.support.terminal import Parser, as_text, say
from quatviz.display.view_state.view_state import read_look
from quatviz.export.formats import FORMATS
from quatviz.export.table import QUANTITIES_OF_A_TABLE, Part
from quatviz.export.table_files import refuse_target, write_table
from quatviz.files.files import offered
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import constants_of
from quatviz.simulation.simulation import Simulation

PLACE = 20
ROWS_AT_ONCE = 100_000
"""For what is told of a run."""


def main(words: Sequence[str]) -> int:
    """Run a preset: 0 if a lane reached the end, 3 if none did."""
    choice = _parser().parse_args(words)
    look = None
    part = Part(choice.quantity or QUANTITIES_OF_A_TABLE, None, choice.start, choice.stop, choice.every)
    if choice.output is not None:
        refuse_target(choice.output)
    if choice.look is not None:
        if choice.output is None:
            raise InputError(
                "--look", expected="a table that keeps it", found="no --output",
                remedy="add -o FILE, or give the look to quatviz or quatviz render", topic="errors#exports",
            )  # fmt: skip
        look = read_look(choice.look)
    run = simulation_of(choice)
    complete(run, choice.quiet)
    if choice.output is not None:
        write_table(run, choice.output, part, look=look)
    if choice.hash:
        for lane in run:
            say(f"{lane.digest}  {lane.name}")
    elif not choice.quiet:
        say(_report(run))
        if choice.output is not None:
            say(f"\nwritten to {choice.output}: quatviz run {choice.output} repeats it")
    return 0 if any(lane.status == "ok" for lane in run) else NO_LANE_FINISHED


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz run",
        description="Compute a preset without the window. What is given here replaces the preset's own choice.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled",
    )
    add_run_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"write a table: {listed(offered(FORMATS.claimed), 'or')}",
    )
    parser.add_argument(
        "--quantity",
        action="append",
        metavar="NAME",
        help="a quantity in the table, such as angles_321; may be repeated (p, omega, h, energy and so on)",
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of N samples one in the table")
    parser.add_argument("--start", type=float, default=0.0, metavar="S", help="first time in the table")
    parser.add_argument("--stop", type=float, default=math.inf, metavar="S", help="last time in the table")
    parser.add_argument(
        "--look",
        type=Path,
        metavar="FILE",
        help="how the window shows the run that the table repeats: a file of a look, or a session",
    )
    parser.add_argument(
        "--hash",
        action="store_true",
        help="print a hash of what each lane recorded instead: equal runs, on the same machine and versions, have equal "
        "hashes",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    return parser


def _report(run: Simulation) -> str:
    head = ("lane", "status", "to t [s]", "steps", "energy drift", "||p|^2 - 1|", "ns/step")
    rows = []
    conserved = "energy_drift" in constants_of(run.preset)
    for lane in run:
        energy, constraint = _largest(lane)
        rows.append(
            (
                lane.name,
                lane.status,
                f"{lane.computed_to if lane.ended_at is None else lane.ended_at:.6g}",
                str(lane.steps),
                energy if conserved else "-",
                constraint,
                f"{lane.cost * 1e9:.0f}" if lane.steps else "-",
            )
        )
    text = as_text(head, rows, right=range(2, len(head)))
    messages = [message_text(lane) for lane in run if lane.message]
    remarks = [f"{lane.name}: {remark}" for lane in run for remark in lane.all_remarks]
    return "\n".join([text, *([""] if messages or remarks else []), *messages, *remarks])


def _largest(lane: LaneRun) -> tuple[str, str]:
    """The largest magnitudes of a lane's drift of energy and of its constraint, read block by block, for a long run need not fit
    into memory; none is known of a lane that never moved."""
    if lane.samples < 2:
        return "-", "-"
    found = []
    for begin in range(0, lane.samples, ROWS_AT_ONCE):
        motion = lane.motion(begin, begin + ROWS_AT_ONCE)
        # A recording has gaps, in which nothing is known.
        found.append([np.fmax.reduce(np.abs(values)) for values in (motion.energy_drift, motion.constraint)])
    energy, constraint = np.fmax.reduce(found, axis=0)
    return f"{energy:.2e}", f"{constraint:.2e}"
