"""Table format Parquet: columns for pandas, Polars, DuckDB, Spark and MATLAB."""

from pathlib import Path
from typing import Any

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import TIME_ATTRIBUTES, Table
from quatviz.files.files import import_library
from quatviz.files.limits import max_array_bytes, reserve_array_bytes

_ROWS_AT_ONCE = 2**16
"""Number of rows in a row group. A row group is in memory while it is written."""


class Parquet(TableFormat):
    """Parquet file with one float64 column for each component. Settings are metadata of the schema; unit, frame and title are
    metadata of the fields."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet",)

    def write(self, table: Table, path: Path) -> None:
        pa, parquet = _library("pyarrow"), _library("pyarrow.parquet")

        fields = [pa.field("t", pa.float64(), metadata=TIME_ATTRIBUTES)]
        columns = [table.t]
        for column in table.columns:
            notes = {**column.attributes, "lane": column.lane}
            for name, values in column.scalars:
                fields.append(pa.field(name, pa.float64(), metadata=notes))
                columns.append(values)
        schema = pa.schema(fields, metadata=table.settings)
        with parquet.ParquetWriter(path, schema) as file:
            for start in range(0, len(table.t), _ROWS_AT_ONCE):
                table.progress(start / len(table.t))
                group = [
                    np.ascontiguousarray(column_values[start : start + _ROWS_AT_ONCE])
                    for column_values in columns
                ]
                file.write_table(pa.Table.from_arrays([*map(pa.array, group)], schema=schema))

    def read(self, path: Path) -> Table:
        pa, parquet = _library("pyarrow"), _library("pyarrow.parquet")

        remaining = max_array_bytes(path)
        with parquet.ParquetFile(path, memory_map=True) as file:
            schema = file.schema_arrow
            settings = {name.decode(): value.decode() for name, value in (schema.metadata or {}).items()}
            for field in schema:
                if not pa.types.is_float64(field.type):
                    raise ValueError(f"{field.name} holds no numbers")
                remaining = reserve_array_bytes(field.name, (file.metadata.num_rows,), remaining)
            table = file.read()
        arrays = {name: table.column(name).to_numpy() for name in table.column_names}
        return Table.from_arrays(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        return str(_library("pyarrow.parquet").read_schema(path).metadata[b"preset"].decode("utf-8"))


def _library(name: str) -> Any:
    return import_library(name, "export#data-from-the-window")
