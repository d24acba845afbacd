"""Onboard logs of ArduPilot, binary (.bin) or as text (.log): messages of several types, each with its own columns."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.recordings.columns import MAX_NUMBERS, FileColumns
from quatviz.recordings.readers.base import Reader

_TOPIC = "recordings#files"
_MARK = b"\xa3\x95"
"""First two bytes of each binary message. The third byte is the number of its type."""
_FORMAT_TYPE, _FORMAT_LENGTH = 128, 89
"""Type and length [bytes] of the messages FMT, which describe the other messages."""
_DTYPES = {
    "b": "i1", "B": "u1", "h": "<i2", "H": "<u2", "i": "<i4", "I": "<u4", "f": "<f4", "d": "<f8", "g": "<f2", "q": "<i8",
    "Q": "<u8", "M": "u1", "L": "<i4", "c": "<i2", "C": "<u2", "e": "<i4", "E": "<u4", "n": "S4", "N": "S16", "Z": "S64",
    "a": "V64",
}  # fmt: skip
"""NumPy types of binary values, by their letter in the format of a message."""
_FACTORS = {"c": 0.01, "C": 0.01, "e": 0.01, "E": 0.01, "L": 1e-7}
"""Factors for binary values that are scaled integers, by their letter in the format of a message. Values in text logs are
already scaled."""
_MESSAGES = ("IMU", "IMU2", "IMU3", "GYR", "ATT", "AHR2", "RATE", "XKQ", "NKQ", "XKQ1", "NKQ1", "NKQ2")
"""Names of the messages that contain an attitude or an angular velocity."""
_INSTANCES = ("I", "C")
"""Names of the columns with the number of the sensor or estimator to which a message belongs."""


class _Format(NamedTuple):
    name: str
    letters: str
    columns: tuple[str, ...]
    length: int


class ArduPilot(Reader):
    """Reader of one type of message of one sensor. The parts are named by message and sensor, such as "IMU[0]" and "ATT"."""

    name = "ardupilot"
    title = "an onboard log of ArduPilot"
    suffixes = (".bin",)
    magic = (_MARK, b"FMT, 128, ")

    def read(self, path: Path, part: str | None) -> FileColumns:
        data = path.read_bytes()
        tables = _binary_tables(data) if data.startswith(_MARK) else _text_tables(data.decode("latin-1"))
        parts = dict(sorted(_by_sensor(tables), key=lambda item: _MESSAGES.index(item[0].partition("[")[0])))
        if not parts:
            raise InputError(
                str(path), expected=phrase("messages {names}", names=", ".join(_MESSAGES)), found="none of them",
                remedy="choose an onboard log of ArduPilot with attitudes or angular velocities", topic=_TOPIC,
            )  # fmt: skip
        chosen = next(iter(parts)) if part is None else part
        if chosen not in parts:
            raise InputError(
                str(path), expected=phrase("one of the messages {names}", names=", ".join(parts)), found=repr(part),
                remedy="choose one of these", key="part", topic=_TOPIC,
            )  # fmt: skip
        return FileColumns(parts[chosen], {}, chosen, tuple(parts) if len(parts) > 1 else (), self.title)


def _by_sensor(
    tables: Mapping[str, Mapping[str, np.ndarray]],
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Yield name and columns of the messages of each sensor."""
    for name, columns in tables.items():
        key = next((key for key in _INSTANCES if key in columns), None)
        if key is None:
            yield name, dict(columns)
            continue
        for number in np.unique(columns[key]).tolist():
            mask = columns[key] == number
            yield f"{name}[{number:g}]", {column: values[mask] for column, values in columns.items()}


def _binary_tables(data: bytes) -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of each message in a binary log that contains an attitude or rates."""
    formats = {_FORMAT_TYPE: _Format("FMT", "BBnNZ", (), _FORMAT_LENGTH)}
    starts: dict[int, list[int]] = {}
    position = data.find(_MARK)
    while 0 <= position < len(data) - 2:
        message_type = data[position + 2]
        known = formats.get(message_type)
        end = position + (known.length if known is not None else 1)
        if known is None or end > len(data) or (end < len(data) and not data.startswith(_MARK, end)):
            position = data.find(_MARK, position + 1)  # a damaged message, or bytes that are not a message
            continue
        if message_type == _FORMAT_TYPE:
            defined, length = data[position + 3], data[position + 4]
            name, letters, columns = (
                data[position + first : position + last].split(b"\0")[0].decode("latin-1")
                for first, last in ((5, 9), (9, 25), (25, 89))
            )
            if length > 2 and defined != _FORMAT_TYPE:
                formats[defined] = _Format(name, letters, tuple(columns.split(",")), length)
        elif known.name in _MESSAGES:
            starts.setdefault(message_type, []).append(position)
        position = end
    return {
        formats[message_type].name: _binary_columns(data, formats[message_type], rows)
        for message_type, rows in starts.items()
    }


def _binary_columns(data: bytes, form: _Format, starts: Sequence[int]) -> dict[str, np.ndarray]:
    _check_size(len(starts) * len(form.columns))
    dtype = np.dtype([(str(number), _DTYPES[code]) for number, code in enumerate(form.letters)])
    if dtype.itemsize != form.length - 3 or len(form.columns) != len(form.letters):
        raise ValueError(f"the format of the message {form.name} contradicts its length")
    rows = np.frombuffer(b"".join(data[start + 3 : start + form.length] for start in starts), dtype)
    columns: dict[str, np.ndarray] = {}
    for number, (column, code) in enumerate(zip(form.columns, form.letters, strict=True)):
        if code not in "nNZa":
            values = rows[str(number)]
            columns[column] = (
                values.astype(np.int64)
                if column == "TimeUS"
                else values.astype(np.float64) * _FACTORS.get(code, 1.0)
            )
    return columns


def _text_tables(text: str) -> dict[str, dict[str, np.ndarray]]:
    """Return the columns of each message in a text log that contains an attitude or rates."""
    formats: dict[str, list[str]] = {}
    rows: dict[str, list[list[str]]] = {}
    _check_size(text.count(","))
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if cells[0] == "FMT" and len(cells) > 5:
            formats[cells[3]] = cells[5:]
        elif cells[0] in _MESSAGES and len(cells) == len(formats.get(cells[0], ())) + 1:
            rows.setdefault(cells[0], []).append(cells[1:])
    return {name: _text_columns(formats[name], rows[name]) for name in rows}


def _text_columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, np.ndarray]:
    return {
        name: np.array([int(cell) if name == "TimeUS" else _number(cell) for cell in cells])
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return np.nan


def _check_size(count: int) -> None:
    if count > MAX_NUMBERS:
        raise ValueError(f"{count:.3g} numbers, where at most {MAX_NUMBERS:g} can be read")
