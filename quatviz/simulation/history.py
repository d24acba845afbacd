"""Recorded states of a lane: append-only, with one writer and any number of readers, without locks.

Long histories are stored in an unnamed file and not in memory; the operating system loads the pages that are read.
"""

import hashlib
import mmap
import os
import tempfile
import weakref
from collections.abc import Sequence

import numpy as np

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL

DISK_THRESHOLD = 2**24
"""Size of the rows [bytes] above which they are stored on disk. With samples every 0.01 s, a lane reaches this size
after 45 minutes."""
DISK_CHUNK = 2**22
"""Smallest size [bytes] of a region of the file for which disk space is allocated or memory is released."""


class History:
    """Growing array of rows of floats.

    The writer gets space from `reserve`, fills it, and makes it visible with `publish`. A reader gets `rows`, a
    read-only view of the published rows. The view stays valid and unchanged as long as it is referenced: published rows
    are never overwritten, and a growing history copies them to a new buffer.

    Long histories are on disk if there is space, and are read in the same way: see `DiskBuffer`. A row may contain
    records after the state: `reserve` returns complete rows, `rows` the states and `records` the remaining columns.
    `records` may have more rows than a view of `rows` obtained earlier.

    Raises
    ------
    InputError
        If neither disk nor memory has space for `capacity` rows.
    """

    def __init__(self, width: int, capacity: int = 1024, record_width: int = 0) -> None:
        try:
            self._data, self._disk = allocate_rows(max(capacity, 1), width + record_width, 1)
        except MemoryError as error:
            raise _out_of_space_error(capacity, width + record_width) from error
        self._width = width
        self._length = 0
        self._published = _read_only(self._data[:0])

    def __len__(self) -> int:
        return len(self._published)

    @property
    def capacity(self) -> int:
        """Number of rows in the buffer."""
        return len(self._data)

    @property
    def nbytes(self) -> int:
        """Size of the published rows [bytes]."""
        return self._published.nbytes

    @property
    def rows(self) -> np.ndarray:
        """Published states (n, width), read-only. A single attribute is read, so that rows and their number are
        consistent while the history grows."""
        return self._published[:, : self._width]

    @property
    def records(self) -> np.ndarray:
        """Additional values that the integrator records with each published state (n, record_width),
        read-only."""
        return self._published[:, self._width :]

    @property
    def all_columns(self) -> np.ndarray:
        """Published states and the additional values of the integrator in one array (n, width +
        record_width), read-only."""
        return self._published

    def load(self, rows: np.ndarray) -> None:
        """Replace the content by the rows (n, width + record_width) of another history."""
        self._data, self._disk, self._length = rows, None, 0
        self.publish(len(rows))

    def set_first_record(self, values: Sequence[float]) -> None:
        """Set the additional values that the integrator records with the first state.

        These values become known only after the kernels are compiled. Call this before any reader requests
        them.
        """
        self._data[0, self._width :] = values

    def reserve(self, count: int) -> np.ndarray:
        """Return writable space (count, width) after the last published row."""
        needed = self._length + count
        if needed > len(self._data):
            self._move_to(*allocate_rows(max(needed, 2 * len(self._data)), self._data.shape[1], needed))
        if self._disk is not None:
            try:
                self._disk.allocate(needed)
            except OSError:  # the disk is full: continue in memory
                self._move_to(np.empty(self._data.shape), None)
        return self._data[self._length : needed]

    def publish(self, count: int) -> None:
        """Make the first `count` reserved rows visible."""
        self._length += count
        self._published = _read_only(self._data[: self._length])
        if self._disk is not None:
            self._disk.release(self._length)

    def _move_to(self, data: np.ndarray, disk: "DiskBuffer | None") -> None:
        """Copy the published rows to another buffer and continue there."""
        data[: self._length] = self._data[: self._length]
        self._data, self._disk = data, disk


def _out_of_space_error(rows: int, width: int) -> InputError:
    """Return the error for a run that fits neither on the disk nor into memory."""
    return InputError(
        expected=phrase(
            "a run that fits into memory or on the disk of {folder}", folder=resources.cache_folder()
        ),
        found=phrase("{rows:,} samples of a lane, {size:.1f} GB", rows=rows, size=8e-9 * rows * width),
        remedy=phrase(
            "choose a longer {name} or a shorter duration, or free space on that disk",
            name=SAMPLE_INTERVAL,
        ),
        key="run.duration",
        topic="errors#time-steps",
    )


def _read_only(view: np.ndarray) -> np.ndarray:
    view.flags.writeable = False
    return view


_ROWS_PER_UPDATE = 2**16
"""Number of rows that are hashed at once."""


class HistoryHash:
    """SHA-256 of a history. Each call only adds the rows recorded since the previous one."""

    def __init__(self, form: str, interval: float) -> None:
        self._hash = hashlib.sha256(f"{form} {interval.hex()} ".encode())
        self._hashed_rows = 0

    def hexdigest(self, history: History) -> str:
        """Return the hash of formulation, sample interval and all recorded rows, in hexadecimal digits."""
        rows, records = history.rows, history.records
        for start in range(self._hashed_rows, len(rows), _ROWS_PER_UPDATE):
            stop = min(start + _ROWS_PER_UPDATE, len(rows))
            self._hash.update(np.hstack([rows[start:stop], records[start:stop]]).astype("<f8").tobytes())
        self._hashed_rows = len(rows)
        return self._hash.hexdigest()


class DiskBuffer:
    """Array `data` (rows, width) in an unnamed file in the cache folder.

    The file is removed with the last reference to `data`, or when the process ends.

    Raises
    ------
    OSError
        If the disk has no space.
    """

    def __init__(self, rows: int, width: int) -> None:
        folder = resources.cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._row_bytes = width * np.dtype(float).itemsize
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(rows * self._row_bytes)
            self._pages = mmap.mmap(file.fileno(), rows * self._row_bytes)
            self._handle = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._handle)
        self._allocated_bytes = self._released_bytes = 0
        self.data = np.frombuffer(self._pages).reshape(rows, width)

    def allocate(self, rows: int) -> None:
        """Allocate disk space for the first `rows` rows. Raise OSError if the disk is full, since a later write
        would crash the process."""
        needed = rows * self._row_bytes
        if needed > self._allocated_bytes:
            end = min(max(needed, self._allocated_bytes + DISK_CHUNK), len(self._pages))
            os.posix_fallocate(self._handle, self._allocated_bytes, end - self._allocated_bytes)
            self._allocated_bytes = end

    def release(self, rows: int) -> None:
        """Release the memory of the first `rows` rows, which stay on disk."""
        written_bytes = rows * self._row_bytes
        if written_bytes - self._released_bytes >= DISK_CHUNK:
            self._pages.madvise(mmap.MADV_DONTNEED, 0, written_bytes // mmap.PAGESIZE * mmap.PAGESIZE)
            self._released_bytes = written_bytes

    def release_all(self) -> None:
        """Release the memory of all rows."""
        self._pages.madvise(mmap.MADV_DONTNEED)


def allocate_rows(rows: int, width: int, needed: int) -> tuple[np.ndarray, DiskBuffer | None]:
    """Allocate an array (rows, width). It is on disk if it is large and the disk has space for the first `needed`
    rows, otherwise in memory."""
    if rows * width * np.dtype(float).itemsize >= DISK_THRESHOLD and hasattr(os, "posix_fallocate"):
        try:
            disk = DiskBuffer(rows, width)
            disk.allocate(needed)
        except OSError:
            pass
        else:
            return disk.data, disk
    return np.empty((rows, width)), None
