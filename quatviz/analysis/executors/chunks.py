"""Long work over the indices 0 to `count` - 1, divided into chunks. The size of a chunk follows from the
measured cost of the previous ones."""

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
"""Target computing time of a chunk [s]. Progress reports, cancellation and the display of a map are delayed
by at most one chunk."""
_FIRST_SIZE, _LARGEST_SIZE = 16, 65_536
"""Number of indices in the first chunk, whose cost is unknown, and in the largest chunk."""
_MAX_SIZE_GROWTH = 8
"""Largest ratio of the sizes of consecutive chunks. The cost of the first chunks includes compilation."""
_MIN_CHUNK_SECONDS = 0.01
"""Smallest computing time of a chunk [s]. Submitting and collecting a chunk costs 1 to 2 ms."""
_CHUNKS_PER_WORKER = 2
"""Number of chunks that are submitted in advance for each worker, so that no worker has to wait for its
next chunk."""
Range = tuple[int, int]


class Chunk(NamedTuple):
    """Outcome of the chunk with the indices `start` to `stop` - 1: a result, or a message that explains why there is
    none."""

    start: int
    stop: int
    result: Any
    error_message: str


class ChunkedTask(PolledTask):
    """Task that divides the given ranges of indices into chunks and calls `work(content, start, stop)` for
    each of them, in order. `content` is the content of the payload."""

    def __init__(
        self,
        workers: Workers,
        work: Callable[[Any, int, int], Any],
        payload: SharedPayload[Any],
        ranges: Sequence[Range],
        *,
        seconds: float = CHUNK_SECONDS,
    ) -> None:
        super().__init__(workers)
        self._work, self._payload, self._seconds = work, payload, seconds
        self._ranges = deque((start, stop) for start, stop in ranges if start < stop)
        self._new_chunks: list[Chunk] = []
        """Chunks whose outcomes arrived during the current poll."""
        self._chunk_size = _FIRST_SIZE
        self._item_cost = math.inf
        """Estimated time that one worker needs for one index [s]."""
        self.remaining = sum(stop - start for start, stop in self._ranges)
        """Number of indices whose results have not arrived yet."""

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time [s]; infinite before the first chunk is complete."""
        return self.remaining * self._item_cost / max(self._workers.jobs, 1) if self.remaining else 0.0

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """Return new chunks, after waiting up to `timeout` [s] for the first."""
        self._new_chunks = []
        self._advance(timeout)
        return self._new_chunks

    def _submit_ready(self) -> None:
        jobs = max(self._workers.jobs, 1)
        # The first chunk runs alone and fills the kernel cache; otherwise every worker would compile.
        max_pending = _CHUNKS_PER_WORKER * jobs if math.isfinite(self._item_cost) else 1
        while self._ranges and len(self._pending) < max_pending:
            # The last chunks are smaller, so that all workers stay busy until the end.
            waiting = sum(stop - start for start, stop in self._ranges)
            min_size = max(int(_MIN_CHUNK_SECONDS / self._item_cost), 1)
            size = min(self._chunk_size, max(waiting // (_CHUNKS_PER_WORKER * jobs), min_size))
            start, stop = self._ranges.popleft()
            if stop - start > size:
                self._ranges.appendleft((start + size, stop))
                stop = start + size
            callbacks = partial(self._add_result, start, stop), partial(self._add_failure, start, stop)
            self._submit(*callbacks, self._payload, _run_timed, self._work, start, stop)

    def _add_failure(self, start: int, stop: int, sentence: str) -> None:
        self.remaining -= stop - start
        self._item_cost = min(self._item_cost, self._seconds)
        self._new_chunks.append(Chunk(start, stop, None, sentence))

    def _add_result(self, start: int, stop: int, timed_result: tuple[Any, float]) -> None:
        result, seconds = timed_result
        self.remaining -= stop - start
        cost = max(seconds, 1e-6) / (stop - start)
        # The first chunks include compilation: a much lower cost is the better estimate.
        self._item_cost = cost if 2 * cost < self._item_cost else (cost + self._item_cost) / 2
        max_size = max(self._chunk_size, _MAX_SIZE_GROWTH * (stop - start))
        self._chunk_size = max(1, min(int(self._seconds / self._item_cost), max_size, _LARGEST_SIZE))
        self._new_chunks.append(Chunk(start, stop, result, ""))


def _run_timed(content: Any, work: Callable[..., Any], start: int, stop: int) -> tuple[Any, float]:
    """Return the result of a chunk, and the time that its computation took [s]."""
    start_time = time.monotonic()
    return work(content, start, stop), time.monotonic() - start_time
