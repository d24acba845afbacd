"""Attitude ephemeris messages of the CCSDS, in key-value notation."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, counted, listed, phrase
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, p_from_angles
from quatviz.physics.mechanics.rotations import conjugate, normalise, omega_from_rate, rotate, rotate_back
from quatviz.recordings.columns import Found
from quatviz.recordings.conventions import Convention
from quatviz.recordings.delimiting import TextColumns, columns_of
from quatviz.recordings.delimiting.text_format import Shape
from quatviz.recordings.kinematics import rates_of
from quatviz.recordings.readers.base import Reader

_TOPIC = "recordings#attitude-ephemeris-messages"
_WIDTHS = {
    "QUATERNION": 4, "QUATERNION/DERIVATIVE": 8, "QUATERNION/RATE": 7, "QUATERNION/ANGVEL": 7,
    "EULER_ANGLE": 3, "EULER_ANGLE/RATE": 6, "EULER_ANGLE/DERIVATIVE": 6, "EULER_ANGLE/ANGVEL": 6,
    "SPIN": 4, "SPIN/NUTATION": 7, "SPIN/NUTATION_MOM": 7,
}  # fmt: skip
"""Numbers behind the epoch in a line, by what the segment holds: of issues 1 and 2 of the book."""
_KNOWN = {
    *("CCSDS_AEM_VERS", "COMMENT", "CLASSIFICATION", "CREATION_DATE", "ORIGINATOR", "MESSAGE_ID", "OBJECT_NAME", "OBJECT_ID"),
    *("CENTER_NAME", "REF_FRAME_A", "REF_FRAME_B", "ATTITUDE_DIR", "TIME_SYSTEM", "START_TIME", "USEABLE_START_TIME"),
    *("USEABLE_STOP_TIME", "STOP_TIME", "ATTITUDE_TYPE", "QUATERNION_TYPE", "EULER_ROT_SEQ", "RATE_FRAME", "ANGVEL_FRAME"),
    *("INTERPOLATION_METHOD", "INTERPOLATION_DEGREE"),
}  # fmt: skip
_BODY = re.compile(
    r"(SC_?BODY|SC\d|BODY|INSTRUMENT|SENSOR|STARTRACKER|GYRO_FRAME|ACTUATOR|CSS|DSS|ESA|IMU|RW|SA_|AST|ACC|TAM)",
    re.I,
)
"""What names of frames in the body begin with (SANA's registry of spacecraft body frames)."""
_MOST_SEGMENTS = 10_000
NAMES = ("EPOCH", "p_0", "p_1", "p_2", "p_3", "omega_1", "omega_2", "omega_3")


class Segment(NamedTuple):
    """What stands before the numbers, by keyword; where they stand, and at which line."""

    says: Mapping[str, str]
    lines: Mapping[str, int]
    start: int
    stop: int
    line: int


class AEM(Reader):
    """Version 1 and 2: quaternions alone, with their derivatives or with rates; Euler angles in the same three ways; spin, alone,
    with nutation or with the angular momentum. Both directions, scalar first or last. Segments of one object and its frames follow
    one another, with a gap between."""

    name = "aem"
    title = "a CCSDS attitude ephemeris message (KVN)"
    suffixes = (".aem",)
    begins = b"CCSDS_AEM_VERS"

    def read(self, path: Path, part: str | None) -> Found:
        data = re.sub(rb"\r\n?", b"\n", path.read_bytes()).removeprefix(b"\xef\xbb\xbf")
        unknown: dict[str, int] = {}
        segments = list(_segments(data, str(path), unknown))
        if not segments:
            raise _refusal(str(path), "a segment, between META_START and DATA_STOP", "none")
        names = _names(segments)
        chosen = _chosen(segments, names, part, str(path))
        midnight = _midnight(data, segments[chosen[0]])
        read = [_read(data, segments[number], midnight, str(path)) for number in chosen]
        remarks = [remark for _, more in read for remark in more]
        if unknown:
            remarks.append(
                counted(
                    sum(unknown.values()),
                    "{count} line with an unknown keyword was not read: {names}",
                    "{count} lines with unknown keywords were not read: {names}",
                    names=listed(list(unknown)[:8]),
                )
            )
        whole = _joined([rows for rows, _ in read])
        if np.isnan(whole[:, 5:]).all():
            whole = whole[:, :5]
        says = {
            "time": "EPOCH", "time_unit": "s", "attitude": "quaternion", "attitude_columns": NAMES[1:5],
            "order": "scalar_first", "direction": "body_to_space", "product": "hamilton",
        }  # fmt: skip
        if whole.shape[1] > 5:
            says |= {"rate_columns": NAMES[5:], "rate_axes": "body", "rate_unit": "rad/s"}
        columns = dict(zip(NAMES, whole.T, strict=False))
        # A part that is all there is, or all that belongs together, need not be named.
        return Found(
            columns, says, part or "", tuple(names) if len(names) > 1 else (), self.title, tuple(remarks)
        )


def _segments(data: bytes, place: str, unknown: dict[str, int]) -> Iterator[Segment]:
    """The segments of a message; keywords that no issue of the book has are counted."""
    says: dict[str, str] = {}
    lines: dict[str, int] = {}
    at, number, count, inside = 0, 0, 0, False
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        number += 1
        line = data[at:end].decode("utf-8", "replace").strip()
        at = end + 1
        key, equals, value = (piece.strip() for piece in line.partition("="))
        if line == "META_START":
            says, lines, inside = {}, {}, True
        elif line == "META_STOP":
            inside = False
        elif line == "DATA_START":
            stop = data.find(b"DATA_STOP", at)
            stop = len(data) if stop < 0 else stop
            count += 1
            if count > _MOST_SEGMENTS:
                raise _refusal(place, phrase("at most {most} segments", most=_MOST_SEGMENTS), phrase("more"))
            yield Segment(says, lines, at, stop, number)
            number += data.count(b"\n", at, stop)
            at = stop
        elif equals and re.fullmatch(r"[A-Z][A-Z0-9_]*", key):
            if key not in _KNOWN:
                if len(unknown) < 100 or key in unknown:
                    unknown[key] = unknown.get(key, 0) + 1
            elif inside:
                says[key], lines[key] = value, number
        elif line and line != "DATA_STOP" and not line.startswith("COMMENT"):
            raise _refusal(
                phrase("{place}, line {line}", place=place, line=number), "KEYWORD = value", repr(line[:60])
            )


def _names(segments: list[Segment]) -> list[str]:
    """A name for each: its number, object and start."""
    return [
        f"{number} {each.says.get('OBJECT_NAME', '')} {each.says.get('START_TIME', '')}".strip()
        for number, each in enumerate(segments, 1)
    ]


def _chosen(segments: list[Segment], names: list[str], part: str | None, place: str) -> list[int]:
    """The numbers of the segments to read: the one that is named, by its name or its number; else all of the first one's object
    and frames, whichever leads to the other."""
    if part:
        fit = [number for number, name in enumerate(names) if part in (name, name.split(" ")[0])]
        if not fit:
            raise InputError(
                place, expected=phrase("one of the segments {names}", names="; ".join(names[:20])), found=repr(part),
                remedy="name one by its number", key="part", topic=_TOPIC,
            )  # fmt: skip
        return fit

    def belongs(segment: Segment) -> tuple[object, ...]:
        frames = frozenset(segment.says.get(f"REF_FRAME_{letter}", "") for letter in "AB")
        return frames, segment.says.get("OBJECT_ID", ""), segment.says.get("TIME_SYSTEM", "")

    return [number for number, each in enumerate(segments) if belongs(each) == belongs(segments[0])]


def _read(data: bytes, segment: Segment, midnight: int, place: str) -> tuple[np.ndarray, list[str]]:
    """Epoch [s] from `midnight` [ns since 1970] on, p, omega [rad/s] in the program's conventions (n, 8), NaN where a segment has
    no rates, and remarks."""
    kind = re.sub(r"[ ]+", "_", segment.says.get("ATTITUDE_TYPE", "")).upper()
    if kind not in _WIDTHS:
        expected = phrase("ATTITUDE_TYPE, one of {names}", names=", ".join(_WIDTHS))
        raise _refusal(
            _at(segment, "ATTITUDE_TYPE", place), expected, repr(kind) if kind else "no such keyword"
        )
    found = _numbers(data, segment, 1 + _WIDTHS[kind], place)
    assert isinstance(found.columns, TextColumns)
    stamps, dated = found.columns.nanoseconds("EPOCH")
    t = np.where(dated, (stamps - midnight) * 1e-9, np.nan)
    values = np.stack([found.columns[f"v{n}"] for n in range(_WIDTHS[kind])], axis=1)
    away, remarks = _is_reversed(segment, place)
    p, omega = _STATES[kind.partition("/")[0]](values, kind, segment, away, place)
    if omega is not None and kind in _UNCERTAIN and _contradicts(t, p, omega):
        omega = None
        remarks.append(phrase("rates of {kind} that contradict the attitudes were left out", kind=kind))
    return np.column_stack([t, p, np.full((len(t), 3), np.nan) if omega is None else omega]), [
        *found.remarks,
        *remarks,
    ]


def _midnight(data: bytes, segment: Segment) -> int:
    """Of the first day of a segment [ns since 1970]: seconds are counted from there, for those since 1970 have more digits than a
    float."""
    found = re.search(rb"(?m)^[ \t]*(\d{4})-(\d{3}T|\d\d-\d\d)", data[segment.start : segment.stop])
    if found is None:
        return 0
    year, rest = found[1].decode(), found[2].decode()
    try:
        first = np.datetime64(year, "D") if rest.endswith("T") else np.datetime64(f"{year}-{rest}", "D")
    except ValueError:
        return 0
    day = first + (int(rest[:3]) - 1) if rest.endswith("T") else first
    return int(day.astype("datetime64[ns]").astype(np.int64))


def _numbers(data: bytes, segment: Segment, width: int, place: str) -> Found:
    """The columns of a segment."""
    text = data[segment.start : segment.stop]
    if b"COMMENT" in text:
        text = re.sub(rb"(?m)^[ \t]*COMMENT.*\n?", b"", text)
    names = ("EPOCH", *(f"v{number}" for number in range(width - 1)))
    where = phrase("{place}, from line {line} on", place=place, line=segment.line + 1)
    if not text.strip():
        raise _refusal(where, "lines of an epoch and numbers", "none")
    return columns_of(text.strip(b" \n") + b"\n", Shape("utf-8", " ", 0, names), where)


def _is_reversed(segment: Segment, place: str) -> tuple[bool, list[str]]:
    """Whether the attitude leads from the body's frame to the other, and what had to be guessed."""
    first, second = (segment.says.get(f"REF_FRAME_{letter}", "") for letter in "AB")
    direction = re.sub(r"[^A-Z0-9]", "", segment.says.get("ATTITUDE_DIR", "A2B").upper())
    if direction not in ("A2B", "B2A"):
        raise _refusal(_at(segment, "ATTITUDE_DIR", place), "A2B or B2A", repr(segment.says["ATTITUDE_DIR"]))
    known = [bool(_BODY.match(name)) for name in (first, second)]
    body_first = known == [True, False]
    remarks: list[str] = []
    if known[0] == known[1]:
        remarks.append(
            phrase(
                "of the frames {first} and {second} the second is taken for the body's",
                first=first,
                second=second,
            )
        )
    return body_first == (direction == "A2B"), remarks


def _of_quaternion(
    values: np.ndarray, kind: str, segment: Segment, away: bool, place: str
) -> tuple[np.ndarray, np.ndarray | None]:
    order = segment.says.get("QUATERNION_TYPE", "LAST").upper()
    if order not in ("FIRST", "LAST"):
        raise _refusal(_at(segment, "QUATERNION_TYPE", place), "FIRST or LAST", repr(order))
    told = _convention(
        segment, away, "quaternion", order="scalar_first" if order == "FIRST" else "scalar_last"
    )
    with np.errstate(invalid="ignore"):
        lengths = np.linalg.norm(values[:, :4], axis=1)[:, None]
        p = lengths * told.attitude_of(np.where(lengths > 0.0, values[:, :4], [1.0, 0.0, 0.0, 0.0]))
        if kind == "QUATERNION/DERIVATIVE":
            rate = values[:, 4:] if order == "FIRST" else np.roll(values[:, 4:], 1, axis=1)
            return p, omega_from_rate(p, conjugate(rate) if away else rate) / lengths**2
    if kind == "QUATERNION":
        return p, None
    if kind == "QUATERNION/RATE" and "EULER_ROT_SEQ" in segment.says:
        # Issue 1 has no word for it but the sequence that stands there: the rates are those of the angles, as Orekit reads them.
        told = _convention(segment, away, "angles", sequence=_sequence(segment, place), rate_axes="angles")
        return p, told.rates_of(values[:, 4:], p)
    return p, _rates(values[:, 4:], p, told, segment, away, place)


def _of_angles(
    values: np.ndarray, kind: str, segment: Segment, away: bool, place: str
) -> tuple[np.ndarray, np.ndarray | None]:
    # Issue 1 has RATE for what issue 2 calls DERIVATIVE: the rates of the angles.
    axes = "angles" if kind in ("EULER_ANGLE/RATE", "EULER_ANGLE/DERIVATIVE") else "body"
    told = _convention(
        segment, away, "angles", sequence=_sequence(segment, place), angle_unit="deg", rate_axes=axes
    )
    p = told.attitude_of(values[:, :3])
    if kind == "EULER_ANGLE":
        return p, None
    if axes == "angles":
        return p, told.rates_of(values[:, 3:], p)
    return p, _rates(values[:, 3:], p, told, segment, away, place)


def _sequence(segment: Segment, place: str) -> str:
    sequence = segment.says.get("EULER_ROT_SEQ", "").upper().translate(str.maketrans("XYZ", "123"))
    if sequence not in SEQUENCES:
        expected = phrase("EULER_ROT_SEQ, one of {names}", names=", ".join(SEQUENCES))
        raise _refusal(
            _at(segment, "EULER_ROT_SEQ", place), expected, repr(segment.says.get("EULER_ROT_SEQ", ""))
        )
    return sequence


def _of_spin(
    values: np.ndarray, kind: str, segment: Segment, away: bool, place: str
) -> tuple[np.ndarray, np.ndarray | None]:
    """Right ascension and declination of the spin axis, the third of the frame that the attitude leads to, and the angle about it:
    90 deg + alpha, 90 deg - delta and the spin angle, 3-1-3. With nutation the body turns about its angular momentum too, which
    stands still in space; its direction is given in the body, by the nutation and its phase, or in space (annex F5 of issue 2)."""
    alpha, delta, angle, speed = np.radians(values[:, :4]).T
    p = p_from_angles(np.stack([0.5 * np.pi + alpha, 0.5 * np.pi - delta, angle], axis=1), "313")
    omega = np.stack([0.0 * speed, 0.0 * speed, speed], axis=1)
    if kind == "SPIN/NUTATION":
        nutation, phase = np.radians(values[:, [4, 6]]).T
        momentum = np.stack(
            [np.sin(nutation) * np.cos(phase), -np.sin(nutation) * np.sin(phase), np.cos(nutation)], axis=1
        )
        with np.errstate(divide="ignore"):
            about = np.where(values[:, 5] == 0.0, 0.0, 2.0 * np.pi / values[:, 5])
        omega += about[:, None] * momentum
    elif kind == "SPIN/NUTATION_MOM":
        alpha, delta, about = np.radians(values[:, 4:]).T
        momentum = np.stack(
            [np.cos(alpha) * np.cos(delta), np.sin(alpha) * np.cos(delta), np.sin(delta)], axis=1
        )
        omega += about[:, None] * rotate_back(p, momentum)
    # Of the reverse rotation the body has the rate of space, which is the other way round.
    return (conjugate(p), -rotate(p, omega)) if away else (p, omega)


_UNCERTAIN = ("QUATERNION/RATE", "SPIN", "SPIN/NUTATION", "SPIN/NUTATION_MOM")
"""Whose rates programs write in several ways: of a spin whose axis moves, of what is called a period, of which angles."""
_OFF = 0.2
"""Of the rates: by what they may differ from those of the attitudes."""


def _contradicts(t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> bool:
    """Whether rates are not those of attitudes that follow each other closely."""
    known = np.isfinite(t) & np.isfinite(p).all(axis=1) & np.isfinite(omega).all(axis=1)
    if known.sum() < 3 or not (np.diff(t[known]) > 0.0).all():
        return False
    found = rates_of(t[known], normalise(p[known]), degree=2, width=3)
    off = np.linalg.norm(found.omega - omega[known], axis=1)
    usual = np.linalg.norm(found.omega, axis=1)
    return bool(found.turn < 0.25 * np.pi and np.nanmedian(off) > _OFF * np.nanmedian(usual))


_STATES = {"QUATERNION": _of_quaternion, "EULER_ANGLE": _of_angles, "SPIN": _of_spin}


def _convention(segment: Segment, away: bool, attitude: str, **says: str) -> Convention:
    """A rotation from A to B turns the axes of A into those of B: where B is the body's, its quaternion takes the body's components
    to the others (annex F of issue 2)."""
    return Convention(
        attitude, direction="space_to_body" if away else "body_to_space", rate_unit="deg/s", **says
    )


def _rates(
    values: np.ndarray, p: np.ndarray, told: Convention, segment: Segment, away: bool, place: str
) -> np.ndarray:
    """omega (n, 3) [rad/s, body] of the frame that the attitude leads to in the one that it comes from, in the frame that is
    named."""
    key = "ANGVEL_FRAME" if "ANGVEL_FRAME" in segment.says else "RATE_FRAME"
    named = segment.says.get(key, "REF_FRAME_B")
    frames = [segment.says.get(f"REF_FRAME_{letter}", "") for letter in "AB"]
    if named not in ("REF_FRAME_A", "REF_FRAME_B", *frames):
        raise _refusal(_at(segment, key, place), phrase("REF_FRAME_A or REF_FRAME_B"), repr(named))
    second = named == "REF_FRAME_B" or named == frames[1]
    direction = re.sub(r"[^A-Z0-9]", "", segment.says.get("ATTITUDE_DIR", "A2B").upper())
    body_second = away != (direction == "A2B")
    axes = "body" if second == body_second else "space"
    omega = Convention(rate_axes=axes, rate_unit="deg/s").rates_of(values, p)
    return -omega if away else omega


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """The rows of segments one after another, with a row of nothing between two: nobody reckons from one to the next. Two that meet
    share a row."""
    rows = [parts[0]]
    for before, after in pairwise(parts):
        if before[-1, 0] < after[0, 0]:
            gap = np.full((1, before.shape[1]), np.nan)
            gap[0, 0] = 0.5 * (before[-1, 0] + after[0, 0])
            rows.append(gap)
        rows.append(after)
    return np.concatenate(rows)


def _at(segment: Segment, key: str, place: str) -> str:
    return phrase("{place}, line {line}", place=place, line=segment.lines.get(key, segment.line))


def _refusal(place: str, expected: str, found: str) -> InputError:
    return InputError(
        place,
        expected=expected,
        found=found,
        remedy="see CCSDS 504.0-B, or ask whoever wrote it",
        topic=_TOPIC,
    )
