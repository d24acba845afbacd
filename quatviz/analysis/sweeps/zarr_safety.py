"""Safety checks of a Zarr folder before it is read, because codecs named in its metadata may run code, and a pipe
would block.

Only what `quatviz sweep` writes is accepted: version 2 of the format, numbers and fixed-length texts, no
filters, and a compressor that runs no code. Before version 0.16.6, `numcodecs` unpickled the content of arrays
with the filter `pickle`.
"""

import json
import math
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quatviz.files.limits import free_memory, read_limited

_SAFE_COMPRESSORS = (None, "blosc", "zstd")
"""Names of compressors that are safe because their output is bytes and their input states the length of the
output."""
_SAFE_DTYPE = re.compile(r"[<>|][biufUS](\d{1,6})")
"""Element types of fixed length: no objects, no structures."""
_UNICODE_BYTES = 4
"""Number of bytes per character of type `U`."""
_MAX_METADATA_BYTES = 10_000_000
"""Largest size [bytes] of metadata that is read. A preset and its warnings have a few thousand bytes."""
_ARRAY_FILE, _ATTRIBUTES_FILE, _NEWER_FORMAT_FILE = ".zarray", ".zattrs", "zarr.json"


def read_zarr_attributes(folder: Path) -> dict[str, Any]:
    """Return the attributes of the data set in a folder without opening any array."""
    return dict(json.loads(read_limited(folder / _ATTRIBUTES_FILE, _MAX_METADATA_BYTES)))


def refuse_unsafe_zarr(folder: Path) -> None:
    """Refuse a folder that contains anything that a sweep does not write.

    Parameters
    ----------
    folder
        Folder of the data set.

    Raises
    ------
    ValueError
        If an entry is neither a file nor a folder, the format is newer, an array has filters or an unknown compressor
        or element type, or the arrays claim more memory than is available.
    """
    if not folder.is_dir():
        raise ValueError("no folder")
    remaining = free_memory() // 2
    for path in _files_below(folder):
        if path.name == _NEWER_FORMAT_FILE:
            raise ValueError(f"{path.name}, of a version of Zarr that quatviz does not write")
        if path.name == _ARRAY_FILE:
            remaining -= _array_bytes(json.loads(read_limited(path, _MAX_METADATA_BYTES)), path.parent.name)
            if remaining < 0:
                raise ValueError(
                    f"{path.parent.name} claims more values than fit into the memory of this machine"
                )


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        for name in folders:
            if (Path(parent) / name).is_symlink():
                raise ValueError(f"{name}, a link to another folder")
        for name in files:
            path = Path(parent) / name
            if not stat.S_ISREG(path.lstat().st_mode):
                raise ValueError(f"{name}, which is neither a file nor a folder")
            yield path


def _array_bytes(metadata: Any, name: str) -> int:
    """Return the size [bytes] of an array and its chunks according to its metadata. Raise a ValueError if the array
    must not be read."""
    if not isinstance(metadata, dict):
        raise ValueError(f"{name} without a description")
    compressor = metadata.get("compressor")
    codec = compressor.get("id") if isinstance(compressor, dict) else compressor
    if codec not in _SAFE_COMPRESSORS or metadata.get("filters"):
        raise ValueError(f"{name} with codecs that quatviz does not write")
    dtype = metadata.get("dtype")
    match = _SAFE_DTYPE.fullmatch(dtype) if isinstance(dtype, str) else None
    if match is None:
        raise ValueError(f"{name} with elements that are neither numbers nor texts")
    element_bytes = int(match[1]) * (_UNICODE_BYTES if "U" in match[0] else 1)
    lengths: list[Any] = [metadata.get("shape"), metadata.get("chunks")]
    if not all(
        isinstance(shape, list) and all(type(length) is int and length >= 0 for length in shape)
        for shape in lengths
    ):
        raise ValueError(f"{name} without a shape")
    return element_bytes * sum(math.prod(shape) for shape in lengths)
