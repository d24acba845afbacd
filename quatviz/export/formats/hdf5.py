"""HDF5: arrays with attributes, for MATLAB, Julia, C and large runs."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import TIME_NOTES, Table

_PATIENCE = 30.0
"""Seconds after which a child that reads is ended; it needs half a second."""


class HDF5(TableFormat):
    """A dataset `t` (n,) and one (n, k) for each `lane:quantity`, with attributes title, unit and frame; the settings are
    attributes of the file. A slash in a lane's name makes a group, as everywhere in HDF5."""

    name = "hdf5"
    title = "HDF5"
    suffixes = (".h5", ".hdf5")

    def write(self, table: Table, path: Path) -> None:
        import h5py

        # The file format of HDF5 1.8 is the first that holds attributes beyond 64 kB.
        with h5py.File(path, "w", libver=("v108", "latest")) as file:
            file.attrs.update(table.settings)
            file.create_dataset("t", data=table.t).attrs.update(TIME_NOTES)
            for number, column in enumerate(table.columns):
                table.progress(number / len(table.columns))
                stored = file.create_dataset(
                    column.name, data=column.values, compression="gzip", shuffle=True
                )
                stored.attrs.update({**column.notes, "lane": column.lane})

    def read(self, path: Path) -> Table:
        import h5py

        self.read_preset_text(path)  # by a child, which a damaged file may keep
        arrays: dict[str, np.ndarray] = {}
        with h5py.File(path) as file:
            settings = {name: str(file.attrs[name]) for name in ("preset", "versions", "lanes", "part")}
            file.visititems(
                lambda name, item: arrays.update({name: item[:]} if hasattr(item, "shape") else {})
            )
        return Table.read(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        words = [sys.executable, "-m", "quatviz.export._hdf5_preset", str(path)]
        done = subprocess.run(words, capture_output=True, timeout=_PATIENCE, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
        return done.stdout.decode("utf-8")
