"""`quatviz run PRESET`: compute, print what became of each lane, write a table."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import quatviz
from quatviz.commands._text import as_text
from quatviz.core.errors import Refusal
from quatviz.core.preset import Lane, Preset
from quatviz.core.preset_text import located
from quatviz.export.files import refuse_target, write_table
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import block_steps
from quatviz.simulation.simulation import Simulation

NO_LANE_FINISHED = 3
_SETTINGS = ("dt", "duration", "sample_interval", "integrator")


def main(words: Sequence[str]) -> int:
    """Run a preset: 0 if a lane reached the end, 3 if none did."""
    choice = _parser().parse_args(words)
    if choice.output is not None:
        refuse_target(choice.output)
    run = _simulation(choice)
    progress = _progress if sys.stderr.isatty() and not choice.quiet else _silence
    seconds = [_complete(run, lane, progress) for lane in run]
    if choice.output is not None:
        write_table(run, choice.output)
    if not choice.quiet:
        print(_report(run, seconds))
        if choice.output is not None:
            print(f"\nwritten to {choice.output}: quatviz run {choice.output} repeats it")
    return 0 if any(lane.status == "ok" for lane in run) else NO_LANE_FINISHED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quatviz run",
        description="Compute a preset without the window. What is given here replaces the preset's own choice.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled",
    )
    parser.add_argument(
        "preset",
        help="a preset's name, a TOML file, or a table that this command wrote, whose run is repeated",
    )
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane, such as hamilton or 'lagrange_full/split,dt=1e-2,name=coarse'; may be repeated",
    )
    parser.add_argument("--dt", type=float, metavar="S", help="time step of the lanes that name none")
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument("--sample-interval", type=float, metavar="S", help="time between recorded states")
    parser.add_argument("--integrator", metavar="NAME", help="integrator of the lanes that name none")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write a table: .csv, .parquet, .h5 or .npz"
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    return parser


def _simulation(choice: argparse.Namespace) -> Simulation:
    preset = quatviz.load_preset(choice.preset)
    lanes = [Lane.from_string(text) for text in choice.lane] if choice.lane else None
    try:
        return Simulation(preset.with_run(lanes=lanes, **{key: getattr(choice, key) for key in _SETTINGS}))
    except Refusal as refusal:
        raise _placed(refusal, choice, preset) from None


def _placed(refusal: Refusal, choice: argparse.Namespace, preset: Preset) -> Refusal:
    """The refusal at the option that is to blame, or at the line of the preset's file."""
    key = refusal.key.removeprefix("run.")
    given = [name for name in _SETTINGS if getattr(choice, name) is not None]
    if key in _SETTINGS and given:
        blamed = [key] if key in given else given
        return refusal.at(" and ".join("--" + name.replace("_", "-") for name in blamed))
    if choice.lane and key.startswith("lanes["):
        index, _, rest = key.removeprefix("lanes[").partition("]")
        return refusal.at(f"--lane {choice.lane[int(index)]!r}{', ' * bool(rest)}{rest.lstrip('.')}")
    return located(refusal, preset)


def _complete(run: Simulation, lane: LaneRun, progress: Callable[[LaneRun, float], None]) -> float:
    """Compute a lane to its end, in blocks between which Ctrl-C is heard; the seconds that its steps took."""
    lane.prepare()
    seconds = 0.0
    while missing := run.missing(lane):
        progress(lane, lane.computed_to / run.duration)
        started = time.perf_counter()
        lane.advance(min(missing, max(1, block_steps(lane) // lane.every)))
        seconds += time.perf_counter() - started
    lane.finish()
    progress(lane, 1.0)
    return seconds


def _progress(lane: LaneRun, fraction: float) -> None:
    """One line of the terminal, written over and over, and cleared at the lane's end."""
    text = f"{lane.name}  {100 * fraction:3.0f} %" if fraction < 1.0 else ""
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _silence(lane: LaneRun, fraction: float) -> None:
    pass


def _report(run: Simulation, seconds: Sequence[float]) -> str:
    head = ("lane", "status", "to t [s]", "steps", "energy drift", "||p|^2 - 1|", "ns/step")
    rows = []
    for lane, spent in zip(run, seconds, strict=True):
        motion = lane.motion()
        rows.append(
            (
                lane.name,
                lane.status,
                f"{lane.computed_to:.6g}",
                str(lane.steps),
                _largest(motion.energy_drift),
                _largest(motion.constraint),
                f"{spent / lane.steps * 1e9:.0f}" if lane.steps else "-",
            )
        )
    text = as_text(head, rows, right=range(2, len(head)))
    messages = [lane.message for lane in run if lane.message]
    return "\n".join([text, *([""] if messages else []), *messages])


def _largest(values: np.ndarray) -> str:
    """The largest magnitude of a lane's drift; none is known of a lane that never moved."""
    return f"{np.abs(values).max():.2e}" if len(values) > 1 else "-"
