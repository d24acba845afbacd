"""A table in HDF5, read by a process of its own: the library hangs on many a damaged file, deaf to all, and dies of some.

It is given a path, how many bytes of arrays are read at most, none for the settings alone, and the names of the settings. It writes
these as a line of JSON, then each array as doubles, behind a line of JSON with its name and shape.
"""

import json
import sys
from collections.abc import Sequence

import h5py
import numpy as np

from quatviz.text.limits import refuse_claim


def _tell(path: str, most: int, names: Sequence[str]) -> None:
    out = sys.stdout.buffer
    with h5py.File(path, "r") as file:
        out.write(json.dumps({name: str(file.attrs[name]) for name in names}).encode() + b"\n")
        arrays: list[h5py.Dataset] = []
        if most:
            file.visititems(lambda _, item: arrays.append(item) if isinstance(item, h5py.Dataset) else None)
        for array in arrays:
            most = refuse_claim(array.name, array.shape, most)
            if array.dtype.kind not in "iuf" or array.is_virtual or array.external:
                raise ValueError(f"{array.name} holds no numbers of its own")
            out.write(json.dumps([array.name[1:], array.shape]).encode() + b"\n")
            out.write(np.ascontiguousarray(array[()], "<f8").tobytes())


if __name__ == "__main__":
    _tell(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
