"""What a file holds before anybody says what it means: columns of numbers by name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import MAX_MAGNITUDE as LARGEST_NUMBER

MAX_FILE_BYTES = 1_000_000_000
"""Bytes of a file that is read."""
MAX_NUMBERS = 100_000_000
"""In all columns together: ten million rows of ten."""


class Columns(Mapping[str, np.ndarray]):
    """Columns of a file by name, as floats, or as integers where a float cannot hold them."""

    def cells(self, name: str, count: int | None = None) -> list[str] | None:
        """Return the first `count` cells of a column as they stand in a text; None for a file that is no text."""
        return None


@dataclass(frozen=True)
class FileColumns:
    """A part of a file: its columns (n,), each computed when it is asked for, and what its format says of them.

    `declared` are fields of `physics.observables.read_options.ReadOptions`; `parts` the names of all that the file holds, where
    those are several; `part` the one that this is; `title` what kind of file it is; `remarks` what was left out; `preamble` the
    lines before the columns of a text; `name` the name of the file, which may tell the quantity; `writer` the program that wrote
    the file, where it is recognized."""

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
    """Of the columns of a run's table, `lane:quantity`, those of one lane, the first where none is named, with those that are of
    none; that lane, and all lanes. Others stay as they are."""
    lanes = tuple(dict.fromkeys(name.rpartition(":")[0] for name in columns if ":" in name))
    if part is not None and part not in lanes:
        raise InputError(
            source, expected=phrase("one of the lanes {names}", names=", ".join(lanes[:20])), found=repr(part),
            remedy="name one of these", key="part", topic="recordings#tables-of-runs",
        )  # fmt: skip
    if not lanes:
        return columns, "", ()
    lane = lanes[0] if part is None else part
    names = [name for name in columns if ":" not in name or name.rpartition(":")[0] == lane]
    return ColumnView(columns, names), lane, lanes


class ColumnView(Columns):
    """Some of the columns of a file, or all; NaN where a number is beyond what anybody measures. `is_reversed` if the last row of
    the file comes first."""

    def __init__(
        self,
        columns: Mapping[str, np.ndarray],
        names: Iterable[str] | None = None,
        is_reversed: bool = False,
        texts: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._columns, self._is_reversed = columns, is_reversed
        self._texts = columns if texts is None else texts
        """Where the cells are looked for as texts."""
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
    """Return the first cells of a column as texts; None where there are numbers alone."""
    return columns.cells(name, count) if isinstance(columns, Columns) else None
