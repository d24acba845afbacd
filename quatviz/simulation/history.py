"""The recorded states of one lane: append-only, one writer, any number of readers, no locks. Many rows are in a file that has no
name: they need not stay in memory, and the system brings those that are read back in."""

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
"""Bytes of rows from which on they are on disk: three quarters of an hour at 0.01 s have as many in a lane."""
DISK_CHUNK = 2**22
"""Bytes that the disk is asked for, and memory is given back, at once."""


class History:
    """Rows of floats that only ever grow.

    The writer asks for room with `reserve`, fills it, and makes it visible with `publish`. A reader takes `rows`,
    a read-only view of what has been published; it stays valid and unchanged for as long as it is held, because
    what was published is never written again (growing copies it to new room and leaves the old to its readers).

    Those of a long run are on disk, where it has room, and are read like the others: see `DiskBuffer`. `InputError` where
    neither disk nor memory has room for `capacity` rows.

    A row may be longer than a state: `reserve` gives all of it, `rows` the state, `records` the rest, which may be a
    little longer in rows than the `rows` read before it.
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
        """Rows that fit before memory has to grow."""
        return len(self._data)

    @property
    def nbytes(self) -> int:
        """Bytes of what has been published."""
        return self._published.nbytes

    @property
    def rows(self) -> np.ndarray:
        """Published rows (n, width), read-only. One attribute is read: the view and its length cannot disagree."""
        return self._published[:, : self._width]

    @property
    def records(self) -> np.ndarray:
        """What was recorded beside the published states (n, beside), read-only."""
        return self._published[:, self._width :]

    @property
    def all_columns(self) -> np.ndarray:
        """Both side by side, read-only."""
        return self._published

    def load(self, rows: np.ndarray) -> None:
        """Record what another history had (n, width + beside), in the place of what is here."""
        self._data, self._disk, self._length = rows, None, 0
        self.publish(len(rows))

    def set_first_record(self, values: Sequence[float]) -> None:
        """Write what stands beside the first state: known only when kernels are compiled, before anybody reads it."""
        self._data[0, self._width :] = values

    def reserve(self, count: int) -> np.ndarray:
        """Writable room (count, width) behind the last published row."""
        needed = self._length + count
        if needed > len(self._data):
            self._move_to(*allocate_rows(max(needed, 2 * len(self._data)), self._data.shape[1], needed))
        if self._disk is not None:
            try:
                self._disk.allocate(needed)
            except OSError:  # it is full: memory must do
                self._move_to(np.empty(self._data.shape), None)
        return self._data[self._length : needed]

    def publish(self, count: int) -> None:
        """Make the first `count` reserved rows visible."""
        self._length += count
        self._published = _read_only(self._data[: self._length])
        if self._disk is not None:
            self._disk.release(self._length)

    def _move_to(self, data: np.ndarray, disk: "DiskBuffer | None") -> None:
        """Go on in other room, with what is there already."""
        data[: self._length] = self._data[: self._length]
        self._data, self._disk = data, disk


def _out_of_space_error(rows: int, width: int) -> InputError:
    """Of a run that neither disk nor memory has room for."""
    return InputError(
        expected=phrase(
            "a run that fits into memory, or on the disk of {folder}", folder=resources.cache_folder()
        ),
        found=phrase("{rows:,} samples of a lane, {size:.1f} GB", rows=rows, size=8e-9 * rows * width),
        remedy=phrase(
            "record less: a longer {name}, a shorter duration; or free space on that disk",
            name=SAMPLE_INTERVAL,
        ),
        key="run.duration",
        topic="errors#time-steps",
    )


def _read_only(view: np.ndarray) -> np.ndarray:
    view.flags.writeable = False
    return view


_ROWS_PER_UPDATE = 2**16
"""Rows that are copied at once."""


class HistoryHash:
    """SHA-256 of a history, which takes in only what was recorded since it was asked last."""

    def __init__(self, form: str, interval: float) -> None:
        self._hash = hashlib.sha256(f"{form} {interval.hex()} ".encode())
        self._hashed_rows = 0

    def hexdigest(self, history: History) -> str:
        """The hash in hexadecimal digits: of the form, the sample interval, and the bits of every recorded row."""
        rows, records = history.rows, history.records
        for start in range(self._hashed_rows, len(rows), _ROWS_PER_UPDATE):
            stop = min(start + _ROWS_PER_UPDATE, len(rows))
            self._hash.update(np.hstack([rows[start:stop], records[start:stop]]).astype("<f8").tobytes())
        self._hashed_rows = len(rows)
        return self._hash.hexdigest()


class DiskBuffer:
    """`data` (rows, width) in a file beside the compiled kernels; it is gone with the last who holds `data`, however the process
    ends. OSError where there is no place for it."""

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
        """See to it that so many of the first rows can be written; OSError where the disk is full, which would end the process
        later."""
        needed = rows * self._row_bytes
        if needed > self._allocated_bytes:
            end = min(max(needed, self._allocated_bytes + DISK_CHUNK), len(self._pages))
            os.posix_fallocate(self._handle, self._allocated_bytes, end - self._allocated_bytes)
            self._allocated_bytes = end

    def release(self, rows: int) -> None:
        """The first of so many rows need not stay in memory."""
        written_bytes = rows * self._row_bytes
        if written_bytes - self._released_bytes >= DISK_CHUNK:
            self._pages.madvise(mmap.MADV_DONTNEED, 0, written_bytes // mmap.PAGESIZE * mmap.PAGESIZE)
            self._released_bytes = written_bytes

    def release_all(self) -> None:
        """None of it need stay in memory, whatever has been written and read."""
        self._pages.madvise(mmap.MADV_DONTNEED)


def allocate_rows(rows: int, width: int, needed: int) -> tuple[np.ndarray, DiskBuffer | None]:
    """Room for so many rows, of which so many are `needed` at once: on disk if they are many and it has a place for them."""
    if rows * width * np.dtype(float).itemsize >= DISK_THRESHOLD and hasattr(os, "posix_fallocate"):
        try:
            disk = DiskBuffer(rows, width)
            disk.allocate(needed)
        except OSError:
            pass
        else:
            return disk.data, disk
    return np.empty((rows, width)), None
