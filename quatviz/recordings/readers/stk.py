"""Attitude files of the Systems Tool Kit (STK)."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, Phrase, join_phrases, phrase
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.recordings.columns import ColumnView, FileColumns
from quatviz.recordings.file_times import read_times
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_format import TextFormat
from quatviz.recordings.text_table import parse_columns

_TOPIC = "recordings#files"
_QUATERNION, _SCALAR_FIRST = ("q1", "q2", "q3", "q4"), ("q4", "q1", "q2", "q3")
_RATES = ("omega_x", "omega_y", "omega_z")
_MATRIX = tuple(f"m{i}{j}" for i in "123" for j in "123")
_ANGLES = ("angle_1", "angle_2", "angle_3")


class _Form(NamedTuple):
    """A data form of STK: the names of the columns after the time, and the options that describe their meaning."""

    columns: tuple[str, ...]
    declared: dict[str, Any]


_OF_QUATERNION = {
    "attitude": "quaternion",
    "attitude_columns": _QUATERNION,
    "order": "scalar_last",
    "product": "hamilton",
}
_OF_RATES = {"rate_columns": _RATES, "rate_axes": "body", "rate_unit": "deg/s"}
_YAW_PITCH_ROLL = {"3": "yaw", "2": "pitch", "1": "roll"}
"""Names of yaw, pitch and roll in the order of the columns, by the axis about which they rotate."""
_OF_ANGLES = {"attitude": "angles", "signs": "+++", "angle_unit": "deg"}
_FORMS = {
    "AttitudeTimeQuaternions": _Form(_QUATERNION, _OF_QUATERNION),
    "AttitudeTimeQuatScalarFirst": _Form(_SCALAR_FIRST, _OF_QUATERNION),
    "AttitudeTimeQuatAngVels": _Form((*_QUATERNION, *_RATES), {**_OF_QUATERNION, **_OF_RATES}),
    "AttitudeTimeAngVels": _Form(_RATES, {**_OF_RATES, "attitude": "none"}),
    "AttitudeTimeDCM": _Form(_MATRIX, {"attitude": "matrix", "attitude_columns": _MATRIX}),
    "AttitudeTimeDCMAngVels": _Form((*_MATRIX, *_RATES), {"attitude": "matrix", "attitude_columns": _MATRIX, **_OF_RATES}),
    "AttitudeTimeEulerAngles": _Form(_ANGLES, {**_OF_ANGLES, "attitude_columns": _ANGLES, "axes": "intrinsic"}),
    "AttitudeTimeYPRAngles": _Form(tuple(_YAW_PITCH_ROLL.values()), {**_OF_ANGLES, "axes": "extrinsic"}),
}  # fmt: skip
"""Supported data forms by keyword. All attitudes are transformations from the reference axes to the body axes;
rates are in deg/s in body axes."""


class STK(Reader):
    """Reader of attitude files of STK with quaternions (scalar last or first), direction cosine matrices, Euler angles
    or yaw, pitch and roll in any sequence. Quaternions and matrices may be accompanied by the angular
    velocity. Times are seconds since the epoch, or UTC dates."""

    name = "stk"
    title = "an attitude file of STK"
    suffixes = (".a",)
    magic = b"stk.v."

    def read(self, path: Path, part: str | None) -> FileColumns:
        data = re.sub(rb"\r\n?", b"\n", path.read_bytes())
        match = re.search(rb"(?m)^[ \t]*(AttitudeTime\w+)[ \t]*\n", data)
        category = match[1].decode("ascii", "replace") if match is not None else ""
        if match is None or category not in _FORMS:
            raise _refusal(
                str(path),
                phrase("one of the attitude formats {names}", names=", ".join(_FORMS)),
                category or phrase("no attitude format"),
            )
        head, body = data[: match.start()].decode("utf-8", "replace"), data[match.end() :]
        body = re.split(rb"(?m)^[ \t]*END Attitude", body)[0]
        keywords = dict(re.findall(r"(?m)^\s*(\w+)[ \t]+(\S.*?)\s*$", head))
        form = _FORMS[category]
        is_date = keywords.get("TimeFormat", "EpSec") != "EpSec"
        time_names = ("day", "month", "year", "clock") if is_date else ("time [s]",)
        columns = self._columns(body, (*time_names, *form.columns), str(path))
        if is_date:
            if keywords["TimeFormat"] not in ("UTCG", "TAIG", "TDTG", "TDBG"):
                raise _refusal(str(path), "TimeFormat EpSec or UTCG", repr(keywords["TimeFormat"]))
            columns = _with_dates(columns, form.columns, keywords["TimeFormat"] == "UTCG")
        declared: dict[str, Any] = {
            "time": "time [s]",
            "time_unit": "s",
            "direction": "space_to_body",
            **form.declared,
        }
        if "Angles" in category:
            # The angles rotate the reference axes into the body axes.
            declared |= {"direction": "body_to_space", "sequence": _sequence(keywords, str(path))}
        if category == "AttitudeTimeYPRAngles":
            # Yaw, pitch and roll rotate about the axes of the reference, in the order of the sequence.
            declared["attitude_columns"] = tuple(
                _YAW_PITCH_ROLL[axis] for axis in _yaw_pitch_roll(declared, str(path))
            )
        remarks = (_axes_remark(keywords),) if "CoordinateAxes" in keywords else ()
        return FileColumns(columns, declared, title=self.title, remarks=remarks)

    def _columns(self, body: bytes, names: tuple[str, ...], source: str) -> ColumnView:
        lines = [line for line in body.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
        if not lines:
            raise _refusal(source, "lines of a time and numbers", "none")
        parsed = parse_columns(b"\n".join(lines) + b"\n", TextFormat("utf-8", " ", 0, names), source)
        if parsed.remarks:
            raise _refusal(
                source, phrase("{count} numbers in each line", count=len(names)), join_phrases(parsed.remarks)
            )
        return ColumnView(parsed.columns)


def _with_dates(columns: ColumnView, names: tuple[str, ...], is_utc: bool) -> ColumnView:
    """Return the columns with times [s] instead of day, month, year and clock."""
    day, year = ([f"{int(number)}" for number in np.nan_to_num(columns[name])] for name in ("day", "year"))
    parts = [day, columns.cells("month") or [], year, columns.cells("clock") or []]
    texts = [" ".join(pieces) + (" UTC" if is_utc else "") for pieces in zip(*parts, strict=True)]
    times = read_times(_TextOfDates(texts), "date")
    return ColumnView({"time [s]": times.seconds, **{name: columns[name] for name in names}})


class _TextOfDates(ColumnView):
    """Columns of a file whose only column "date" contains texts."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__({"date": np.full(len(texts), np.nan)})
        self._dates = texts

    def cells(self, name: str, count: int | None = None) -> list[str]:
        return self._dates[:count]


def _sequence(keywords: dict[str, str], source: str) -> str:
    sequence = keywords.get("Sequence", "")
    if sequence not in SEQUENCES:
        raise _refusal(
            source,
            phrase("the keyword Sequence with one of {names}", names=", ".join(SEQUENCES)),
            repr(sequence),
        )
    return sequence


def _yaw_pitch_roll(declared: dict[str, Any], source: str) -> str:
    """Return the sequence of yaw, pitch and roll. Raise an `InputError` if it does not contain each axis once."""
    sequence = str(declared["sequence"])
    if sorted(sequence) != ["1", "2", "3"]:
        raise _refusal(source, phrase("a sequence of three different axes"), repr(sequence))
    return sequence


def _axes_remark(keywords: dict[str, str]) -> Phrase:
    return phrase("the space frame is {axes}, as stated in the file", axes=keywords["CoordinateAxes"])


def _refusal(source: str, expected: str, actual: str) -> InputError:
    return InputError(
        source,
        expected=expected,
        found=actual,
        remedy="export one of these forms, or a CCSDS message",
        topic=_TOPIC,
    )
