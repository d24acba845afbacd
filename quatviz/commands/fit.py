"""`quatviz fit FILE`: the body that a recording shows, with intervals, and what cannot be known.

quatviz fit throw.csv                              the free flight is found by itself
quatviz fit throw.csv --start 12.4 --stop 13.1     the free flight alone; throw_fit.toml runs it beside the recording
quatviz fit log.csv -n --scale each --misalignment
"""

from collections.abc import Sequence
from pathlib import Path

import quatviz
from quatviz.analysis.fitting.free_flight import free_stretch
from quatviz.analysis.fitting.noise import LOSSES
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import TABLE, rows, sentences
from quatviz.base.errors import phrase
from quatviz.base.translation import told
from quatviz.commands.support.terminal import Parser, as_text, say, show_progress, show_share
from quatviz.files.files import refuse_ending, refuse_place
from quatviz.physics.observables.read_options import Reading
from quatviz.recordings.importing import beside, proposed_import, time_in_file

PLACE = 29


def main(words: Sequence[str]) -> int:
    """Fit a body and tell of it."""
    choice = _parser().parse_args(words)
    path = Path(choice.file).absolute()
    output = choice.output or path.with_name(f"{path.stem}_fit.toml")
    refuse_ending(output, (".toml",), "fitted.toml", topic="fit#from-the-command-line")
    refuse_place(output)
    given = Reading(file=path.name, part=choice.part, start=choice.start, stop=choice.stop).beside(
        path.parent
    )
    loaded = proposed_import(given).loaded
    recording = loaded.recording
    span = None
    if choice.start is None and choice.stop is None:
        flight = free_stretch(recording, loaded)
        say(told(flight.sentence))
        if not flight.whole:
            span = flight.start, flight.stop
    used = beside(loaded.reading, output.absolute().parent)
    fit = quatviz.fit_body(
        recording, span=span, axes=not choice.no_axes, bias=not choice.no_bias, scale=choice.scale,
        misalignment=choice.misalignment, damping=choice.damping, loss=choice.loss,
        progress=show_share,
    )  # fmt: skip
    show_progress()
    say(report(fit))
    if choice.n:
        return 0
    fit.beside(used, time_in_file(loaded)).to_toml(output)
    say(f"\nwritten to {output}: quatviz {output} shows it")
    return 0


def report(fit: BodyFit) -> str:
    """What was found, as text."""
    texts = [
        (f"{told(title)} [{unit}]" if unit else told(title), value, deviation, told(phrase(interval)))
        for title, value, deviation, interval, unit in rows(fit)
    ]
    head = ("", *(told(each) for each in TABLE[1:4]))
    lines = [as_text(head, texts, right=(1, 2)), "", *(f"- {told(said)}" for said in sentences(fit))]
    return "\n".join(lines)


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz fit",
        description="Find the free body whose motion a recording is: ratios of its principal moments, and how it starts.",
        epilog="exit status: 0 fitted, 2 bad input",
    )
    parser.add_argument("file", help="a recording, as `quatviz import` reads it")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the preset that is written (FILE_fit.toml)"
    )
    parser.add_argument("-n", action="store_true", help="write nothing")
    parser.add_argument("--part", help="which lane, segment or topic of the file")
    parser.add_argument(
        "--start", type=float, metavar="S", help="time in the file at which the free flight begins"
    )
    parser.add_argument("--stop", type=float, metavar="S", help="time in the file at which it ends")
    parser.add_argument("--no-axes", action="store_true", help="the axes of the recording are principal axes")
    parser.add_argument("--no-bias", action="store_true", help="rates are not off by a constant")
    parser.add_argument("--scale", default="", choices=("common", "each"), help="rates are off by a factor")
    parser.add_argument(
        "--misalignment", action="store_true", help="axes of rates are turned against those of attitudes"
    )
    parser.add_argument(
        "--loss", default="linear", choices=tuple(LOSSES), help="how samples that are far off are held back"
    )
    parser.add_argument("--damping", action="store_true", help="a viscous torque acts")
    return parser
