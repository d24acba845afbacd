"""Table format NetCDF: a labeled data set for xarray, MATLAB, Julia and Panoply."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import COMPONENT_SUFFIX, SETTINGS_KEYS, Table
from quatviz.files.limits import max_array_bytes, reserve_array_bytes

if TYPE_CHECKING:
    import xarray


class NetCDF(TableFormat):
    """NetCDF file with the data set of `Run.to_xarray`, in the classic format with 64-bit offsets, which every reader supports.

    There is a variable for each quantity, with the dimensions `lane`, `t` and components, and the attributes units
    and long_name. The settings are attributes of the file.
    """

    name = "netcdf"
    title = "NetCDF"
    suffixes = (".nc",)

    def write(self, table: Table, path: Path) -> None:
        table.as_xarray().to_netcdf(path, engine="scipy", format="NETCDF3_64BIT")

    def read(self, path: Path) -> Table:
        with _open(path) as dataset:
            settings = {key: str(dataset.attrs[key]) for key in SETTINGS_KEYS}
            remaining = max_array_bytes(path)
            for name, variable in dataset.variables.items():
                remaining = reserve_array_bytes(str(name), variable.shape, remaining)
            arrays = {"t": np.asarray(dataset["t"].values, dtype=np.float64)}
            for number, lane in enumerate(map(str, dataset["lane"].values)):
                for name, quantity in dataset.data_vars.items():
                    if not str(name).endswith(COMPONENT_SUFFIX):
                        values = np.asarray(quantity[number].values, dtype=np.float64)
                        arrays[f"{lane}:{name}"] = values.reshape(len(arrays["t"]), -1)
        return Table.from_arrays(arrays, settings)

    def read_preset_text(self, path: Path) -> str:
        with _open(path) as dataset:
            return str(dataset.attrs["preset"])


@contextmanager
def _open(path: Path) -> "Iterator[xarray.Dataset]":
    """Provide the data set in a file. Its arrays are read when they are first accessed."""
    import xarray

    with xarray.open_dataset(path, engine="scipy", decode_times=False) as dataset:
        yield dataset
