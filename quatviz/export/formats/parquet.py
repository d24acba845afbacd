"""Parquet: columns for pandas, Polars, DuckDB, Spark and MATLAB."""

from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import TIME_NOTES, Table


class Parquet(TableFormat):
    """One float64 column per component; the settings are metadata of the schema, unit, frame and title of its fields."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet",)

    def write(self, table: Table, path: Path) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        fields = [pa.field("t", pa.float64(), metadata=TIME_NOTES)]
        arrays = [pa.array(table.t)]
        for number, column in enumerate(table.columns):
            table.progress(number / len(table.columns))
            for name, values in column.scalars:
                fields.append(pa.field(name, pa.float64(), metadata={**column.notes, "lane": column.lane}))
                arrays.append(pa.array(np.ascontiguousarray(values)))
        schema = pa.schema(fields, metadata=table.settings)
        parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), path)

    def read(self, path: Path) -> Table:
        from pyarrow import parquet

        found = parquet.read_table(path)
        settings = {name.decode(): value.decode() for name, value in found.schema.metadata.items()}
        arrays = {name: found.column(name).to_numpy() for name in found.column_names}
        return Table.read(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        from pyarrow import parquet

        return parquet.read_schema(path).metadata[b"preset"].decode("utf-8")
