"""Parquet: columns for pandas, Polars, DuckDB, Spark and MATLAB."""

from pathlib import Path
from typing import Any

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import TIME_NOTES, Table
from quatviz.files.files import file_library
from quatviz.files.limits import most_numbers, refuse_claim

_ROWS_AT_ONCE = 2**16
"""Rows of a group, which stands in memory while it is written."""


class Parquet(TableFormat):
    """One float64 column per component; the settings are metadata of the schema, unit, frame and title of its fields."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet",)

    def write(self, table: Table, path: Path) -> None:
        pa, parquet = _library("pyarrow"), _library("pyarrow.parquet")

        fields = [pa.field("t", pa.float64(), metadata=TIME_NOTES)]
        columns = [table.t]
        for column in table.columns:
            notes = {**column.notes, "lane": column.lane}
            for name, values in column.scalars:
                fields.append(pa.field(name, pa.float64(), metadata=notes))
                columns.append(values)
        schema = pa.schema(fields, metadata=table.settings)
        with parquet.ParquetWriter(path, schema) as file:
            for start in range(0, len(table.t), _ROWS_AT_ONCE):
                table.progress(start / len(table.t))
                group = [np.ascontiguousarray(each[start : start + _ROWS_AT_ONCE]) for each in columns]
                file.write_table(pa.Table.from_arrays([*map(pa.array, group)], schema=schema))

    def read(self, path: Path) -> Table:
        pa, parquet = _library("pyarrow"), _library("pyarrow.parquet")

        left = most_numbers(path)
        with parquet.ParquetFile(path, memory_map=True) as file:
            schema = file.schema_arrow
            settings = {name.decode(): value.decode() for name, value in (schema.metadata or {}).items()}
            for field in schema:
                if not pa.types.is_float64(field.type):
                    raise ValueError(f"{field.name} holds no numbers")
                left = refuse_claim(field.name, (file.metadata.num_rows,), left)
            found = file.read()
        arrays = {name: found.column(name).to_numpy() for name in found.column_names}
        return Table.read(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        return str(_library("pyarrow.parquet").read_schema(path).metadata[b"preset"].decode("utf-8"))


def _library(name: str) -> Any:
    return file_library(name, "export#data-from-the-window")
