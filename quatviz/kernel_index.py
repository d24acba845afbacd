"""numba's index of the kernels in a cache folder, kept whole when several processes fill the folder at once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from numba.core import caching

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


class KernelIndex(caching.IndexDataCacheFile):
    """An index that one process at a time adds to.

    numba's own reads the index, picks the next free file name, and writes index and kernel, with nothing to
    keep out a second process that does the same: one of two kernels is lost from the index, or both take one
    file name, and then a kernel is served in place of another.
    """

    def save(self, key: Any, data: Any) -> None:
        with _alone(self._index_path + ".lock"):
            super().save(key, data)


def install() -> None:
    """Let numba use this index for each function that is decorated from now on."""
    caching.IndexDataCacheFile = KernelIndex  # type: ignore[misc]


@contextlib.contextmanager
def _alone(path: str) -> Iterator[None]:
    """Hold the lock file `path`; closing it, or the end of the process, lets go."""
    with open(path, "ab") as file:
        with contextlib.suppress(OSError):  # a file system without locks: no worse than numba's own
            _lock(file)
        yield
