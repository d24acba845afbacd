"""`quatviz import FILE`: read a recording, report its content, and write a preset or another file.

quatviz import throw.csv                    report the content, and write throw.toml, a preset with the recording
quatviz import throw.csv -n                 report the content only
quatviz import log.csv --order scalar_last --rate-unit deg/s --start 12.4 --stop 14.1
quatviz import throw.csv --free                         use only the free flight
quatviz import log.csv --into run.toml --clock --turn both -o beside.toml      align the recording with a lane of run.toml
quatviz import flight.mcap --part /imu -o flight.aem     convert to a CCSDS attitude ephemeris message
quatviz import throw.zip -o throw.csv --to attitude=angles --to sequence=313 --to angle_unit=deg
"""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

import quatviz
from quatviz.analysis.fitting.free_flight import free_flight_in_file
from quatviz.api.alignment import invariants
from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.formatting import humanize_title
from quatviz.base.parameters import parameters_of
from quatviz.base.translation import tr
from quatviz.commands.support.terminal import (
    CommandParser,
    format_table,
    print_safe,
    show_fraction,
    show_progress,
)
from quatviz.files.files import checked_extension, refuse_unwritable, supported_endings
from quatviz.files.preset import Lane, Preset
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.importing import (
    ImportProposal,
    align_recording,
    preset_for_recording,
    propose_import,
    relative_to_folder,
    timing_summary,
)
from quatviz.recordings.loading import load
from quatviz.recordings.loading import loading_remarks as remarks_of
from quatviz.recordings.readers import READERS
from quatviz.recordings.writing import EPOCH, convention_from_names, write_recording
from quatviz.simulation.simulation import lane_names, unique_name

PLACE = 28
_COLUMN_OPTIONS = ("attitude_columns", "rate_columns", "gravity_columns")
_MAX_CANDIDATES = 6
"""Largest number of conventions that are reported."""


def main(argv: Sequence[str]) -> int:
    """Report the content of a recording and write the requested file."""
    args = _parser().parse_args(argv)
    options = {name: getattr(args, name) for name in _option_names() if getattr(args, name) is not None}
    if args.output is not None:
        checked_extension(
            args.output, (".toml", ".csv", ".aem"), "throw.toml", topic="recordings#from-the-command-line"
        )
        refuse_unwritable(args.output)
    convention = convention_from_names(dict(_parse_convention(text) for text in args.to))
    path = Path(args.file).absolute()
    imported = propose_import(ReadOptions(file=path.name, **options).in_folder(path.parent), show_fraction)
    show_progress()
    sentences = []
    if args.free:
        imported, sentence = _free_flight_only(imported, args.body)
        sentences.append(sentence)
    into = None if args.into is None else quatviz.load_preset(args.into)
    if args.clock or args.turn:
        imported, sentence = _align(imported, into, args)
        sentences.append(sentence)
    body = None if args.body is None else quatviz.load_preset(args.body).body
    if body is not None:
        conservation = invariants(imported.loaded.recording, body)
        sentences.append(
            phrase(
                "with the inertia of {name}: {conservation}",
                name=args.body,
                conservation=conservation.sentence,
            )
        )
    print_safe("\n".join([_format_report(imported, args.all), *map(tr, sentences)]))
    if args.n:
        return 0
    output = args.output or path.with_suffix(".toml")
    if args.output is None and output.exists():
        print_safe(f"\n{output} exists: choose another file with -o, or report only with -n")
        return 0
    if output.suffix.lower() == ".toml" and into is not None:
        _with_recording_lane(into, imported, output).to_toml(output)
        print_safe(f"\nwritten to {output}: show it with: quatviz {output}")
    elif output.suffix.lower() == ".toml":
        preset_for_recording(imported.loaded, output.absolute().parent, body).to_toml(output)
        print_safe(f"\nwritten to {output}: show it with: quatviz {output}")
    else:
        write_recording(
            _complete_recording(imported),
            output,
            convention,
            epoch=args.epoch,
            name=args.name,
            frame=args.frame,
        )
        print_safe(f"\nwritten to {output}")
    return 0


def _free_flight_only(imported: ImportProposal, body: str | None) -> tuple[ImportProposal, str]:
    """Return the imported recording restricted to the free flight, and a sentence about it."""
    inertia = None if body is None else quatviz.load_preset(body).body.inertia
    flight = free_flight_in_file(imported.loaded, inertia)
    if flight is None:
        raise InputError(
            "--free", expected="a free flight that is shorter than the recording", found="none",
            remedy="use --start and --stop, or --body with the right inertia", topic="recordings#time-range-and-free-flight",
        )  # fmt: skip
    free_options = replace(imported.loaded.options, start=flight.start, stop=flight.stop)
    return ImportProposal(load(free_options.in_folder(imported.loaded.options.folder)), imported.ranking), tr(
        flight.sentence
    )


def _align(imported: ImportProposal, into: Preset | None, args: Namespace) -> tuple[ImportProposal, str]:
    """Return the imported recording aligned with a lane of a run, and a sentence about the alignment."""
    names = [] if into is None else lane_names(into.lanes)
    name = args.against or next(iter(names), "")
    if into is None or name not in names:
        raise InputError(
            "--against", expected=f"one of the lanes {', '.join(names)}" if names else "--into PRESET, with lanes",
            found=repr(name) if name else "none", remedy="name a lane of the --into preset",
            topic="recordings#alignment",
        )  # fmt: skip
    lane = quatviz.simulate(into, lanes=[into.lanes[names.index(name)]]).lanes[0]
    alignment = align_recording(imported.loaded, lane.t, lane.p, lane.omega, args.clock, args.turn or "")
    return ImportProposal(load(alignment.options), imported.ranking), tr(alignment.sentence)


