"""Arrays by name in HDF5 and NPZ files: what they claim to hold is added up before memory is taken for it.

HDF5 is read by a process of its own: the library hangs on many a damaged file, deaf to all, and dies of some.
The process is given a path, how many bytes of arrays are read at most, none for the attributes alone, and the names of attributes
of the file. It writes these as a line of JSON, then each array as doubles, behind a line of JSON with its name and shape.
"""

import io
import json
import math
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from quatviz.files.limits import most_numbers, refuse_claim

NO_END = 2**62
_PATIENCE = 30.0
"""Seconds after which a child that reads is ended; it needs half a second."""
_SLOWEST = 2e6
"""Bytes of a file that it reads in a second at least."""


def read_hdf5(
    path: Path, names: Sequence[str] = (), most: int = NO_END
) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """The attributes of these names and all arrays of numbers, by name, `most` bytes of them. ValueError for what cannot be
    read."""
    size = path.stat().st_size
    told = io.BytesIO(_told(path, min(most, most_numbers(path)), names, _PATIENCE + size / _SLOWEST))
    attributes = json.loads(told.readline())
    arrays: dict[str, np.ndarray] = {}
    while line := told.readline():
        name, shape = json.loads(line)
        arrays[name] = np.frombuffer(told.read(8 * math.prod(shape)), "<f8").reshape(shape)
    return attributes, arrays


def read_attribute(path: Path, name: str) -> str:
    """One attribute of the file, without its arrays."""
    return str(json.loads(_told(path, 0, [name], _PATIENCE))[name])


def read_npz(
    path: Path,
    without: Sequence[str] = (),
    lenient: bool = False,
    refuse: Callable[[int], None] = lambda count: None,
) -> dict[str, np.ndarray]:
    """The arrays of numbers by name, but for some; `refuse` hears how many numbers they claim before any is read. ValueError
    for what cannot be read, and for arrays of other things, unless it is `lenient`; nothing is unpickled."""
    left = most = most_numbers(path)
    left_out = {f"{name}.npy" for name in without}
    chosen = []
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.filename in left_out or (lenient and not entry.filename.endswith(".npy")):
                continue
            shape, kind = _header(archive, entry)
            if kind in "iuf":
                left = refuse_claim(entry.filename, shape, left)
                chosen.append(entry)
            elif not lenient:
                raise ValueError(f"{entry.filename} holds no numbers")
        refuse((most - left) // 8)
        return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in chosen}


def _header(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[tuple[int, ...], str]:
    """Shape and kind of an array, by its first bytes."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # Of which a few bytes are unpacked to gigabytes at once.
        raise ValueError(f"{entry.filename} is packed in another way")
    with archive.open(entry) as member:
        version = np.lib.format.read_magic(member)
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = read(member)
    return shape, dtype.kind


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(entry) as member:
        return np.asarray(np.lib.format.read_array(member, allow_pickle=False), dtype=float)


def _told(path: Path, most: int, names: Sequence[str], patience: float) -> bytes:
    """What a child reads of a file, which may be damaged: the child may hang, die, or run out of memory."""
    words = [sys.executable, "-m", "quatviz.recordings.arrays", str(path), str(most), *names]
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


def _tell(path: str, most: int, names: Sequence[str]) -> None:
    import h5py

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
