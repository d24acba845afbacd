"""`quatviz import FILE`: read a recording, tell what was found in it, write a preset beside it, or the recording again.

quatviz import throw.csv                    what is in it, and throw.toml beside it: the recording as a lane
quatviz import throw.csv -n                 only tell
quatviz import log.csv --order scalar_last --rate-unit deg/s --start 12.4 --stop 14.1
quatviz import throw.csv --free                         of it the free flight alone
quatviz import log.csv --into run.toml --clock --turn both -o beside.toml      laid on a lane of that run
quatviz import flight.mcap --part /imu -o flight.aem     written again, as a CCSDS attitude ephemeris message
quatviz import throw.zip -o throw.csv --to attitude=angles --to sequence=313 --to angle_unit=deg
"""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

import quatviz
from quatviz.analysis.fitting.free_flight import flight_in
from quatviz.api.alignment import invariants
from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.formatting import spoken
from quatviz.base.parameters import declared
from quatviz.base.translation import told
from quatviz.commands.support.terminal import Parser, as_text, say, show_progress, show_share
from quatviz.files.files import offered, refuse_ending, refuse_place
from quatviz.files.preset import Lane, Preset
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.importing import (
    Import,
    beside,
    laid_on,
    preset_beside,
    proposed_import,
    told_of_times,
)
from quatviz.recordings.loading import load
from quatviz.recordings.loading import told as remarks_of
from quatviz.recordings.readers import READERS
from quatviz.recordings.writing import EPOCH, convention_named, write_recording
from quatviz.simulation.simulation import lane_names, unused

PLACE = 28
_COLUMNS = ("attitude_columns", "rate_columns", "gravity_columns")
_SHOWN = 6
"""Conventions that are told of."""


def main(words: Sequence[str]) -> int:
    """Tell of a recording and write what is asked for."""
    choice = _parser().parse_args(words)
    given = {name: getattr(choice, name) for name in _options() if getattr(choice, name) is not None}
    if choice.output is not None:
        refuse_ending(
            choice.output, (".toml", ".csv", ".aem"), "throw.toml", topic="recordings#from-the-command-line"
        )
        refuse_place(choice.output)
    convention = convention_named(dict(_pair(text) for text in choice.to))
    path = Path(choice.file).absolute()
    found = proposed_import(Reading(file=path.name, **given).beside(path.parent), show_share)
    show_progress()
    said = []
    if choice.free:
        found, sentence = _freed(found, choice.body)
        said.append(sentence)
    into = None if choice.into is None else quatviz.load_preset(choice.into)
    if choice.clock or choice.turn:
        found, sentence = _laid(found, into, choice)
        said.append(sentence)
    body = None if choice.body is None else quatviz.load_preset(choice.body).body
    if body is not None:
        kept = invariants(found.loaded.recording, body)
        said.append(phrase("with the inertia of {name} {kept}", name=choice.body, kept=kept.sentence))
    say("\n".join([_report(found, choice.all), *map(told, said)]))
    if choice.n:
        return 0
    output = choice.output or path.with_suffix(".toml")
    if choice.output is None and output.exists():
        say(f"\n{output} is there already: name another file with -o, or tell with -n alone")
        return 0
    if output.suffix.lower() == ".toml" and into is not None:
        _joined(into, found, output).to_toml(output)
        say(f"\nwritten to {output}: quatviz {output} shows it")
    elif output.suffix.lower() == ".toml":
        preset_beside(found.loaded, output.absolute().parent, body).to_toml(output)
        say(f"\nwritten to {output}: quatviz {output} shows it")
    else:
        write_recording(
            _whole(found), output, convention, epoch=choice.epoch, name=choice.name, frame=choice.frame
        )
        say(f"\nwritten to {output}")
    return 0


def _freed(found: Import, body: str | None) -> tuple[Import, str]:
    """With the free flight alone, and a sentence about it."""
    inertia = None if body is None else quatviz.load_preset(body).body.inertia
    flight = flight_in(found.loaded, inertia)
    if flight is None:
        raise InputError(
            "--free", expected="a free flight in it, shorter than all of it", found="none",
            remedy="say --start and --stop, or a --body that keeps its h", topic="recordings#the-stretch-that-counts",
        )  # fmt: skip
    used = replace(found.loaded.reading, start=flight.start, stop=flight.stop)
    return Import(load(used.beside(found.loaded.reading.folder)), found.ranked), told(flight.sentence)


def _laid(found: Import, into: Preset | None, choice: Namespace) -> tuple[Import, str]:
    """Laid on a lane of a run, and what was found."""
    names = [] if into is None else lane_names(into.lanes)
    name = choice.against or next(iter(names), "")
    if into is None or name not in names:
        raise InputError(
            "--against", expected=f"one of the lanes {', '.join(names)}" if names else "--into PRESET, with lanes",
            found=repr(name) if name else "none", remedy="name a lane of the preset of --into",
            topic="recordings#laid-on-a-lane",
        )  # fmt: skip
    lane = quatviz.simulate(into, lanes=[into.lanes[names.index(name)]]).lanes[0]
    laid = laid_on(found.loaded, lane.t, lane.p, lane.omega, choice.clock, choice.turn or "")
    return Import(load(laid.reading), found.ranked), told(laid.sentence)


