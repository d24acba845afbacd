"""Options shared by commands that compute a preset, the simulation that they describe, and its progress."""

import argparse

import quatviz
from quatviz.base.errors import InputError
from quatviz.base.help_topics import TOPIC_OF_STATUS
from quatviz.commands.support.terminal import help_line, show_progress
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import locate_error
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation, ignore_progress

NO_LANE_FINISHED = 3
_RUN_OPTIONS = ("dt", "duration", "sample_interval", "integrator", "rtol", "atol")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the preset argument and the options that override its settings."""
    parser.add_argument(
        "preset",
        help="name of a preset, a TOML file, or a table written by `quatviz run`, whose run is repeated",
    )
    parser.add_argument(
        "--lane",
        action="append",
        metavar="LANE",
        help="a lane, such as hamilton or 'lagrange_full/split,dt=1e-2,name=coarse'; may be repeated",
    )
    parser.add_argument("--dt", type=float, metavar="S", help="time step of lanes without their own")
    parser.add_argument("--duration", type=float, metavar="S", help="simulated time")
    parser.add_argument("--sample-interval", type=float, metavar="S", help="time between recorded states")
    parser.add_argument("--integrator", metavar="NAME", help="integrator of lanes without their own")
    for tolerance_type, name in (("relative", "rtol"), ("absolute", "atol")):
        help_text = f"{tolerance_type} tolerance of adaptive lanes without their own"
        parser.add_argument(f"--{name}", type=float, metavar="X", help=help_text)


def simulation_of(args: argparse.Namespace) -> Simulation:
    """Return the simulation that the command-line options describe, not yet computed.

    Raises an `InputError` that names the faulty option, or the line of the preset.
    """
    preset = quatviz.load_preset(args.preset)
    lanes = [Lane.from_string(text) for text in args.lane] if args.lane else None
    try:
        return Simulation(preset.with_run(lanes=lanes, **{key: getattr(args, key) for key in _RUN_OPTIONS}))
    except InputError as refusal:
        raise _locate_error(refusal, args, preset) from None


def _locate_error(refusal: InputError, args: argparse.Namespace, preset: Preset) -> InputError:
    """Return the error with the command-line option that caused it or, if no option did, the line of the preset's file."""
    key = refusal.key.removeprefix("run.")
    given_options = [name for name in _RUN_OPTIONS if getattr(args, name) is not None]
    if key in _RUN_OPTIONS and given_options:
        blamed_options = [key] if key in given_options else given_options
        return refusal.with_place(" and ".join("--" + name.replace("_", "-") for name in blamed_options))
    if args.lane and key.startswith("lanes["):
        index, _, subkey = key.removeprefix("lanes[").partition("]")
        return refusal.with_place(
            f"--lane {args.lane[int(index)]!r}{', ' * bool(subkey)}{subkey.lstrip('.')}"
        )
    return locate_error(refusal, preset)


def complete_with_progress(run: Simulation, quiet: bool = False) -> None:
    """Compute every lane to its end. Show the progress if the output is a terminal, unless `quiet` is True."""

    def show(share: float) -> None:
        names = ", ".join(lane.name for lane in run if run.missing(lane))
        show_progress(f"{100 * share:3.0f} %  {names[:60]}")

    run.complete(ignore_progress if quiet else show)
    if not quiet:
        show_progress()


def message_text(lane: LaneRun) -> str:
    """Return why a lane ended early or is not accurate, with a reference to the help. Return "" for an accurate lane."""
    message, topic = accuracy_verdict(lane).message, TOPIC_OF_STATUS.get(lane.status)
    return f"{message}\n{help_line(topic)}" if message and topic else message
