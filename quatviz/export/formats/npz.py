"""Table format NPZ: a ZIP archive of NumPy arrays."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import SETTINGS_KEYS, TIME_ATTRIBUTES, Table
from quatviz.recordings.arrays import read_npz

_LARGEST_SETTINGS = 32_000_000
"""Largest accepted size of the settings [bytes], which take four bytes per character. The size stated in the archive is
not trusted."""


class NPZ(TableFormat):
    """NPZ file with an array `t` (n,) and an array (n, k) for each `lane:quantity`.

    `settings` is a JSON text (a unicode array, never a pickle) with preset, versions, lanes and part, and with title,
    unit and frame of each array under `columns`.
    """

    name = "npz"
    title = "NPZ"
    suffixes = (".npz",)

    def write(self, table: Table, path: Path) -> None:
        notes = {"t": TIME_ATTRIBUTES, **{column.name: column.attributes for column in table.columns}}
        settings = json.dumps({**table.settings, "columns": notes})
        arrays = {"t": table.t, "settings": np.array(settings)}
        arrays.update({column.name: column.values for column in table.columns})
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for number, (name, array) in enumerate(arrays.items()):
                table.progress(number / len(arrays))
                # a fixed date, so that equal runs give identical files
                entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(entry, "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, array, allow_pickle=False)

    def read(self, path: Path) -> Table:
        settings = self._settings(path)
        arrays = read_npz(path, ["settings"])
        return Table.from_arrays(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        return self._settings(path)["preset"]

    def _settings(self, path: Path) -> dict[str, str]:
        with zipfile.ZipFile(path) as archive, archive.open("settings.npy") as member:
            packed = io.BytesIO(member.read(_LARGEST_SETTINGS))
        letters = np.lib.format.read_array(packed, allow_pickle=False)
        # NumPy accepts any four bytes as a character, and Python crashes on invalid ones.
        text = letters.reshape(1).view("<u4").tobytes().decode("utf-32-le")
        settings = json.loads(text.rstrip("\0"))
        return {name: str(settings[name]) for name in SETTINGS_KEYS}
