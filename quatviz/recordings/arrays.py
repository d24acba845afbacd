"""Reading of named arrays from HDF5 and NPZ files. The sizes stated in a file are checked before memory is
allocated.

HDF5 files are read by a child process because the library hangs or crashes on many damaged files. This module is
also the program of the child process. Its arguments are the path, the largest number of bytes of arrays (0 to read
attributes only), and the names of attributes. It writes the attributes as a line of JSON. Then follow, for each
array, a line of JSON with its name, shape and unit, and its values as float64.
"""

import io
import json
import math
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.base.child_processes import module_command
from quatviz.files.limits import max_array_bytes, reserve_array_bytes

UNLIMITED = 2**62
"""Value of `max_bytes` that means no limit [bytes]."""
BASE_TIMEOUT = 30.0
"""Time limit [s] for reading an empty file in the child process, which is killed at the limit. The limit increases with
the file size. Reading normally takes half a second."""
_CPU_SECONDS = 3.0
"""Limit of the processor time [s] for reading an empty file in the child process. The limit increases with the file
size.

The process ends itself at the limit if the operating system supports this. Reading normally needs half a second of
processor time, also on a busy machine.
"""
_MIN_BYTES_PER_SECOND = 2e6
"""Lowest expected reading speed [bytes/s]. Both time limits increase with the file size divided by this speed."""


class HDF5Content(NamedTuple):
    """Content of an HDF5 file: attributes of the file, numeric arrays by name, and the units of the arrays by name."""

    attributes: dict[str, str]
    arrays: dict[str, np.ndarray]
    units: dict[str, str]


def read_hdf5(path: Path, names: Sequence[str] = (), max_bytes: int = UNLIMITED) -> HDF5Content:
    """Return the attributes `names` and all numeric arrays of an HDF5 file.

    Raises
    ------
    ValueError
        If the file cannot be read or its arrays exceed `max_bytes`.
    """
    stream = io.BytesIO(_read_in_child(path, min(max_bytes, max_array_bytes(path)), names))
    content = HDF5Content(json.loads(stream.readline()), {}, {})
    while line := stream.readline():
        name, shape, unit = json.loads(line)
        content.arrays[name] = np.frombuffer(stream.read(8 * math.prod(shape)), "<f8").reshape(shape)
        if unit:
            content.units[name] = unit
    return content


def read_attribute(path: Path, name: str) -> str:
    """Return one attribute of an HDF5 file without reading its arrays."""
    return str(json.loads(_read_in_child(path, 0, [name]))[name])


def read_npz(
    path: Path,
    exclude: Sequence[str] = (),
    lenient: bool = False,
    refuse: Callable[[int], None] = lambda count: None,
) -> dict[str, np.ndarray]:
    """Return the numeric arrays of an NPZ file by name. Nothing is unpickled.

    Parameters
    ----------
    path
        Path of the file.
    exclude
        Names of arrays to skip.
    lenient
        True to skip entries that are not numeric arrays.
    refuse
        Function that is called with the number of values stated in the file, before any value is read. It may raise
        an exception to refuse the file.

    Raises
    ------
    ValueError
        If the file cannot be read, states sizes that are too large, or contains other entries and `lenient` is
        False.
    """
    remaining = max_bytes = max_array_bytes(path)
    excluded = {f"{name}.npy" for name in exclude}
    chosen = []
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.filename in excluded or (lenient and not entry.filename.endswith(".npy")):
                continue
            shape, dtype_kind = _header(archive, entry)
            if dtype_kind in "iuf":
                remaining = reserve_array_bytes(entry.filename, shape, remaining)
                chosen.append(entry)
            elif not lenient:
                raise ValueError(f"{entry.filename} is not an array of numbers")
        refuse((max_bytes - remaining) // 8)
        return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in chosen}


def _header(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[tuple[int, ...], str]:
    """Return the shape and the kind of dtype ("f", "i", ...) of an array in an NPZ file, as its header states them."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # Other methods expand a few bytes to gigabytes at once.
        raise ValueError(f"{entry.filename} has an unsupported compression")
    with archive.open(entry) as member:
        version = np.lib.format.read_magic(member)
        read_header = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = read_header(member)
    return shape, dtype.kind


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(entry) as member:
        return np.asarray(np.lib.format.read_array(member, allow_pickle=False), dtype=float)


def _read_in_child(path: Path, max_bytes: int, names: Sequence[str]) -> bytes:
    """Return the output of a child process that reads a file. On a damaged file, the child may hang, crash or run
    out of memory."""
    timeout = BASE_TIMEOUT + path.stat().st_size / _MIN_BYTES_PER_SECOND
    command = module_command("quatviz.recordings.arrays", str(path), str(max_bytes), *names)
    try:
        completed = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"reading did not finish within {timeout:.0f} s") from None
    if completed.returncode == -getattr(signal, "SIGXCPU", 0):
        raise ValueError("reading does not come to an end")
    if completed.returncode != 0:
        error_text = completed.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(
            error_text.removeprefix("ValueError: ") or f"its reader ended by signal {-completed.returncode}"
        )
    return completed.stdout


def _limit_processor_time(path: str) -> None:
    """Limit the processor time of this process, so that it ends even if reading a damaged file never ends."""
    with suppress(ImportError):  # Windows has no such limit: only the time-out ends the process there
        import resource

        seconds = math.ceil(_CPU_SECONDS + Path(path).stat().st_size / _MIN_BYTES_PER_SECOND)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _write_arrays(path: str, max_bytes: int, names: Sequence[str]) -> None:
    import h5py

    out = sys.stdout.buffer
    with h5py.File(path, "r") as file:
        out.write(json.dumps({name: str(file.attrs[name]) for name in names}).encode() + b"\n")
        arrays: list[h5py.Dataset] = []
        if max_bytes:
            file.visititems(lambda _, item: arrays.append(item) if isinstance(item, h5py.Dataset) else None)
        for array in arrays:
            max_bytes = reserve_array_bytes(array.name, array.shape, max_bytes)
            if array.dtype.kind not in "iuf" or array.is_virtual or array.external:
                raise ValueError(f"{array.name} does not contain numbers in this file")
            unit = array.attrs.get("units", array.attrs.get("unit", ""))
            unit = unit.decode("utf-8", "replace") if isinstance(unit, bytes) else unit
            entry = [array.name[1:], array.shape, unit if isinstance(unit, str) else ""]
            out.write(json.dumps(entry).encode() + b"\n")
            out.write(np.ascontiguousarray(array[()], "<f8").tobytes())


if __name__ == "__main__":
    _limit_processor_time(sys.argv[1])
    _write_arrays(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
