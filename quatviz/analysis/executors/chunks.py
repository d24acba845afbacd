"""Long work over places 0 to `count`, cut into chunks that are sized by what they cost."""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from quatviz.analysis.executors.payload import SharedPayload
from quatviz.analysis.executors.polled_task import PolledTask
from quatviz.analysis.executors.workers import Workers

CHUNK_SECONDS = 0.5
"""Of computing that a chunk is to take: progress, cancel and a map that fills in wait for one."""
_FIRST_SIZE, _LARGEST_SIZE = 16, 65_536
"""Places in the first chunk, whose cost is not known, and in the largest."""
_MAX_SIZE_GROWTH = 8
"""Times as large as the one before a chunk may be: the first ones compile."""
_MIN_CHUNK_SECONDS = 0.01
"""Seconds of computing that a chunk is to take at least: handing one out and taking it costs one or two thousandths."""
_CHUNKS_PER_WORKER = 2
"""Chunks that are handed out for each worker, so that none waits for the next."""
Range = tuple[int, int]


class Chunk(NamedTuple):
    """What has come of the places from `start` to `stop`: what the work gave, or why it gave nothing, in a sentence."""

    start: int
    stop: int
    result: Any
    error_message: str


class ChunkedTask(PolledTask):
    """Calls `work(content of the parcel, start, stop)` for all places, or those in `ranges`, in their order."""

    def __init__(
        self,
        workers: Workers,
        work: Callable[[Any, int, int], Any],
        parcel: SharedPayload[Any],
        ranges: Sequence[Range],
        *,
        seconds: float = CHUNK_SECONDS,
    ) -> None:
        super().__init__(workers)
        self._work, self._parcel, self._seconds = work, parcel, seconds
        self._ranges = deque((start, stop) for start, stop in ranges if start < stop)
        self._new_chunks: list[Chunk] = []
        """What the poll that goes on has brought."""
        self._chunk_size = _FIRST_SIZE
        self._item_cost = math.inf
        """Of one place [s], of one worker."""
        self.remaining = sum(stop - start for start, stop in self._ranges)
        """Places that are not done."""

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first chunk."""
        return self.remaining * self._item_cost / max(self._workers.jobs, 1) if self.remaining else 0.0

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """The chunks that are new; waits up to `timeout` [s] for the first."""
        self._new_chunks = []
        self._advance(timeout)
        return self._new_chunks

    def _submit_ready(self) -> None:
        jobs = max(self._workers.jobs, 1)
        # One worker compiles, and keeps it for the others: together they would each do it.
        max_pending = _CHUNKS_PER_WORKER * jobs if math.isfinite(self._item_cost) else 1
        while self._ranges and len(self._pending) < max_pending:
            # The last ones are smaller, so that all workers have something to do to the end.
            waiting = sum(stop - start for start, stop in self._ranges)
            min_size = max(int(_MIN_CHUNK_SECONDS / self._item_cost), 1)
            size = min(self._chunk_size, max(waiting // (_CHUNKS_PER_WORKER * jobs), min_size))
            start, stop = self._ranges.popleft()
            if stop - start > size:
                self._ranges.appendleft((start + size, stop))
                stop = start + size
            callbacks = partial(self._add_result, start, stop), partial(self._add_failure, start, stop)
            self._submit(*callbacks, self._parcel, _run_timed, self._work, start, stop)

    def _add_failure(self, start: int, stop: int, sentence: str) -> None:
        self.remaining -= stop - start
        self._item_cost = min(self._item_cost, self._seconds)
        self._new_chunks.append(Chunk(start, stop, None, sentence))

    def _add_result(self, start: int, stop: int, timed_result: tuple[Any, float]) -> None:
        result, seconds = timed_result
        self.remaining -= stop - start
        cost = max(seconds, 1e-6) / (stop - start)
        # The first ones compile: what costs much less than they did is what the next will cost.
        self._item_cost = cost if 2 * cost < self._item_cost else (cost + self._item_cost) / 2
        max_size = max(self._chunk_size, _MAX_SIZE_GROWTH * (stop - start))
        self._chunk_size = max(1, min(int(self._seconds / self._item_cost), max_size, _LARGEST_SIZE))
        self._new_chunks.append(Chunk(start, stop, result, ""))


def _run_timed(content: Any, work: Callable[..., Any], start: int, stop: int) -> tuple[Any, float]:
    """A chunk, and how long it took [s]."""
    start_time = time.monotonic()
    return work(content, start, stop), time.monotonic() - start_time
