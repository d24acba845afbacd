"""Blocks of computed rows: the window reads what lies about the cursor and in sight again and again."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from quatviz.core.observables import Motion
from quatviz.simulation.lane import LaneRun
from quatviz.ui.lazy import Of, large_numbers

FEW, SIGHT = 128, 2048
"""Rows per block: of what is read about the cursor, and of what is in sight."""

BYTES = 64 * 2**20
"""What all blocks of a run may take."""

MANY = 32
"""Stretches of more blocks than this are computed for once, and not kept."""


class Recent:
    """A `lazy.Reader` that keeps what was read last: a leap of the cursor needs few rows, a zoomed view many."""

    def __init__(self, limit: int = BYTES) -> None:
        self._few, self._sight = Blocks(FEW, limit // 8), Blocks(SIGHT, limit - limit // 8)

    @property
    def nbytes(self) -> int:
        """What it keeps."""
        return self._few.nbytes + self._sight.nbytes

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        blocks = self._few if stop - start <= FEW else self._sight
        return blocks.rows(lane, name, of, start, stop)


class Blocks:
    """A `lazy.Reader` that keeps the blocks of `size` rows that were read last, and forgets others beyond `limit` bytes."""

    def __init__(self, size: int, limit: int) -> None:
        self.nbytes = 0
        self._size, self._limit = size, limit
        self._kept: OrderedDict[tuple[str, int], _Block] = OrderedDict()

    def rows(self, lane: LaneRun, name: str, of: Of, start: int, stop: int) -> np.ndarray:
        size = self._size
        first, last = start // size, max(stop - 1, start) // size
        if first == last:
            return self._block(lane, name, of, first, stop - first * size)[start - first * size :]
        if last - first >= MANY:
            return self._passing(lane, of, start, stop)
        pieces = [
            self._block(lane, name, of, number, min(stop - number * size, size))
            for number in range(first, last + 1)
        ]
        pieces[0] = pieces[0][start - first * size :]
        return np.concatenate(pieces)

    @large_numbers
    def _passing(self, lane: LaneRun, of: Of, start: int, stop: int) -> np.ndarray:
        size = self._size
        return np.concatenate([of(lane.motion(at, min(at + size, stop))) for at in range(start, stop, size)])

    def _block(self, lane: LaneRun, name: str, of: Of, number: int, stop: int) -> np.ndarray:
        key = (lane.name, number)
        block = self._kept.get(key)
        if block is None:
            block = self._kept[key] = _Block(lane, number * self._size, self._size)
        else:
            self._kept.move_to_end(key)
        before = block.nbytes
        rows = block.rows(name, of, stop)
        if block.nbytes != before:
            self.nbytes += block.nbytes - before
            while self.nbytes > self._limit and len(self._kept) > 1:
                self.nbytes -= self._kept.popitem(last=False)[1].nbytes
        return rows


class _Block:
    """`size` rows of one lane from `first` on: every quantity is computed once, and more as the lane grows."""

    def __init__(self, lane: LaneRun, first: int, size: int) -> None:
        self.nbytes = 0
        self._lane, self._first, self._size = lane, first, size
        self._values: dict[str, tuple[np.ndarray, int]] = {}
        self._motion: tuple[int, int, Motion] | None = None
        self._of_motion = 0
        """Bytes of it among `nbytes`; what it is asked for it keeps."""

    def rows(self, name: str, of: Of, stop: int) -> np.ndarray:
        """The first `stop` rows (stop, k) of a quantity."""
        values, filled = self._values.get(name, (None, 0))
        if values is None or filled < stop:
            values = self._fill(name, of, values, filled, stop)
        return values[:stop]

    @large_numbers
    def _fill(self, name: str, of: Of, values: np.ndarray | None, filled: int, stop: int) -> np.ndarray:
        # All that the lane has of it: a cursor reads the next two rows in the next frame.
        until = max(stop, min(self._size, self._lane.samples - self._first))
        new = of(self._stretch(filled, until))
        if values is None:
            values = np.empty((self._size, new.shape[1]))
            self.nbytes += values.nbytes
        values[filled:until] = new
        self._values[name] = values, until
        of_motion = self._bytes_of_motion()
        self.nbytes += of_motion - self._of_motion
        self._of_motion = of_motion
        return values

    def _stretch(self, start: int, stop: int) -> Motion:
        """What quantities have in common is found once for all that need the same rows."""
        if self._motion is None or self._motion[:2] != (start, stop):
            motion = self._lane.motion(self._first + start, self._first + stop, copy=True)
            self._motion = start, stop, motion
        return self._motion[2]

    def _bytes_of_motion(self) -> int:
        return 0 if self._motion is None else sum(map(_bytes, vars(self._motion[2]).values()))


def _bytes(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    return value.nbytes if isinstance(value, np.ndarray) else 0