def _joined(preset: Preset, found: Import, output: Path) -> Preset:
    """The run with the recording for one more lane, in the folder of `output`."""
    folder = output.absolute().parent
    preset.bring_files(folder)
    reading = found.loaded.reading
    name = unused(reading.path.stem[:60], lane_names(preset.lanes))
    lane = Lane("recording", recording=beside(reading, folder), name=name)
    return replace(preset, lanes=(*preset.lanes, lane)).beside(folder)


def _options() -> list[str]:
    return [each.name for each in fields(Reading) if each.init and each.name != "file"]


def _parser() -> Parser:
    parser = Parser(
        prog="quatviz import",
        description="Read a recording: what is not said here is found from the file.",
        epilog="exit status: 0 read, 2 bad input",
    )
    parser.add_argument("file", help=f"a recording: {listed(offered(READERS.claimed), 'or')}")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a preset (.toml), or the recording as .csv or .aem"
    )
    parser.add_argument("-n", action="store_true", help="write nothing")
    parser.add_argument("--all", action="store_true", help="tell of all columns and conventions")
    known = declared(Reading)
    for name in _options():
        option = f"--{name.replace('_', '-')}"
        if name in _COLUMNS:
            parser.add_argument(
                option, metavar="A,B,C", help=f"the columns of the {name.split('_')[0]}, between commas"
            )
            continue
        parameter = known[name]
        more: dict[str, Any] = (
            {"choices": parameter.choices} if parameter.choices else {"metavar": name.upper()}
        )
        if parameter.shape:
            more = {"nargs": parameter.shape[0], "metavar": "E", "type": float}
        elif parameter.kind is float:
            more["type"] = float
        parser.add_argument(option, help=parameter.explanation, **more)
    parser.add_argument(
        "--body", metavar="PRESET", help="whose body is in the preset (a brick), and how free it was"
    )
    parser.add_argument(
        "--free",
        action="store_true",
        help="of it the free flight alone, by its accelerometer, --body, or any body that keeps h",
    )
    parser.add_argument(
        "--into", metavar="PRESET", help="write this preset with the recording for one more lane"
    )
    parser.add_argument(
        "--against", metavar="LANE", help="the lane of --into that it is laid on; else the first"
    )
    parser.add_argument("--clock", action="store_true", help="find the offset of its clock from that lane")
    parser.add_argument(
        "--turn",
        choices=("space", "body", "both"),
        help="find the constant turn of one side, or both, from that lane",
    )
    parser.add_argument(
        "--to", action="append", default=[], metavar="KEY=VALUE",
        help="a convention of the .csv that is written, such as order=scalar_last; may be repeated",
    )  # fmt: skip
    parser.add_argument("--epoch", default=EPOCH, help="of t = 0 in the .aem that is written")
    parser.add_argument("--name", default="BODY", help="object in the .aem that is written")
    parser.add_argument("--frame", default="EME2000", help="frame of space in the .aem that is written")
    return parser


def _pair(text: str) -> tuple[str, str]:
    """What one `--to` says."""
    key, equals, value = (piece.strip() for piece in text.partition("="))
    if not equals:
        raise InputError(
            "--to", expected="key=value", found=repr(text), remedy="write for example --to order=scalar_last",
            topic="recordings#written-again",
        )  # fmt: skip
    return key, value


def _whole(found: Import) -> Recording:
    """The recording with what follows from it: rates of attitudes, attitudes of rates."""
    track, recording = found.loaded.track, found.loaded.recording
    omega = None if np.isnan(track.omega).all() else track.omega
    return Recording(track.t, p=track.p, omega=omega, gap=recording.gap, source=recording.source)


def _report(found: Import, all_: bool) -> str:
    loaded, ranked = found.loaded, found.ranked
    lines = [f"{loaded.reading.file}: {told(loaded.found.title)}", told(told_of_times(loaded))]
    if loaded.found.parts:
        lines.append(
            f"part {loaded.found.part!r} of: {'; '.join(loaded.found.parts[: None if all_ else 12])}"
        )
    names = list(loaded.found.columns)
    lines.append(
        f"columns: {', '.join(names if all_ else names[:24])}{'' if all_ or len(names) <= 24 else ', ...'}"
    )
    says = {key: value for key, value in loaded.reading.table().items() if key not in ("file", "part")}
    rows = [
        (spoken(key), ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for key, value in says.items()
    ]
    lines += ["", as_text(("read as", ""), rows)]
    if ranked is not None:
        head = ("conventions of attitude and rates", "left over [rad/s]", "times the best")
        best = max(ranked.best.share, 1e-300)
        shown = ranked.candidates[: None if all_ else _SHOWN]
        table = [(str(one.convention), f"{one.residual:.3g}", f"{one.share / best:.3g}") for one in shown]
        lines += ["", as_text(head, table, right=(1, 2)), told(ranked.sentence)]
    remarks = [f"- {told(remark)}" for remark in remarks_of(loaded)]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])
