"""Columns of numbers in a file, before their meaning is known."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import MAX_MAGNITUDE as LARGEST_NUMBER

MAX_FILE_BYTES = 1_000_000_000
"""Largest size of a file [bytes]."""
MAX_NUMBERS = 100_000_000
"""Largest number of values in all columns together, for example ten million rows of ten columns."""


class Columns(Mapping[str, np.ndarray]):
    """Columns of a file by name. They are float64, or integers if float64 cannot represent their values exactly."""

    def cells(self, name: str, count: int | None = None) -> list[str] | None:
        """Return the texts of the first `count` cells of a column, or None for a file that is not text."""
        return None


@dataclass(frozen=True)
class FileColumns:
    """Columns of one part of a file, and what the file format states about them.

    `columns` has arrays (n,) by name, each computed on access. `declared` contains the fields of
    `physics.observables.read_options.ReadOptions` that the format defines. `part` is the name of this part, and `parts` are
    the names of all parts if there are several. `title` names the file format, and `remarks` list ignored data. `preamble`
    contains the lines of a text file before the columns. `name` is the file name, which may indicate the quantity. `writer`
    is the program that wrote the file, if recognized.
    """

    columns: Mapping[str, np.ndarray]
    declared: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    parts: tuple[str, ...] = ()
    title: str = ""
    remarks: tuple[str, ...] = ()
    preamble: tuple[str, ...] = ()
    name: str = ""
    writer: str = ""


def select_lane(
    columns: Mapping[str, np.ndarray], part: str | None, source: str
) -> tuple[Mapping[str, np.ndarray], str, tuple[str, ...]]:
    """Return the columns of one lane in a table written from a run, the name of this lane, and the names of all
    lanes.

    `part` is the name of the lane, or None for the first lane. Columns `lane:quantity` of other lanes are removed. If
    no column has the name of a lane, the file is not a table of a run, and all columns are returned.

    Raises
    ------
    InputError
        If there is no lane called `part`.
    """
    lanes = tuple(dict.fromkeys(name.rpartition(":")[0] for name in columns if ":" in name))
    if part is not None and part not in lanes:
        raise InputError(
            source, expected=phrase("one of the lanes {names}", names=", ".join(lanes[:20])), found=repr(part),
            remedy="choose one of these", key="part", topic="recordings#tables-of-runs",
        )  # fmt: skip
    if not lanes:
        return columns, "", ()
    lane = lanes[0] if part is None else part
    names = [name for name in columns if ":" not in name or name.rpartition(":")[0] == lane]
    return ColumnView(columns, names), lane, lanes


class ColumnView(Columns):
    """Selected columns of a file. Numbers that are implausibly large are replaced by NaN.

    If `is_reversed`, the rows are in reverse order, so that the last row of the file comes first.
    """

    def __init__(
        self,
        columns: Mapping[str, np.ndarray],
        names: Iterable[str] | None = None,
        is_reversed: bool = False,
        texts: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._columns, self._is_reversed = columns, is_reversed
        self._texts = columns if texts is None else texts
        """Columns whose texts `cells` returns."""
        self._names = dict.fromkeys(columns if names is None else names)
        self._cache: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._cache:
            values = self._columns[name]
            if values.dtype.kind == "f":
                with np.errstate(invalid="ignore"):
                    is_out_of_range = np.abs(values) > LARGEST_NUMBER
                values = np.where(is_out_of_range, np.nan, values) if is_out_of_range.any() else values
            self._cache[name] = values[::-1] if self._is_reversed else values
        return self._cache[name]

    def cells(self, name: str, count: int | None = None) -> list[str] | None:
        texts = (
            text_cells(self._texts, name, None if self._is_reversed else count)
            if name in self._texts
            else None
        )
        return texts[::-1][:count] if texts is not None and self._is_reversed else texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def text_cells(columns: Mapping[str, np.ndarray], name: str, count: int | None = None) -> list[str] | None:
    """Return the texts of the first `count` cells of a column, or None if the columns have no text."""
    return columns.cells(name, count) if isinstance(columns, Columns) else None
