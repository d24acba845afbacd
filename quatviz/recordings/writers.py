"""Recognition of the program that wrote a recording, from the content of the file. A data file among the assets describes
the columns of each known program."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import Phrase, phrase
from quatviz.base.resources import asset_path
from quatviz.base.spelled_units import parse_spelled_unit
from quatviz.physics.mechanics.rotations import from_matrix
from quatviz.recordings.column_detection import CHECKED_ROWS, ROW_NUMBER, detect_columns, quantity
from quatviz.recordings.columns import ColumnView, FileColumns, text_cells
from quatviz.recordings.headers import ColumnHeader, parse_header

_RATE_IN_PREAMBLE = re.compile(
    r"(?:update|sampl\w*|output|data|frame|capture)[ _]*(?:rate|freq\w*|period)?[^\w\n]{0,4}(\d+(?:\.\d+)?) ?(k?Hz)\b",
    re.IGNORECASE,
)
"""Pattern of a sampling rate with its unit in the lines before the columns."""
_MAX_PREAMBLE = 100_000
"""Largest number of characters before the columns that are searched."""


class Writer(NamedTuple):
    """A program that writes recordings, and the features by which its files are recognized."""

    title: str
    source: str
    """Reference to the document that describes the files of the program."""
    columns: tuple[re.Pattern[str], ...] = ()
    """Patterns of column names. A file was written by the program only if each pattern matches a column."""
    exact: tuple[str, ...] = ()
    """Names of all columns of the program's files, if they are always the same; otherwise ()."""
    preamble: re.Pattern[str] | None = None
    """Pattern that must occur in the lines before the columns, or None."""
    file: re.Pattern[str] | None = None
    """Pattern that must occur in the file name, or None."""
    unit_quaternion: tuple[str, ...] = ()
    """Names of four columns that form a quaternion. The norm must be 1 in each row."""
    readings: tuple[Mapping[str, Any], ...] = ()
    """Sets of options for `ReadOptions`. Each set describes one group of columns, such as the rates.

    Of several sets for the same group, the first one whose columns contain numbers applies.
    """
    remark: str = ""
    frequency: re.Pattern[str] | None = None
    """Pattern that is searched in the lines before the columns. Its first group is the sampling frequency [Hz]."""
    orientation: re.Pattern[str] | None = None
    """Pattern that is searched in the lines before the columns. Its first group has three letters, which state how the
    sensor is mounted in the device.

    Each letter names the sensor axis along one axis of the device. A lower-case letter means the opposite direction.
    """


@cache
def writers() -> tuple[Writer, ...]:
    """Return all known programs, in the order in which a file is compared with them."""
    text = asset_path("recordings/writers.toml").read_text(encoding="utf-8")
    return tuple(_writer(table) for table in tomllib.loads(text)["writer"])


def _writer(table: Mapping[str, Any]) -> Writer:
    def pattern(key: str, flags: int = re.IGNORECASE) -> re.Pattern[str] | None:
        return re.compile(table[key], flags) if key in table else None

    return Writer(
        table["title"], table["source"], tuple(re.compile(text, re.IGNORECASE) for text in table.get("columns", ())),
        tuple(table.get("exact", ())), pattern("preamble", re.IGNORECASE | re.MULTILINE), pattern("file"),
        tuple(table.get("unit_quaternion", ())), tuple(table.get("reading", ())), table.get("remark", ""),
        pattern("frequency", re.MULTILINE), pattern("orientation", re.MULTILINE),
    )  # fmt: skip


def recognize_writer(file_columns: FileColumns) -> FileColumns:
    """Return the columns with the meaning that the program which wrote the file gives them, and the name of the program.

    If the program is not recognized, the columns are returned unchanged.
    """
    preamble = "\n".join(file_columns.preamble)[:_MAX_PREAMBLE]
    for writer in writers():
        if _matches(writer, file_columns, preamble):
            declared, remarks = _declared(writer, file_columns, preamble)
            remarks += [phrase(writer.remark)] if writer.remark else []
            return replace(
                file_columns, writer=writer.title, declared={**declared, **file_columns.declared},
                remarks=(*file_columns.remarks, *remarks),
            )  # fmt: skip
    return file_columns


