"""Tables of named arrays in Parquet, HDF5 and NPZ files, written by quatviz or other programs."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.spelled_units import parse_spelled_unit
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.recordings.arrays import read_hdf5, read_npz
from quatviz.recordings.columns import MAX_NUMBERS, FileColumns, select_lane
from quatviz.recordings.headers import parse_header, quantity_of
from quatviz.recordings.readers.base import Reader

_TOPIC = "recordings#tables-of-runs"
_WITH_UNITS = ("time", "rate", "angles", "rotation_vector")
"""Quantities whose columns are ignored if their unit is unknown."""


class TableReader(Reader):
    """Reader of Parquet, HDF5 and NPZ files that contain named arrays. Each component of an array (n, k) is a column. Each lane
    of a run, named before the colon, is a part. Arrays whose length differs from the most frequent length are ignored.
    Nothing is unpickled."""

    name = "table"
    title = "a table of a run, or arrays by name"
    suffixes = (".parquet", ".npz", ".h5", ".hdf5")

    def read(self, path: Path, part: str | None) -> FileColumns:
        suffix = path.suffix.lower()
        units: dict[str, str] = {}
        if suffix == ".parquet":
            arrays, units = _parquet(path)
        elif suffix == ".npz":
            arrays = read_npz(path, lenient=True, refuse=partial(_check_size, path))
        else:
            _, arrays, units = read_hdf5(path, max_bytes=8 * MAX_NUMBERS)
        columns = dict(_array_columns(arrays, units))
        if not columns:
            raise InputError(
                str(path), expected="arrays of numbers, one length", found=", ".join(list(arrays)[:12]) or phrase("none"),
                remedy="check that the file is a table", topic=_TOPIC,
            )  # fmt: skip
        lane_columns, chosen, lanes = select_lane(columns, part, str(path))
        return FileColumns(lane_columns, {}, chosen, lanes if len(lanes) > 1 else (), self.title)


def _array_columns(
    arrays: Mapping[str, np.ndarray], units: Mapping[str, str]
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the values of each column of the arrays (n,) and (n, k), where n is the most frequent length.

    Names contain the units, except in tables of runs, whose values are in SI units.
    """
    numeric = {
        name: values
        for name, values in arrays.items()
        if values.ndim in (1, 2) and values.dtype.kind in "iuf"
    }
    lengths = [len(values) for values in numeric.values()]
    is_run = any(":" in name for name in arrays)
    row_count = len(numeric["t"]) if "t" in numeric else max(lengths, key=lengths.count, default=0)
    for name, values in numeric.items():
        if len(values) != row_count:
            continue
        unit = "" if is_run else _unit_suffix(name, units.get(name, ""))
        if values.ndim == 1:
            yield name + unit, values.astype(np.float64)
            continue
        lane, colon, bare = name.rpartition(":")
        known = QUANTITIES[bare].columns if bare in QUANTITIES else ()
        width = values.shape[1]
        names = (
            known
            if len(known) == width
            else [f"{bare}_{number}" for number in range(width)]
            if width > 1
            else [bare]
        )
        for column_name, column in zip(names, values.T, strict=True):
            yield f"{lane}{colon}{column_name}{unit}", column.astype(np.float64)


def _unit_suffix(name: str, unit: str) -> str:
    """Return a unit in brackets, to be appended to the name of an array. Return "" if the unit does not affect the
    role of the array, or if the name already contains a unit.

    >>> _unit_suffix("time", "milliseconds since 2026-11-25 12:00:00"), _unit_suffix("gyro", "LSB"), _unit_suffix("mass", "kg")
    (' [milliseconds]', ' [LSB]', '')
    """
    text = unit.strip().partition(" since ")[0]
    header = parse_header(name)
    matters = parse_spelled_unit(text) is not None or quantity_of(header.words) in _WITH_UNITS
    return f" [{text}]" if text and matters and not header.unit_text and not set(text) & set("[]") else ""


def _parquet(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return the numeric columns of a file and the units in the metadata of its fields."""
    from pyarrow import parquet
    from pyarrow.types import is_floating, is_integer

    file = parquet.ParquetFile(path)
    _check_size(path, file.metadata.num_rows * file.metadata.num_columns)
    # Columns of texts or lists are skipped without reading them, since a repeated value may stand for a billion rows.
    numeric = [field.name for field in file.schema_arrow if is_floating(field.type) or is_integer(field.type)]
    names = dict.fromkeys(numeric)
    table = file.read(columns=list(names))
    units = {
        field.name: ((field.metadata or {}).get(b"units") or (field.metadata or {}).get(b"unit", b"")).decode(
            "utf-8", "replace"
        )
        for field in file.schema_arrow
    }
    return {name: table.column(name).to_numpy() for name in names}, units


def _check_size(path: Path, count: int) -> None:
    if count > MAX_NUMBERS:
        raise InputError(
            str(path), expected=phrase("at most {most:g} numbers", most=MAX_NUMBERS), found=f"{count:.3g}",
            remedy="write fewer lanes and quantities, or every tenth sample", topic=_TOPIC,
        )  # fmt: skip
