"""Table format HDF5: arrays with attributes, for MATLAB, Julia, C and large runs."""

from pathlib import Path

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import SETTINGS_KEYS, TIME_ATTRIBUTES, Table
from quatviz.recordings.arrays import read_attribute, read_hdf5


class HDF5(TableFormat):
    """HDF5 file with a data set `t` (n,), and a data set (n, k) for each `lane:quantity`, with the attributes title, unit and
    frame.

    The settings are attributes of the file. A slash in the name of a lane creates a group, as usual in HDF5.
    """

    name = "hdf5"
    title = "HDF5"
    suffixes = (".h5", ".hdf5")

    def write(self, table: Table, path: Path) -> None:
        import h5py

        # HDF5 1.8 is the first version of the format with attributes beyond 64 kB.
        with h5py.File(path, "w", libver=("v108", "latest")) as file:
            file.attrs.update(table.settings)
            file.create_dataset("t", data=table.t).attrs.update(TIME_ATTRIBUTES)
            for number, column in enumerate(table.columns):
                table.progress(number / len(table.columns))
                stored = file.create_dataset(
                    column.name, data=column.values, compression="gzip", shuffle=True
                )
                stored.attrs.update({**column.attributes, "lane": column.lane})

    def read(self, path: Path) -> Table:
        content = read_hdf5(path, SETTINGS_KEYS)
        return Table.from_arrays(content.arrays, content.attributes)

    def read_preset_text(self, path: Path) -> str:
        return read_attribute(path, "preset")
