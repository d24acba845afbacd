"""Long work over places 0 to `count`, cut into chunks that are sized by what they cost."""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from quatviz.analysis.executors.payload import Parcel
from quatviz.analysis.executors.polled_task import Work
from quatviz.analysis.executors.workers import Workers

SECONDS = 0.5
"""Of computing that a chunk is to take: progress, cancel and a map that fills in wait for one."""
_FIRST, _LARGEST = 16, 65_536
"""Places in the first chunk, whose cost is not known, and in the largest."""
_GROWTH = 8
"""Times as large as the one before a chunk may be: the first ones compile."""
_LEAST = 0.01
"""Seconds of computing that a chunk is to take at least: handing one out and taking it costs one or two thousandths."""
_AHEAD = 2
"""Chunks that are handed out for each worker, so that none waits for the next."""
Range = tuple[int, int]


class Chunk(NamedTuple):
    """What has come of the places from `start` to `stop`: what the work gave, or why it gave nothing, in a sentence."""

    start: int
    stop: int
    found: Any
    lack: str


class Chunks(Work):
    """Calls `work(content of the parcel, start, stop)` for all places, or those in `ranges`, in their order."""

    def __init__(
        self,
        workers: Workers,
        work: Callable[[Any, int, int], Any],
        parcel: Parcel[Any],
        ranges: Sequence[Range],
        *,
        seconds: float = SECONDS,
    ) -> None:
        super().__init__(workers)
        self._work, self._parcel, self._seconds = work, parcel, seconds
        self._ranges = deque((start, stop) for start, stop in ranges if start < stop)
        self._found: list[Chunk] = []
        """What the poll that goes on has brought."""
        self._size = _FIRST
        self._cost = math.inf
        """Of one place [s], of one worker."""
        self.left = sum(stop - start for start, stop in self._ranges)
        """Places that are not done."""

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first chunk."""
        return self.left * self._cost / max(self._workers.jobs, 1) if self.left else 0.0

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """The chunks that are new; waits up to `timeout` [s] for the first."""
        self._found = []
        self._advance(timeout)
        return self._found

    def _hand_out(self) -> None:
        jobs = max(self._workers.jobs, 1)
        # One worker compiles, and keeps it for the others: together they would each do it.
        most = _AHEAD * jobs if math.isfinite(self._cost) else 1
        while self._ranges and len(self._pending) < most:
            # The last ones are smaller, so that all workers have something to do to the end.
            waiting = sum(stop - start for start, stop in self._ranges)
            least = max(int(_LEAST / self._cost), 1)
            size = min(self._size, max(waiting // (_AHEAD * jobs), least))
            start, stop = self._ranges.popleft()
            if stop - start > size:
                self._ranges.appendleft((start + size, stop))
                stop = start + size
            takes = partial(self._take_found, start, stop), partial(self._take_lost, start, stop)
            self._submit(*takes, self._parcel, _timed, self._work, start, stop)

    def _take_lost(self, start: int, stop: int, sentence: str) -> None:
        self.left -= stop - start
        self._cost = min(self._cost, self._seconds)
        self._found.append(Chunk(start, stop, None, sentence))

    def _take_found(self, start: int, stop: int, given: tuple[Any, float]) -> None:
        found, seconds = given
        self.left -= stop - start
        cost = max(seconds, 1e-6) / (stop - start)
        # The first ones compile: what costs much less than they did is what the next will cost.
        self._cost = cost if 2 * cost < self._cost else (cost + self._cost) / 2
        most = max(self._size, _GROWTH * (stop - start))
        self._size = max(1, min(int(self._seconds / self._cost), most, _LARGEST))
        self._found.append(Chunk(start, stop, found, ""))


def _timed(content: Any, work: Callable[..., Any], start: int, stop: int) -> tuple[Any, float]:
    """A chunk, and how long it took [s]."""
    began = time.monotonic()
    return work(content, start, stop), time.monotonic() - began
