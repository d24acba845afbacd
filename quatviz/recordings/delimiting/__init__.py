"""Columns of a text whose separator, decimal mark and header nobody has said."""

from collections.abc import Iterator, Mapping
from typing import IO

import numpy as np

from quatviz.base.errors import InputError, phrase, plural_phrase
from quatviz.files.limits import free_memory
from quatviz.recordings.columns import MAX_NUMBERS, FileColumns
from quatviz.recordings.delimiting.number_parsing import BLANK, MAX_HARD_CELLS, read_dates, read_rows
from quatviz.recordings.delimiting.text_format import (
    HEAD_BYTES,
    TOPIC,
    TextFormat,
    data_start,
    detect_format,
    to_plain_ascii,
)

DAY = 86_400 * 10**9
"""[ns]"""
_BYTES_PER_NUMBER = 16
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
        self._cache: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._cache:
            numbers = self._numbers[name]
            self._cache[name] = self._seconds(name) if np.isnan(numbers).all() else numbers
        return self._cache[name]

    def _seconds(self, name: str) -> np.ndarray:
        """Seconds (n,) since midnight of the first day; NaN where a cell is no date. Seconds since 1970 would have more digits than
        a float."""
        stamps, is_date = self.nanoseconds(name)
        first = int(stamps[is_date][0]) if is_date.any() else 0
        return np.where(is_date, (stamps - (first - first % DAY)) * 1e-9, np.nan)

    def nanoseconds(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Nanoseconds (n,) since 1970 of a column of dates with times of day, and which rows (n,) hold one."""
        data, starts, separator = self._text
        stamps, is_date = np.empty(len(starts), dtype=np.int64), np.empty(len(starts), dtype=bool)
        read_dates(data, starts, self._names.index(name), separator, stamps, is_date)
        return stamps, is_date

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def read_text_columns(file: IO[bytes], source: str) -> FileColumns:
    """The columns of a text, all of which is read: whoever opens it has seen to its size."""
    data = file.read()
    return parse_columns(data, detect_format(data[:HEAD_BYTES], source), source)


def parse_columns(data: bytes, text_format: TextFormat, source: str) -> FileColumns:
    """The columns of a text that is written so."""
    data = to_plain_ascii(data, text_format.coding, text_format.lines)
    lines = data.count(b"\n") + 1
    if b"\r" in data:
        lines += data.count(b"\r") - data.count(b"\r\n")
    max_numbers = min(MAX_NUMBERS, free_memory() // _BYTES_PER_NUMBER)
    if lines * len(text_format.names) > max_numbers:
        raise InputError(
            source, expected=phrase("at most {most:g} numbers", most=max_numbers),
            found=phrase("{rows} lines of {columns}", rows=lines, columns=len(text_format.names)),
            remedy="cut out the stretch that counts", topic=TOPIC,
        )  # fmt: skip
    separator = BLANK if text_format.separator == " " else ord(text_format.separator)
    text = np.frombuffer(data, dtype=np.uint8)
    numbers, starts = np.empty((len(text_format.names), lines)), np.empty(lines, dtype=np.int64)
    hard_cells = np.empty((MAX_HARD_CELLS + len(text_format.names), 4), dtype=np.int64)
    position, row, torn_count = data_start(data, text_format.lines), 0, 0
    while position < len(data) and row < lines:
        position, row, new_torn, hard_count = read_rows(
            text, position, separator, numbers, starts, row, hard_cells
        )
        torn_count += new_torn
        for column, row_of_cell, begin, end in hard_cells[:hard_count].tolist():
            numbers[column, row_of_cell] = _parse_cell(data[begin:end])
    remark = plural_phrase(
        torn_count,
        "{count} line with another number of cells was left out",
        "{count} lines with another number of cells were left out",
    )
    columns = TextColumns(text_format.names, numbers[:, :row], text, starts[:row], separator)
    return FileColumns(columns, remarks=(remark,) if torn_count else (), title="table of text")


def _parse_cell(cell: bytes) -> float:
    """The double nearest to a number, as Python has it."""
    return float(cell.lower().replace(b",", b".").replace(b"d", b"e"))
