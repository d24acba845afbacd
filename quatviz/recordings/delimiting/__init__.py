"""Columns of a text whose separator, decimal mark and header nobody has said."""

from collections.abc import Iterator, Mapping
from typing import IO

import numpy as np

from quatviz.base.errors import InputError, counted, phrase
from quatviz.files.limits import free_memory
from quatviz.recordings.columns import MOST_NUMBERS, Found
from quatviz.recordings.delimiting.number_parsing import BLANK, HARD, read_dates, read_rows
from quatviz.recordings.delimiting.text_format import HEAD, TOPIC, Shape, plain, shape_of, start_of

DAY = 86_400 * 10**9
"""[ns]"""
_ROOM = 16
"""Bytes of memory that are free, for each number that is read."""


class TextColumns(Mapping[str, np.ndarray]):
    """The numbers of a text by column, NaN where a cell is none. Of a column without any, dates with times of day are seconds."""

    def __init__(
        self,
        names: tuple[str, ...],
        numbers: np.ndarray,
        data: np.ndarray,
        starts: np.ndarray,
        separator: int,
    ) -> None:
        self._numbers = dict(zip(names, numbers, strict=True))
        self._text = data, starts, separator
        self._names = names
        self._known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._known:
            numbers = self._numbers[name]
            self._known[name] = self._seconds(name) if np.isnan(numbers).all() else numbers
        return self._known[name]

    def _seconds(self, name: str) -> np.ndarray:
        """Seconds (n,) since midnight of the first day; NaN where a cell is no date. Seconds since 1970 would have more digits than
        a float."""
        moments, dated = self.nanoseconds(name)
        first = int(moments[dated][0]) if dated.any() else 0
        return np.where(dated, (moments - (first - first % DAY)) * 1e-9, np.nan)

    def nanoseconds(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Nanoseconds (n,) since 1970 of a column of dates with times of day, and which rows (n,) hold one."""
        data, starts, separator = self._text
        moments, dated = np.empty(len(starts), dtype=np.int64), np.empty(len(starts), dtype=bool)
        read_dates(data, starts, self._names.index(name), separator, moments, dated)
        return moments, dated

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def text_columns(file: IO[bytes], place: str) -> Found:
    """The columns of a text, all of which is read: whoever opens it has seen to its size."""
    data = file.read()
    return columns_of(data, shape_of(data[:HEAD], place), place)


def columns_of(data: bytes, shape: Shape, place: str) -> Found:
    """The columns of a text that is written so."""
    data = plain(data, shape.coding, shape.lines)
    lines = data.count(b"\n") + 1
    if b"\r" in data:
        lines += data.count(b"\r") - data.count(b"\r\n")
    most = min(MOST_NUMBERS, free_memory() // _ROOM)
    if lines * len(shape.names) > most:
        raise InputError(
            place, expected=phrase("at most {most:g} numbers", most=most),
            found=phrase("{rows} lines of {columns}", rows=lines, columns=len(shape.names)),
            remedy="cut out the stretch that counts", topic=TOPIC,
        )  # fmt: skip
    separator = BLANK if shape.separator == " " else ord(shape.separator)
    text = np.frombuffer(data, dtype=np.uint8)
    numbers, starts = np.empty((len(shape.names), lines)), np.empty(lines, dtype=np.int64)
    hard = np.empty((HARD + len(shape.names), 4), dtype=np.int64)
    at, row, torn = start_of(data, shape.lines), 0, 0
    while at < len(data) and row < lines:
        at, row, more, found = read_rows(text, at, separator, numbers, starts, row, hard)
        torn += more
        for column, place_of, begin, end in hard[:found].tolist():
            numbers[column, place_of] = _told(data[begin:end])
    said = counted(
        torn,
        "{count} line with another number of cells was left out",
        "{count} lines with another number of cells were left out",
    )
    columns = TextColumns(shape.names, numbers[:, :row], text, starts[:row], separator)
    return Found(columns, remarks=(said,) if torn else (), title="table of text")


def _told(cell: bytes) -> float:
    """The double nearest to a number, as Python has it."""
    return float(cell.lower().replace(b",", b".").replace(b"d", b"e"))
