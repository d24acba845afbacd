"""`quatviz fit FILE`: the body that a recording shows, with intervals, and what cannot be known.

quatviz fit throw.csv --start 12.4 --stop 13.1     the free flight alone; throw_fit.toml runs it beside the recording
quatviz fit log.csv -n --scale each --misalignment
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import quatviz
from quatviz.base.tr import told
from quatviz.commands._text import Parser, as_text, say, show_progress
from quatviz.fitting.result import SURE, BodyFit
from quatviz.motion.reading import TIME_UNITS, Reading
from quatviz.recordings.importing import beside, proposed_import
from quatviz.text.files import refuse_ending, refuse_place
from quatviz.text.preset import Lane, Preset

PLACE = 29
_UNITS = {"bias": "rad/s", "misalignment": "deg", "damping": "1/s"}


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
    used = beside(loaded.reading, output.absolute().parent)
    fit = quatviz.fit_body(
        loaded.recording, axes=not choice.no_axes, bias=not choice.no_bias, scale=choice.scale,
        misalignment=choice.misalignment, damping=choice.damping, progress=lambda share: show_progress(f"{100 * share:3.0f} %"),
    )  # fmt: skip
    show_progress()
    print(report(fit))
    if choice.n:
        return 0
    preset_of(fit, used, loaded.found.columns[used.time or ""]).to_toml(output)
    say(f"\nwritten to {output}: quatviz {output} shows it")
    return 0


def report(fit: BodyFit) -> str:
    """What was found, as text."""
    rows = [
        (
            f"moment about axis {axis + 1}",
            f"{moment:.5f}",
            f"{low:.5f} to {high:.5f}" if high > low else "the largest",
        )
        for axis, (moment, (low, high)) in enumerate(zip(fit.moments, fit.intervals, strict=True))
    ]
    guess = fit.guess
    values: dict[str, Any] = {
        "bias": guess.bias, "scale": guess.scale, "misalignment": np.degrees(guess.misalignment), "damping": [guess.damping],
    }  # fmt: skip
    for name in fit.names:
        stem = name.rstrip("123")
        if stem in values:
            value = values[stem][int(name[-1]) - 1 if name[-1].isdigit() else 0]
            deviation = SURE * fit.deviation(name) * (180.0 / math.pi if stem == "misalignment" else 1.0)
            rows.append(
                (f"{name} [{_UNITS.get(stem, '')}]".replace(" []", ""), f"{value:.5g}", f"± {deviation:.2g}")
            )
    lines = [as_text(("", "found", "19 times in 20"), rows, right=(1,)), "", told(fit.of_noise)]
    if math.isfinite(fit.flip):
        lines.append(told(fit.of_flips))
    if fit.choice.axes:
        turned = np.degrees(np.arccos(np.clip(np.diag(fit.axes), -1.0, 1.0)))
        lines.append(
            f"the principal axes are {turned[0]:.1f}, {turned[1]:.1f} and {turned[2]:.1f} deg off those of the recording"
        )
    return "\n".join([*lines, *(f"- {told(said)}" for said in fit.unknown)])


def preset_of(fit: BodyFit, reading: Reading, times: np.ndarray) -> Preset:
    """The body that was found beside the recording's file, from the row at which the fit begins; `times` are those of the file, in
    its unit."""
    first = reading.start
    if first is None:
        first = float(times[np.isfinite(times)][0]) * TIME_UNITS[reading.time_unit or "s"]
    used = replace(reading, start=first + float(fit.left.t[0]) - (reading.offset or 0.0), offset=None)
    if not fit.choice.attitudes:
        used = replace(used, start_attitude=fit.guess.p)
    return replace(
        fit.preset, lanes=[Lane("newton_euler"), Lane("recording", recording=used.beside(reading.folder))]
    )


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
    parser.add_argument("--damping", action="store_true", help="a viscous torque acts")
    return parser
