"""HDF5: arrays with attributes, for MATLAB, Julia, C and large runs."""

import io
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import SETTINGS, TIME_NOTES, Table
from quatviz.text.limits import most_numbers

_PATIENCE = 30.0
"""Seconds after which a child that reads is ended; it needs half a second."""
_SLOWEST = 2e6
"""Bytes of a file that it reads in a second at least."""


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
        size = path.stat().st_size
        told = io.BytesIO(_told(path, most_numbers(path), SETTINGS, _PATIENCE + size / _SLOWEST))
        settings = json.loads(told.readline())
        arrays: dict[str, np.ndarray] = {}
        while line := told.readline():
            name, shape = json.loads(line)
            arrays[name] = np.frombuffer(told.read(8 * math.prod(shape)), "<f8").reshape(shape)
        return Table.read(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        return str(json.loads(_told(path, 0, ["preset"], _PATIENCE))["preset"])


def _told(path: Path, most: int, names: Sequence[str], patience: float) -> bytes:
    """What a child reads of a file, which may be damaged: the child may hang, die, or run out of memory."""
    words = [sys.executable, "-m", "quatviz.export._hdf5_reader", str(path), str(most), *names]
    try:
        done = subprocess.run(words, capture_output=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"no end of it within {patience:.0f} s") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(
            said.removeprefix("ValueError: ") or f"its reader ended by signal {-done.returncode}"
        )
    return done.stdout