def _matches(writer: Writer, file_columns: FileColumns, preamble: str) -> bool:
    names = list(file_columns.columns)
    if writer.exact and tuple(names) != writer.exact:
        return False
    if writer.preamble is not None and not writer.preamble.search(preamble):
        return False
    if writer.file is not None and not writer.file.search(file_columns.name):
        return False
    if not all(any(pattern.fullmatch(name) for name in names) for pattern in writer.columns):
        return False
    if not writer.unit_quaternion:
        return True
    rows = np.stack([file_columns.columns[name][:CHECKED_ROWS] for name in writer.unit_quaternion], axis=1)
    return bool(len(rows)) and bool((np.abs(np.linalg.norm(rows, axis=1) - 1.0) < 1e-2).mean() > 0.9)


def _declared(
    writer: Writer, file_columns: FileColumns, preamble: str
) -> tuple[dict[str, Any], list[Phrase]]:
    """Return the options that describe the columns according to the program which wrote them, and remarks."""
    constants = dict(
        re.findall(r"^\W*([A-Za-z_]\w*)\W*[,:=\t]\s*\"?([-+.\dEe]+)\"?\s*$", preamble, re.MULTILINE)
    )
    declared: dict[str, Any] = {}
    remarks: list[Phrase] = []
    for reading in writer.readings:
        result = dict(_resolve(reading, file_columns, constants))
        keys = {key for key in result if key.endswith("columns") or key == "time"}
        if len(result) == len(reading) and not keys & declared.keys():
            declared |= result
        elif missing := [key for key, value in reading.items() if key.endswith("unit") and key not in result]:
            remarks.append(
                phrase(
                    "the file does not state the scale factor of its columns ({names})",
                    names=", ".join(missing),
                )
            )
    letters = writer.orientation.search(preamble) if writer.orientation is not None else None
    if letters is not None and letters[1] != "XYZ":
        turn, remark = _turn_of_sensor(letters[1])
        declared |= turn
        remarks.append(remark)
    return declared, remarks


def _turn_of_sensor(letters: str) -> tuple[dict[str, Any], Phrase]:
    """Return the rotation of a sensor relative to its device as the option "turn_body", and a remark.

    >>> [round(value, 6) for value in _turn_of_sensor("YxZ")[0]["turn_body"]]
    [0.707107, 0.0, 0.0, 0.707107]
    """
    axes = np.zeros((3, 3))
    for row, axis in enumerate(letters):
        axes[row, "XYZ".index(axis.upper())] = 1.0 if axis.isupper() else -1.0
    if not np.linalg.det(axes) > 0.5:
        text = "the orientation {letters} of the sensor is not right-handed, so it is not applied"
        return {}, phrase(text, letters=letters)
    remark = phrase("the orientation {letters} of the sensor in its device was applied", letters=letters)
    return {"turn_body": tuple(from_matrix(axes.T).tolist())}, remark