def _with_recording_lane(preset: Preset, imported: ImportProposal, output: Path) -> Preset:
    """Return the run with the recording as an additional lane.

    The file of the recording is stored relative to the folder of `output`, where the run is written.
    """
    folder = output.absolute().parent
    preset.copy_files(folder)
    reading = imported.loaded.options
    name = unique_name(reading.path.stem[:60], lane_names(preset.lanes))
    lane = Lane("recording", recording=relative_to_folder(reading, folder), name=name)
    return replace(preset, lanes=(*preset.lanes, lane)).with_folder(folder)


def _option_names() -> list[str]:
    return [
        option_field.name
        for option_field in fields(ReadOptions)
        if option_field.init and option_field.name != "file"
    ]


def _add_reading_options(parser: CommandParser) -> None:
    """Add one command-line option for each field of `ReadOptions`."""
    declared_options = parameters_of(ReadOptions)
    for name in _option_names():
        option = f"--{name.replace('_', '-')}"
        if name in _COLUMN_OPTIONS:
            parser.add_argument(
                option, metavar="A,B,C", help=f"columns of the {name.split('_')[0]}, separated by commas"
            )
            continue
        parameter = declared_options[name]
        arguments: dict[str, Any] = (
            {"choices": parameter.choices} if parameter.choices else {"metavar": name.upper()}
        )
        if parameter.shape:
            arguments = {"nargs": parameter.shape[0], "metavar": "E", "type": float}
        elif parameter.value_type is float:
            arguments["type"] = float
        parser.add_argument(option, help=parameter.explanation, **arguments)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz import",
        description="Read a recording. Whatever is not given here is detected from the file.",
        epilog="exit status: 0 read, 2 bad input",
    )
    parser.add_argument(
        "file", help=f"a recording: {join_phrases(supported_endings(READERS.entries_by_ending), 'or')}"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="file to write: a preset (.toml), or the recording as .csv or .aem",
    )
    parser.add_argument("-n", action="store_true", help="write nothing")
    parser.add_argument("--all", action="store_true", help="report all columns and conventions")
    _add_reading_options(parser)
    parser.add_argument(
        "--body",
        metavar="PRESET",
        help="use the body of this preset (default: a brick), and report how well its motion conserves |h| and T",
    )
    parser.add_argument(
        "--free",
        action="store_true",
        help="use only the free flight, detected from the accelerometer, from the inertia of --body, or as the interval in "
        "which the h of some body is constant",
    )
    parser.add_argument(
        "--into", metavar="PRESET", help="write this preset with the recording as an additional lane"
    )
    parser.add_argument("--against", metavar="LANE", help="lane of --into to align with (default: the first)")
    parser.add_argument("--clock", action="store_true", help="estimate the time offset from that lane")
    parser.add_argument(
        "--turn",
        choices=("space", "body", "both"),
        help="estimate the constant rotation of the space frame, the body frame or both, from that lane",
    )
    parser.add_argument(
        "--to", action="append", default=[], metavar="KEY=VALUE",
        help="convention of the written .csv, such as order=scalar_last; may be repeated",
    )  # fmt: skip
    parser.add_argument("--epoch", default=EPOCH, help="epoch of t = 0 in the written .aem")
    parser.add_argument("--name", default="BODY", help="object in the written .aem")
    parser.add_argument("--frame", default="EME2000", help="space frame in the written .aem")
    return parser


def _parse_convention(text: str) -> tuple[str, str]:
    """Parse the argument of one `--to` option, such as `sequence=313`."""
    key, equals, value = (piece.strip() for piece in text.partition("="))
    if not equals:
        raise InputError(
            "--to", expected="key=value", found=repr(text), remedy="write for example --to order=scalar_last",
            topic="recordings#write-a-recording",
        )  # fmt: skip
    return key, value


def _complete_recording(imported: ImportProposal) -> Recording:
    """Return the recording with attitudes and rates. If one of them is missing, it is computed from the other."""
    track, recording = imported.loaded.track, imported.loaded.recording
    omega = None if np.isnan(track.omega).all() else track.omega
    return Recording(track.t, p=track.p, omega=omega, gap=recording.gap, source=recording.source)


def _format_report(imported: ImportProposal, show_all: bool) -> str:
    loaded, ranked = imported.loaded, imported.ranking
    lines = [
        f"{loaded.options.file}: {tr(loaded.file_columns.title)}",
        tr(timing_summary(loaded)),
    ]
    if loaded.file_columns.parts:
        lines.append(
            f"part {loaded.file_columns.part!r} of: {'; '.join(loaded.file_columns.parts[: None if show_all else 12])}"
        )
    names = list(loaded.file_columns.columns)
    lines.append(
        f"columns: {', '.join(names if show_all else names[:24])}{'' if show_all or len(names) <= 24 else ', ...'}"
    )
    settings = {key: value for key, value in loaded.options.table().items() if key not in ("file", "part")}
    rows = [
        (humanize_title(key), ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for key, value in settings.items()
    ]
    lines += ["", format_table(("read as", ""), rows)]
    if ranked is not None:
        header = ("conventions of attitude and rates", "residual [rad/s]", "relative to best")
        best = max(ranked.best.share, 1e-300)
        candidates = ranked.candidates[: None if show_all else _MAX_CANDIDATES]
        table = [
            (str(candidate.convention), f"{candidate.residual:.3g}", f"{candidate.share / best:.3g}")
            for candidate in candidates
        ]
        lines += ["", format_table(header, table, right_aligned=(1, 2)), tr(ranked.sentence)]
    remarks = [f"- {tr(remark)}" for remark in remarks_of(loaded)]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])
