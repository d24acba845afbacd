"""`quatviz fit FILE`: estimate a body from a recording, with confidence intervals.

quatviz fit throw.csv                              detect the free flight and fit it
quatviz fit throw.csv --start 12.4 --stop 13.1     fit this interval; throw_fit.toml shows it beside the recording
quatviz fit log.csv -n --scale each --misalignment
"""

from collections.abc import Sequence
from pathlib import Path

import quatviz
from quatviz.analysis.fitting.free_flight import find_free_flight
from quatviz.analysis.fitting.noise import LOSSES
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import TABLE_TITLES, summary_sentences, table_rows
from quatviz.base.errors import phrase
from quatviz.base.translation import tr
from quatviz.commands.support.terminal import (
    CommandParser,
    format_table,
    print_safe,
    show_fraction,
    show_progress,
)
from quatviz.files.files import checked_extension, refuse_unwritable
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.importing import file_time_shift, propose_import, relative_to_folder

PLACE = 29


def main(argv: Sequence[str]) -> int:
    """Fit a body to the recording and print the result."""
    args = _parser().parse_args(argv)
    path = Path(args.file).absolute()
    output = args.output or path.with_name(f"{path.stem}_fit.toml")
    checked_extension(output, (".toml",), "fitted.toml", topic="fit#from-the-command-line")
    refuse_unwritable(output)
    options = ReadOptions(file=path.name, part=args.part, start=args.start, stop=args.stop).in_folder(
        path.parent
    )
    loaded = propose_import(options).loaded
    recording = loaded.recording
    span = None
    if args.start is None and args.stop is None:
        flight = find_free_flight(recording, loaded)
        print_safe(tr(flight.sentence))
        if not flight.is_entire:
            span = flight.start, flight.stop
    written_options = relative_to_folder(loaded.options, output.absolute().parent)
    fit = quatviz.fit_body(
        recording, span=span, axes=not args.no_axes, bias=not args.no_bias, scale=args.scale,
        misalignment=args.misalignment, damping=args.damping, loss=args.loss,
        progress=show_fraction,
    )  # fmt: skip
    show_progress()
    print_safe(report(fit))
    if args.n:
        return 0
    fit.preset_beside_recording(written_options, file_time_shift(loaded)).to_toml(output)
    print_safe(f"\nwritten to {output}: show it with: quatviz {output}")
    return 0


def report(fit: BodyFit) -> str:
    """Return the result of a fit as text."""
    texts = [
        (
            f"{tr(title)} [{unit}]" if unit else tr(title),
            value,
            deviation,
            tr(phrase(interval)),
        )
        for title, value, deviation, interval, unit in table_rows(fit)
    ]
    header = ("", *(tr(column) for column in TABLE_TITLES[1:4]))
    lines = [
        format_table(header, texts, right_aligned=(1, 2)),
        "",
        *(f"- {tr(sentence)}" for sentence in summary_sentences(fit)),
    ]
    return "\n".join(lines)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz fit",
        description="Fit a free body to a recording: ratios of its principal moments, and initial conditions.",
        epilog="exit status: 0 fitted, 2 bad input",
    )
    parser.add_argument("file", help="a recording, as `quatviz import` reads it")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="preset to write (default: FILE_fit.toml)"
    )
    parser.add_argument("-n", action="store_true", help="write nothing")
    parser.add_argument("--part", help="lane, segment or topic of the file")
    parser.add_argument(
        "--start", type=float, metavar="S", help="time in the file at which the free flight begins"
    )
    parser.add_argument(
        "--stop", type=float, metavar="S", help="time in the file at which the free flight ends"
    )
    parser.add_argument(
        "--no-axes", action="store_true", help="assume that the axes of the recording are principal axes"
    )
    parser.add_argument("--no-bias", action="store_true", help="assume that the rates have no bias")
    parser.add_argument("--scale", default="", choices=("common", "each"), help="fit a scale of the rates")
    parser.add_argument(
        "--misalignment", action="store_true", help="fit a misalignment of the axes of rates and attitudes"
    )
    parser.add_argument(
        "--loss",
        default="linear",
        choices=tuple(LOSSES),
        help="loss function, which sets the weight of outliers",
    )
    parser.add_argument("--damping", action="store_true", help="fit a viscous damping")
    return parser
