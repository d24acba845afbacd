"""A table format: tab-separated values below the preset."""

import json
from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import Table

END = "--- values\n"


class Tabs(TableFormat):
    """Text of the preset, a line of settings, a line of names, and values."""

    name = "tabs"
    title = "Tabs"
    suffixes = (".tsv",)

    def write(self, table: Table, path: Path) -> None:
        names = [name for column in table.columns for name, _ in column.scalars]
        values = np.column_stack([table.t, *(column.values for column in table.columns)])
        with path.open("w", encoding="utf-8") as file:
            settings = json.dumps({key: value for key, value in table.settings.items() if key != "preset"})
            file.write(table.settings["preset"] + END + settings + "\n" + "\t".join(["t", *names]) + "\n")
            file.writelines("\t".join(map(repr, row)) + "\n" for row in values.tolist())

    def read(self, path: Path) -> Table:
        preset, _, text = path.read_text("utf-8").partition(END)
        settings, names, *rows = text.splitlines()
        values = np.array([row.split("\t") for row in rows], dtype=float)
        arrays = dict(zip(names.split("\t"), values.T, strict=True))
        return Table.from_arrays(arrays, {"preset": preset, **json.loads(settings)})

    def read_preset_text(self, path: Path) -> str:
        return path.read_text("utf-8").split(END)[0]
