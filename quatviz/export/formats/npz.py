"""NPZ: NumPy's own arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import TIME_NOTES, Table


class NPZ(TableFormat):
    """`t` (n,) and an array (n, k) for each `lane:quantity`; `settings` is a JSON text (a unicode array, never a pickle)
    with preset, versions and lanes, and title, unit and frame of each array under `columns`."""

    name = "npz"
    title = "NPZ"
    suffixes = (".npz",)

    def write(self, table: Table, path: Path) -> None:
        notes = {"t": TIME_NOTES, **{column.name: column.notes for column in table.columns}}
        settings = json.dumps({**table.settings, "columns": notes})
        arrays: dict[str, Any] = {column.name: column.values for column in table.columns}
        with path.open("wb") as file:  # given a name, NumPy may add an ending to it
            np.savez_compressed(file, t=table.t, settings=np.array(settings), **arrays)

    def read_preset_text(self, path: Path) -> str:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return str(json.loads(str(arrays["settings"]))["preset"])
