"""CCSDS attitude ephemeris messages, in key-value notation and in XML."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase, plural_phrase
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, p_from_angles
from quatviz.physics.mechanics.rotations import conjugate, normalize, omega_from_rate, rotate, rotate_back
from quatviz.recordings.ccsds_xml import key_value_notation
from quatviz.recordings.columns import FileColumns, text_cells
from quatviz.recordings.conventions import Convention
from quatviz.recordings.file_times import clock_nanoseconds, parse_clock
from quatviz.recordings.kinematics import differentiate_attitudes
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_format import TextFormat
from quatviz.recordings.text_table import parse_columns

_TOPIC = "recordings#attitude-ephemeris-messages"
_WIDTHS = {
    "QUATERNION": 4, "QUATERNION/DERIVATIVE": 8, "QUATERNION/RATE": 7, "QUATERNION/ANGVEL": 7,
    "EULER_ANGLE": 3, "EULER_ANGLE/RATE": 6, "EULER_ANGLE/DERIVATIVE": 6, "EULER_ANGLE/ANGVEL": 6,
    "SPIN": 4, "SPIN/NUTATION": 7, "SPIN/NUTATION_MOM": 7,
}  # fmt: skip
"""Number of values that follow the epoch in a data line, by attitude type of issues 1 and 2 of the
standard."""
_KEYWORDS = {
    *("CCSDS_AEM_VERS", "COMMENT", "CLASSIFICATION", "CREATION_DATE", "ORIGINATOR", "MESSAGE_ID", "OBJECT_NAME", "OBJECT_ID"),
    *("CENTER_NAME", "REF_FRAME_A", "REF_FRAME_B", "ATTITUDE_DIR", "TIME_SYSTEM", "START_TIME", "USEABLE_START_TIME"),
    *("USEABLE_STOP_TIME", "STOP_TIME", "ATTITUDE_TYPE", "QUATERNION_TYPE", "EULER_ROT_SEQ", "RATE_FRAME", "ANGVEL_FRAME"),
    *("INTERPOLATION_METHOD", "INTERPOLATION_DEGREE"),
}  # fmt: skip
_BODY_FRAMES = re.compile(
    r"(SC_?BODY|SC\d|BODY|INSTRUMENT|SENSOR|STARTRACKER|GYRO_FRAME|ACTUATOR|CSS|DSS|ESA|IMU|RW|SA_|AST|ACC|TAM)",
    re.I,
)
"""Pattern of names of body frames (SANA's registry of spacecraft body frames)."""
_MAX_SEGMENTS = 10_000
NAMES = ("EPOCH", "p_0", "p_1", "p_2", "p_3", "omega_1", "omega_2", "omega_3")


class AttitudeSegment(NamedTuple):
    """One segment of an attitude ephemeris message. `keywords` are its metadata, `lines` the line numbers
    of the keywords, `start` and `stop` the byte range of its data, and `line` the line number before its
    data."""

    keywords: Mapping[str, str]
    lines: Mapping[str, int]
    start: int
    stop: int
    line: int


class AEM(Reader):
    """Reader of CCSDS attitude ephemeris messages, versions 1 and 2.

    Quaternions (scalar first or last) and Euler angles may come alone, with derivatives or with rates. Spin may come
    alone, with nutation or with angular momentum. Attitudes may have either direction. Segments of one object and its
    frames are joined, with gaps in between.
    """

    name = "aem"
    title = "a CCSDS attitude ephemeris message"
    suffixes = (".aem", ".xml")
    magic = b"CCSDS_AEM_VERS"

    def read(self, path: Path, part: str | None) -> FileColumns:
        data = re.sub(rb"\r\n?", b"\n", path.read_bytes()).removeprefix(b"\xef\xbb\xbf")
        if data.lstrip().startswith(b"<"):
            data = key_value_notation(data, str(path))
        unknown: dict[str, int] = {}
        segments = list(_segments(data, str(path), unknown))
        if not segments:
            raise _refusal(str(path), "a segment, between META_START and DATA_STOP", "none")
        names = _segment_names(segments)
        segment_indices = _select_segments(segments, names, part, str(path))
        midnight = _midnight(data, segments[segment_indices[0]])
        segment_data = [
            _read_segment(data, segments[number], midnight, str(path)) for number in segment_indices
        ]
        remarks = [remark for _, segment_remarks in segment_data for remark in segment_remarks]
        if unknown:
            remarks.append(
                plural_phrase(
                    sum(unknown.values()),
                    "{count} line with an unknown keyword was not read: {names}",
                    "{count} lines with unknown keywords were not read: {names}",
                    names=join_phrases(list(unknown)[:8]),
                )
            )
        table = _join_segments([rows for rows, _ in segment_data])
        if np.isnan(table[:, 5:]).all():
            table = table[:, :5]
        declared = {
            "time": "EPOCH", "time_unit": "s", "attitude": "quaternion", "attitude_columns": NAMES[1:5],
            "order": "scalar_first", "direction": "body_to_space", "product": "hamilton",
        }  # fmt: skip
        if table.shape[1] > 5:
            declared |= {"rate_columns": NAMES[5:], "rate_axes": "body", "rate_unit": "rad/s"}
        columns = dict(zip(NAMES, table.T, strict=False))
        # The part needs no name if it is the whole file or everything that belongs together.
        return FileColumns(
            columns, declared, part or "", tuple(names) if len(names) > 1 else (), self.title, tuple(remarks)
        )


def _segments(data: bytes, source: str, unknown: dict[str, int]) -> Iterator[AttitudeSegment]:
    """Return the segments of a message. Add the number of lines of each keyword outside the standard to `unknown`."""
    keywords: dict[str, str] = {}
    lines: dict[str, int] = {}
    position, number, count, in_meta = 0, 0, 0, False
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        number += 1
        line = data[position:end].decode("utf-8", "replace").strip()
        position = end + 1
        key, equals, value = (piece.strip() for piece in line.partition("="))
        if line == "META_START":
            keywords, lines, in_meta = {}, {}, True
        elif line == "META_STOP":
            in_meta = False
        elif line == "DATA_START":
            stop = data.find(b"DATA_STOP", position)
            stop = len(data) if stop < 0 else stop
            count += 1
            if count > _MAX_SEGMENTS:
                raise _refusal(
                    source, phrase("at most {most} segments", most=_MAX_SEGMENTS), phrase("more segments")
                )
            yield AttitudeSegment(keywords, lines, position, stop, number)
            number += data.count(b"\n", position, stop)
            position = stop
        elif equals and re.fullmatch(r"[A-Z][A-Z0-9_]*", key):
            if key not in _KEYWORDS:
                if len(unknown) < 100 or key in unknown:
                    unknown[key] = unknown.get(key, 0) + 1
            elif in_meta:
                keywords[key], lines[key] = value, number
        elif line and line != "DATA_STOP" and not line.startswith("COMMENT"):
            raise _refusal(
                phrase("{place}, line {line}", place=source, line=number), "KEYWORD = value", repr(line[:60])
            )


def _segment_names(segments: list[AttitudeSegment]) -> list[str]:
    """Return a name for each segment, made of its number, object and start."""
    return [
        f"{number} {segment.keywords.get('OBJECT_NAME', '')} {segment.keywords.get('START_TIME', '')}".strip()
        for number, segment in enumerate(segments, 1)
    ]


def _select_segments(
    segments: list[AttitudeSegment], names: list[str], part: str | None, source: str
) -> list[int]:
    """Return the indices of the segments to read.

    If `part` is given, only the segment with this name or number is read. Otherwise, the first segment is read with all
    further segments of the same object and of the same two frames, in either order.
    """
    if part:
        matches = [number for number, name in enumerate(names) if part in (name, name.split(" ")[0])]
        if not matches:
            raise InputError(
                source, expected=phrase("one of the segments {names}", names="; ".join(names[:20])), found=repr(part),
                remedy="choose one by its number", key="part", topic=_TOPIC,
            )  # fmt: skip
        return matches

    def segment_key(segment: AttitudeSegment) -> tuple[object, ...]:
        frames = frozenset(segment.keywords.get(f"REF_FRAME_{label}", "") for label in "AB")
        return frames, segment.keywords.get("OBJECT_ID", ""), segment.keywords.get("TIME_SYSTEM", "")

    return [
        number
        for number, candidate in enumerate(segments)
        if segment_key(candidate) == segment_key(segments[0])
    ]


def _read_segment(
    data: bytes, segment: AttitudeSegment, midnight: int, source: str
) -> tuple[np.ndarray, list[str]]:
    """Return an array (n, 8) with the samples of a segment, and remarks.

    The columns are time [s] since `midnight` [ns since 1970], p (4) and omega (3) [rad/s, body] in the conventions of
    quatviz. Missing rates are NaN.
    """
    attitude_type = re.sub(r"[ ]+", "_", segment.keywords.get("ATTITUDE_TYPE", "")).upper()
    if attitude_type not in _WIDTHS:
        expected = phrase("ATTITUDE_TYPE, one of {names}", names=", ".join(_WIDTHS))
        raise _refusal(
            _line_of(segment, "ATTITUDE_TYPE", source),
            expected,
            repr(attitude_type) if attitude_type else "no such keyword",
        )
    file_columns = _numbers(data, segment, 1 + _WIDTHS[attitude_type], source)
    clock = parse_clock(text_cells(file_columns.columns, "EPOCH") or [])
    if clock is None:
        t = np.full(len(file_columns.columns["EPOCH"]), np.nan)
    else:
        is_utc = segment.keywords.get("TIME_SYSTEM", "").strip().upper() == "UTC"
        stamps = clock_nanoseconds(clock, is_utc, midnight)
        t = np.where(clock.is_known, (stamps - midnight) * 1e-9, np.nan)
    values = np.stack([file_columns.columns[f"v{n}"] for n in range(_WIDTHS[attitude_type])], axis=1)
    is_reversed, remarks = _is_reversed(segment, source)
    p, omega = _STATE_READERS[attitude_type.partition("/")[0]](
        values, attitude_type, segment, is_reversed, source
    )
    if omega is not None and attitude_type in _AMBIGUOUS_RATES and _rates_contradict(t, p, omega):
        omega = None
        remarks.append(
            phrase("rates of {kind} were ignored because they contradict the attitudes", kind=attitude_type)
        )
    return np.column_stack([t, p, np.full((len(t), 3), np.nan) if omega is None else omega]), [
        *file_columns.remarks,
        *remarks,
    ]


def _midnight(data: bytes, segment: AttitudeSegment) -> int:
    """Return the midnight before a segment [ns since 1970]. Times are relative to midnight because nanoseconds
    since 1970 have more digits than a float64."""
    match = re.search(rb"(?m)^[ \t]*(\d{4})-(\d{3}T|\d\d-\d\d)", data[segment.start : segment.stop])
    if match is None:
        return 0
    year, day_text = match[1].decode(), match[2].decode()
    try:
        first = (
            np.datetime64(year, "D") if day_text.endswith("T") else np.datetime64(f"{year}-{day_text}", "D")
        )
    except ValueError:
        return 0
    day = first + (int(day_text[:3]) - 1) if day_text.endswith("T") else first
    return int(day.astype("datetime64[ns]").astype(np.int64))


def _numbers(data: bytes, segment: AttitudeSegment, width: int, source: str) -> FileColumns:
    """Return the columns with the epoch and the numbers of a segment. Each line has `width` cells."""
    text = data[segment.start : segment.stop]
    if b"COMMENT" in text:
        text = re.sub(rb"(?m)^[ \t]*COMMENT.*\n?", b"", text)
    names = ("EPOCH", *(f"v{number}" for number in range(width - 1)))
    where = phrase("{place}, from line {line} on", place=source, line=segment.line + 1)
    if not text.strip():
        raise _refusal(where, "lines of an epoch and numbers", "none")
    return parse_columns(text.strip(b" \n") + b"\n", TextFormat("utf-8", " ", 0, names), where)


def _is_reversed(segment: AttitudeSegment, source: str) -> tuple[bool, list[str]]:
    """Return True if the attitude in a segment is the rotation from the body frame to the other frame, and
    remarks on assumptions made to decide this."""
    first, second = (segment.keywords.get(f"REF_FRAME_{label}", "") for label in "AB")
    direction = re.sub(r"[^A-Z0-9]", "", segment.keywords.get("ATTITUDE_DIR", "A2B").upper())
    if direction not in ("A2B", "B2A"):
        raise _refusal(
            _line_of(segment, "ATTITUDE_DIR", source), "A2B or B2A", repr(segment.keywords["ATTITUDE_DIR"])
        )
    is_body = [bool(_BODY_FRAMES.match(name)) for name in (first, second)]
    body_first = is_body == [True, False]
    remarks: list[str] = []
    if is_body[0] == is_body[1]:
        remarks.append(
            phrase(
                "the frame {second}, and not {first}, is assumed to be the body frame",
                first=first,
                second=second,
            )
        )
    return body_first == (direction == "A2B"), remarks


def _read_quaternions(
    values: np.ndarray, attitude_type: str, segment: AttitudeSegment, is_reversed: bool, source: str
) -> tuple[np.ndarray, np.ndarray | None]:
    order = segment.keywords.get("QUATERNION_TYPE", "LAST").upper()
    if order not in ("FIRST", "LAST"):
        raise _refusal(_line_of(segment, "QUATERNION_TYPE", source), "FIRST or LAST", repr(order))
    convention = _segment_convention(
        segment, is_reversed, "quaternion", order="scalar_first" if order == "FIRST" else "scalar_last"
    )
    with np.errstate(invalid="ignore"):
        lengths = np.linalg.norm(values[:, :4], axis=1)[:, None]
        p = lengths * convention.attitude_of(np.where(lengths > 0.0, values[:, :4], [1.0, 0.0, 0.0, 0.0]))
        if attitude_type == "QUATERNION/DERIVATIVE":
            rate = values[:, 4:] if order == "FIRST" else np.roll(values[:, 4:], 1, axis=1)
            return p, omega_from_rate(p, conjugate(rate) if is_reversed else rate) / lengths**2
    if attitude_type == "QUATERNION":
        return p, None
    if attitude_type == "QUATERNION/RATE" and "EULER_ROT_SEQ" in segment.keywords:
        # Issue 1 does not define these rates. They are read as angle rates, as in Orekit.
        convention = _segment_convention(
            segment, is_reversed, "angles", sequence=_sequence(segment, source), rate_axes="angles"
        )
        return p, convention.rates_of(values[:, 4:], p)
    return p, _body_rates(values[:, 4:], p, convention, segment, is_reversed, source)


def _read_angles(
    values: np.ndarray, attitude_type: str, segment: AttitudeSegment, is_reversed: bool, source: str
) -> tuple[np.ndarray, np.ndarray | None]:
    # RATE in issue 1 means the angle rates, called DERIVATIVE in issue 2.
    axes = "angles" if attitude_type in ("EULER_ANGLE/RATE", "EULER_ANGLE/DERIVATIVE") else "body"
    convention = _segment_convention(
        segment, is_reversed, "angles", sequence=_sequence(segment, source), angle_unit="deg", rate_axes=axes
    )
    p = convention.attitude_of(values[:, :3])
    if attitude_type == "EULER_ANGLE":
        return p, None
    if axes == "angles":
        return p, convention.rates_of(values[:, 3:], p)
    return p, _body_rates(values[:, 3:], p, convention, segment, is_reversed, source)


def _sequence(segment: AttitudeSegment, source: str) -> str:
    sequence = segment.keywords.get("EULER_ROT_SEQ", "").upper().translate(str.maketrans("XYZ", "123"))
    if sequence not in SEQUENCES:
        expected = phrase("EULER_ROT_SEQ, one of {names}", names=", ".join(SEQUENCES))
        raise _refusal(
            _line_of(segment, "EULER_ROT_SEQ", source),
            expected,
            repr(segment.keywords.get("EULER_ROT_SEQ", "")),
        )
    return sequence


def _read_spin(
    values: np.ndarray, attitude_type: str, segment: AttitudeSegment, is_reversed: bool, source: str
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the attitude of a spinning body from the right ascension and declination of its spin axis and the spin angle.

    The sequence is 3-1-3 with 90 deg + alpha, 90 deg - delta and the spin angle; the spin axis is the third axis of
    the target frame. With nutation, the body also rotates about its angular momentum, which is fixed in space. The
    direction of the angular momentum is given in the body, by nutation angle and phase, or in space (annex F5 of
    issue 2).
    """
    alpha, delta, angle, speed = np.radians(values[:, :4]).T
    p = p_from_angles(np.stack([0.5 * np.pi + alpha, 0.5 * np.pi - delta, angle], axis=1), "313")
    omega = np.stack([0.0 * speed, 0.0 * speed, speed], axis=1)
    if attitude_type == "SPIN/NUTATION":
        nutation, phase = np.radians(values[:, [4, 6]]).T
        momentum = np.stack(
            [np.sin(nutation) * np.cos(phase), -np.sin(nutation) * np.sin(phase), np.cos(nutation)], axis=1
        )
        with np.errstate(divide="ignore"):
            precession_rate = np.where(values[:, 5] == 0.0, 0.0, 2.0 * np.pi / values[:, 5])
        omega += precession_rate[:, None] * momentum
    elif attitude_type == "SPIN/NUTATION_MOM":
        alpha, delta, precession_rate = np.radians(values[:, 4:]).T
        momentum = np.stack(
            [np.cos(alpha) * np.cos(delta), np.sin(alpha) * np.cos(delta), np.sin(delta)], axis=1
        )
        omega += precession_rate[:, None] * rotate_back(p, momentum)
    # The reversed rotation describes space relative to the body: negate and change the frame.
    return (conjugate(p), -rotate(p, omega)) if is_reversed else (p, omega)


_AMBIGUOUS_RATES = ("QUATERNION/RATE", "SPIN", "SPIN/NUTATION", "SPIN/NUTATION_MOM")
"""Attitude types for which different programs write rates in different conventions."""
_MAX_RATE_DIFFERENCE = 0.2
"""Largest accepted difference between given rates and the rates of the attitudes, relative to the rates."""


def _rates_contradict(t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> bool:
    """Return True if the given rates disagree with the attitudes. Attitudes that are too far apart for a comparison give
    False."""
    known = np.isfinite(t) & np.isfinite(p).all(axis=1) & np.isfinite(omega).all(axis=1)
    if known.sum() < 3 or not (np.diff(t[known]) > 0.0).all():
        return False
    differentiated = differentiate_attitudes(t[known], normalize(p[known]), degree=2, width=3)
    differences = np.linalg.norm(differentiated.omega - omega[known], axis=1)
    speeds = np.linalg.norm(differentiated.omega, axis=1)
    return bool(
        differentiated.turn < 0.25 * np.pi
        and np.nanmedian(differences) > _MAX_RATE_DIFFERENCE * np.nanmedian(speeds)
    )


_STATE_READERS = {"QUATERNION": _read_quaternions, "EULER_ANGLE": _read_angles, "SPIN": _read_spin}


def _segment_convention(
    segment: AttitudeSegment, is_reversed: bool, attitude: str, **values: str
) -> Convention:
    """Return the convention of a segment. In the standard, a rotation from frame A to frame B rotates the axes of A
    into the axes of B. If B is the body frame, the quaternion transforms components from the body to A (annex F of
    issue 2)."""
    return Convention(
        attitude, direction="space_to_body" if is_reversed else "body_to_space", rate_unit="deg/s", **values
    )


def _body_rates(
    values: np.ndarray,
    p: np.ndarray,
    convention: Convention,
    segment: AttitudeSegment,
    is_reversed: bool,
    source: str,
) -> np.ndarray:
    """Return the angular velocity (n, 3) [rad/s, body]. The values in the file are components in the frame that the
    segment names."""
    key = "ANGVEL_FRAME" if "ANGVEL_FRAME" in segment.keywords else "RATE_FRAME"
    frame = segment.keywords.get(key, "REF_FRAME_B")
    frames = [segment.keywords.get(f"REF_FRAME_{label}", "") for label in "AB"]
    if frame not in ("REF_FRAME_A", "REF_FRAME_B", *frames):
        raise _refusal(_line_of(segment, key, source), phrase("REF_FRAME_A or REF_FRAME_B"), repr(frame))
    is_second_frame = frame == "REF_FRAME_B" or frame == frames[1]
    direction = re.sub(r"[^A-Z0-9]", "", segment.keywords.get("ATTITUDE_DIR", "A2B").upper())
    body_second = is_reversed != (direction == "A2B")
    axes = "body" if is_second_frame == body_second else "space"
    omega = Convention(rate_axes=axes, rate_unit="deg/s").rates_of(values, p)
    return -omega if is_reversed else omega


def _join_segments(parts: list[np.ndarray]) -> np.ndarray:
    """Return the rows of all segments. A row of NaN between separate segments prevents interpolation; adjoining
    segments share a row."""
    rows = [parts[0]]
    for previous, following in pairwise(parts):
        if previous[-1, 0] < following[0, 0]:
            gap = np.full((1, previous.shape[1]), np.nan)
            gap[0, 0] = 0.5 * (previous[-1, 0] + following[0, 0])
            rows.append(gap)
        rows.append(following)
    return np.concatenate(rows)


def _line_of(segment: AttitudeSegment, key: str, source: str) -> str:
    return phrase("{place}, line {line}", place=source, line=segment.lines.get(key, segment.line))


def _refusal(source: str, expected: str, found: str) -> InputError:
    return InputError(
        source,
        expected=expected,
        found=found,
        remedy="see CCSDS 504.0-B, or ask the author of the file",
        topic=_TOPIC,
    )
