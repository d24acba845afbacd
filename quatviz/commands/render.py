"""`quatviz render PRESET -o FILE`: compute a preset and write a web page, a film, a picture or a figure.

quatviz render torque_free -o page.html     one HTML file: 3D, plots, lanes, time slider: see page.md
"""

from collections.abc import Sequence
from pathlib import Path

from quatviz.commands.outputs import OUTPUTS
from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import rerun_with_display
from quatviz.commands.support.run_options import (
    NO_LANE_FINISHED,
    add_run_options,
    complete_with_progress,
    message_text,
    simulation_of,
)
from quatviz.commands.support.terminal import CommandParser, print_safe
from quatviz.files.files import find_by_ending

PLACE = 30


def main(argv: Sequence[str]) -> int:
    """Render a preset. Return 0 if a lane reached the end, otherwise 3; the file is written in both cases."""
    args = _parser().parse_args(argv)
    output: Output = find_by_ending(OUTPUTS, args.output, "run.html")()
    output.refuse(args.output, args)
    if output.paints and (status := rerun_with_display(["render", *argv])) is not None:
        return status
    run = simulation_of(args)
    complete_with_progress(run, args.quiet)
    output.write(run, args.output, args)
    if not args.quiet:
        for lane in run:
            if text := message_text(lane):
                print_safe(text)
        size = args.output.stat().st_size / 1e6
        count = len(list(run))
        lanes = f"{count} lane{'s' * (count > 1)}"
        print_safe(f"{args.output}: {output.description(args)}, {size:.2f} MB, {run.duration:g} s of {lanes}")
    return 0 if any(lane.status == "ok" for lane in run) else NO_LANE_FINISHED


def _parser() -> CommandParser:
    output_list = "; ".join(
        f"{', '.join(output_type.suffixes)}: {output_type.title}" for output_type in OUTPUTS.values()
    )
    parser = CommandParser(
        prog="quatviz render",
        description=f"Compute a preset and write a file. Its suffix selects the format: {output_list}.",
        epilog="exit status: 0 a lane reached the end, 2 bad input, 3 no lane reached the end, 130 cancelled",
    )
    add_run_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="file to write")
    parser.add_argument(
        "--theme",
        metavar="NAME",
        help="dark, light or projector; pages are light or dark (default: pages light, pictures dark)",
    )
    parser.add_argument(
        "--look", type=Path, metavar="FILE", help="view settings: a file of a look, or a session"
    )
    for output_type in OUTPUTS.values():
        output_type.add_options(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    return parser