def _resolve(
    reading: Mapping[str, Any], file_columns: FileColumns, constants: Mapping[str, str]
) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each option in `reading` whose columns and constants exist in the file."""
    for key, value in reading.items():
        if key == "time":
            name = next(iter(_find(value, file_columns)), None)
            if name is not None:
                yield key, name
        elif key.endswith("columns"):
            names = [next(iter(_find(pattern, file_columns)), None) for pattern in value]
            if all(names):
                yield key, tuple(names)
        else:
            needed = re.findall(r"\{(\w+)\}", value)
            if all(name in constants for name in needed):
                yield key, value.format(**constants)


def _find(pattern: str, file_columns: FileColumns) -> list[str]:
    """Return the names of the columns that match `pattern` and contain numbers or times."""
    names = [name for name in file_columns.columns if re.fullmatch(pattern, name, re.IGNORECASE)]
    return [name for name in names if _has_values(file_columns, name)]


def _has_values(file_columns: FileColumns, name: str) -> bool:
    values = file_columns.columns[name][:CHECKED_ROWS]
    return bool(np.isfinite(values).any()) or any(text_cells(file_columns.columns, name, CHECKED_ROWS) or ())


def with_joined_seconds(file_columns: FileColumns) -> FileColumns:
    """Return the columns with one column of nanoseconds in place of separate columns of seconds and nanoseconds, as ROS
    writes them.

    Columns without such a pair are returned unchanged.
    """
    columns = file_columns.columns
    headers = [parse_header(name) for name in columns]
    nanosecond_columns = {
        _stem_of_time(header): header.full for header in headers if header.unit == parse_spelled_unit("ns")
    }
    for header in headers:
        name, other = header.full, nanosecond_columns.get(_stem_of_time(header))
        if header.unit != parse_spelled_unit("s") or other is None or "time" in file_columns.declared:
            continue
        if detect_columns(columns, file_columns.name).options.get("time") not in (None, name, other):
            continue
        seconds, nanoseconds = (columns[column] for column in (name, other))
        if not _are_counts(seconds) or not _are_counts(nanoseconds) or not (nanoseconds < 10**9).all():
            continue
        joined = seconds.astype(np.int64) * 10**9 + nanoseconds.astype(np.int64)
        title = f"{name} + {other}"
        return replace(
            file_columns, columns=ColumnView({**columns, title: joined}, texts=columns),
            declared={"time": title, "time_unit": "ns", **file_columns.declared},
        )  # fmt: skip
    return file_columns


def _stem_of_time(header: ColumnHeader) -> str:
    """Return the name of a time without the words for its unit."""
    words = header.words.split()
    return " ".join(words[:-1] if words and parse_spelled_unit(words[-1]) is not None else words)


def _are_counts(values: np.ndarray) -> bool:
    """Return True for non-negative integers that may be the seconds or nanoseconds of a time."""
    is_finite = bool(len(values)) and bool(np.isfinite(values).all())
    return is_finite and bool(
        (values >= 0).all() and (values == np.floor(values)).all() and (values < 2**33).all()
    )


def with_row_times(file_columns: FileColumns) -> FileColumns:
    """Return the columns with a time column if the file has none.

    A column of row numbers is added. If the file states a sampling rate, the time is the packet counter of the file or,
    without one, the row number, in units of the sampling interval.
    """
    columns = file_columns.columns
    if "time" in file_columns.declared or "time" in detect_columns(columns, file_columns.name).options:
        return file_columns
    counter = _packet_counter(columns)
    rate = _sampling_rate(file_columns)
    row_count = len(columns[next(iter(columns))]) if columns else 0
    numbered = ColumnView({**columns, ROW_NUMBER: np.arange(row_count, dtype=np.float64)}, texts=columns)
    if rate is None:
        return replace(file_columns, columns=numbered)
    name = ROW_NUMBER if counter is None else counter
    interval = f"{1.0 / (float(rate[0]) * (1000.0 if rate[1].lower() == 'khz' else 1.0)):.15g} s"
    remark = phrase(
        "the times are computed from the column {name} and the {rate} {unit} stated in the file",
        name=name,
        rate=rate[0],
        unit=rate[1],
    )
    return replace(
        file_columns, columns=numbered, declared={"time": name, "time_unit": interval, **file_columns.declared},
        remarks=(*file_columns.remarks, remark),
    )  # fmt: skip


def _sampling_rate(file_columns: FileColumns) -> tuple[str, str] | None:
    """Return the sampling rate in the lines before the columns and its unit, or None."""
    preamble = "\n".join(file_columns.preamble)[:_MAX_PREAMBLE]
    if match := _RATE_IN_PREAMBLE.search(preamble):
        return match[1], match[2]
    patterns = [writer.frequency for writer in writers() if writer.title == file_columns.writer]
    matches = [match for pattern in patterns if pattern is not None and (match := pattern.search(preamble))]
    return (matches[0][1], "Hz") if matches else None


def _packet_counter(columns: Mapping[str, np.ndarray]) -> str | None:
    """Return the name of a column that counts packets, including lost packets, or None."""
    names: Sequence[str] = [name for name in columns if quantity(parse_header(name)) == "counter"]
    return next(
        (name for name in names if np.isfinite(columns[name]).all() and len(np.unique(columns[name])) > 1),
        None,
    )
