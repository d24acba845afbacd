"""The recorded states of one lane: append-only, one writer, any number of readers, no locks."""

import hashlib
from collections.abc import Sequence

import numpy as np


class History:
    """Rows of floats that only ever grow.

    The writer asks for room with `reserve`, fills it, and makes it visible with `publish`. A reader takes `rows`,
    a read-only view of what has been published; it stays valid and unchanged for as long as it is held, because
    what was published is never written again (growing copies it to new memory and leaves the old to its readers).

    A row may be longer than a state: `reserve` gives all of it, `rows` the state, `records` the rest, which may be a
    little longer in rows than the `rows` read before it.
    """

    def __init__(self, width: int, capacity: int = 1024, beside: int = 0) -> None:
        self._data = np.empty((max(capacity, 1), width + beside))
        self._width = width
        self._length = 0
        self._published = _frozen(self._data[:0])

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
    def whole(self) -> np.ndarray:
        """Both side by side, read-only."""
        return self._published

    def take(self, rows: np.ndarray) -> None:
        """Record what another history had (n, width + beside), in the place of what is here."""
        self._data, self._length = rows, 0
        self.publish(len(rows))

    def record_first(self, values: Sequence[float]) -> None:
        """Write what stands beside the first state: known only when kernels are compiled, before anybody reads it."""
        self._data[0, self._width :] = values

    def reserve(self, count: int) -> np.ndarray:
        """Writable room (count, width) behind the last published row."""
        needed = self._length + count
        if needed > len(self._data):
            grown = np.empty((max(needed, 2 * len(self._data)), self._data.shape[1]))
            grown[: self._length] = self._data[: self._length]
            self._data = grown
        return self._data[self._length : needed]

    def publish(self, count: int) -> None:
        """Make the first `count` reserved rows visible."""
        self._length += count
        self._published = _frozen(self._data[: self._length])


def _frozen(view: np.ndarray) -> np.ndarray:
    view.flags.writeable = False
    return view


_AT_ONCE = 2**16
"""Rows that are copied at once."""


class Digest:
    """SHA-256 of a history, which takes in only what was recorded since it was asked last."""

    def __init__(self, form: str, interval: float) -> None:
        self._hashed = hashlib.sha256(f"{form} {interval.hex()} ".encode())
        self._rows = 0

    def of(self, history: History) -> str:
        """The hash in hexadecimal digits: of the form, the sample interval, and the bits of every recorded row."""
        rows, records = history.rows, history.records
        for start in range(self._rows, len(rows), _AT_ONCE):
            stop = min(start + _AT_ONCE, len(rows))
            self._hashed.update(np.hstack([rows[start:stop], records[start:stop]]).astype("<f8").tobytes())
        self._rows = len(rows)
        return self._hashed.hexdigest()
