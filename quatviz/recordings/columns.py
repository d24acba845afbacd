"""What a file holds before anybody says what it means: columns of numbers by name."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import MAX_MAGNITUDE as LARGEST_NUMBER

MAX_FILE_BYTES = 1_000_000_000
"""Bytes of a file that is read."""
MAX_NUMBERS = 100_000_000
"""In all columns together: ten million rows of ten."""

_UNIT = re.compile(r"\s*[\[({<]\s*([^\[\](){}<>]*?)\s*[\])}>]\s*$|\s*/\s*(s|ms|us|ns|deg|rad)\s*$")


@dataclass(frozen=True)
class FileColumns:
    """A part of a file: its columns (n,), each computed when it is asked for, and what its format says of them.

    `declared` are fields of `physics.observables.read_options.ReadOptions`; `parts` the names of all that the file holds, where
    those are several; `part` the one that this is; `title` what kind of file it is; `remarks` what was left out."""

    columns: Mapping[str, np.ndarray]
    declared: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    parts: tuple[str, ...] = ()
    title: str = ""
    remarks: tuple[str, ...] = ()


def split_unit(name: str) -> tuple[str, str]:
    """The name of a column and the unit behind it, empty where there is none.

    >>> split_unit("Gyroscope x (rad/s)"), split_unit("t[ms]"), split_unit("q_w")
    (('Gyroscope x', 'rad/s'), ('t', 'ms'), ('q_w', ''))
    """
    match = _UNIT.search(name)
    # What is in brackets behind a name may count it, as in q[0].
    unit = "" if match is None else (match[1] or match[2] or "")
    if match is None or not re.search(r"[^\W\d_]|[°µ%]", unit) or re.fullmatch(r"[wxyz]", unit):
        return name.strip(), ""
    return name[: match.start()].strip(), unit


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
    return SelectedColumns(columns, names), lane, lanes


class BoundedColumns(Mapping[str, np.ndarray]):
    """The columns of a file; NaN where a number is beyond what anybody measures, for of its square nothing can be made."""

    def __init__(self, columns: Mapping[str, np.ndarray]) -> None:
        self._columns = columns
        self._cache: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._cache:
            values = self._columns[name]
            with np.errstate(invalid="ignore"):
                is_out_of_range = np.abs(values) > LARGEST_NUMBER
            self._cache[name] = np.where(is_out_of_range, np.nan, values) if is_out_of_range.any() else values
        return self._cache[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class SelectedColumns(Mapping[str, np.ndarray]):
    """Some of the columns of a file, each computed when it is asked for."""

    def __init__(self, columns: Mapping[str, np.ndarray], names: list[str]) -> None:
        self._columns, self._names = columns, names

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(name)
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
