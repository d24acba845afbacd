"""Long work over places 0 to `count`, cut into chunks that are sized by what they cost."""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from types import TracebackType
from typing import Any, NamedTuple

from quatviz.base.errors import phrase
from quatviz.executing.parcel import Parcel, work_on
from quatviz.executing.workers import Lost, Workers

SECONDS = 0.5
"""Of computing that a chunk is to take: progress, cancel and a map that fills in wait for one."""
_FIRST, _LARGEST = 16, 65_536
"""Places in the first chunk, whose cost is not known, and in the largest."""
_GROWTH = 8
"""Times as large as the one before a chunk may be: the first ones compile."""
_AHEAD = 2
"""Chunks that are handed out for each worker, so that none waits for the next."""
Range = tuple[int, int]


class Chunk(NamedTuple):
    """What has come of the places from `start` to `stop`: what the work gave, or why it gave nothing, in a sentence."""

    start: int
    stop: int
    found: Any
    lack: str


class Chunks:
    """Calls `work(content of the parcel, start, stop)` for all places, or those in `ranges`, in their order. `poll` brings what is
    done; nothing happens between polls but with the workers, which are closed at the end. Use it in a `with` statement."""

    def __init__(
        self,
        workers: Workers,
        work: Callable[[Any, int, int], Any],
        parcel: Parcel[Any],
        ranges: Sequence[Range],
        *,
        seconds: float = SECONDS,
    ) -> None:
        self._workers, self._work, self._parcel, self._seconds = workers, work, parcel, seconds
        self._ranges = deque((start, stop) for start, stop in ranges if start < stop)
        self._pending: dict[Future[Any], Range] = {}
        self._size = _FIRST
        self._cost = math.inf
        """Of one place [s], of one worker."""
        self.left = sum(stop - start for start, stop in self._ranges)
        """Places that are not done."""
        self.fault = ""
        """Why it ended before its end, in a sentence."""
        self.cancelled = False
        self._closed = False

    @property
    def done(self) -> bool:
        """Whether no more will come."""
        return self._closed

    @property
    def lack(self) -> str:
        """What the workers wait for, in a few words."""
        return self._workers.lack

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first chunk."""
        return self.left * self._cost / max(self._workers.jobs, 1) if self.left else 0.0

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """The chunks that are new; waits up to `timeout` [s] for the first. What the work raises is raised, and ends it."""
        if self._closed:
            return []
        try:
            self._hand_out()
            finished, _ = wait(self._pending, timeout, FIRST_COMPLETED)
            found = [self._take(future) for future in finished]
            self._hand_out()
        except BrokenExecutor as broken:
            self.fault = phrase("the executor that was given computes no more: {broken}", broken=broken)
            self.close()
            return []
        except BaseException:
            self.close()
            raise
        if not self._pending:
            self.close()
        return found

    def cancel(self) -> None:
        """End it with what there is."""
        if not self._closed:
            self.cancelled = True
            self.close()

    def close(self) -> None:
        """Let go of what is left to do. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pending.clear()
            self._workers.close()

    def __enter__(self) -> "Chunks":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    def _hand_out(self) -> None:
        jobs = max(self._workers.jobs, 1)
        # One worker compiles, and keeps it for the others: together they would each do it.
        most = _AHEAD * jobs if math.isfinite(self._cost) else 1
        while self._ranges and len(self._pending) < most:
            # The last ones are smaller, so that all workers have something to do to the end.
            waiting = sum(stop - start for start, stop in self._ranges)
            size = min(self._size, max(waiting // (_AHEAD * jobs), 1))
            start, stop = self._ranges.popleft()
            if stop - start > size:
                self._ranges.appendleft((start + size, stop))
                stop = start + size
            future = self._workers.submit(work_on, self._parcel, _timed, self._work, start, stop)
            self._pending[future] = start, stop

    def _take(self, future: Future[Any]) -> Chunk:
        start, stop = self._pending.pop(future)
        try:
            found, seconds = future.result()
        except Lost as lost:
            self.left -= stop - start
            self._cost = min(self._cost, self._seconds)
            return Chunk(start, stop, None, lost.sentence)
        self.left -= stop - start
        cost = max(seconds, 1e-6) / (stop - start)
        # The first ones compile: what costs much less than they did is what the next will cost.
        self._cost = cost if 2 * cost < self._cost else (cost + self._cost) / 2
        most = max(self._size, _GROWTH * (stop - start))
        self._size = max(1, min(int(self._seconds / self._cost), most, _LARGEST))
        return Chunk(start, stop, found, "")


def _timed(content: Any, work: Callable[..., Any], start: int, stop: int) -> tuple[Any, float]:
    """A chunk, and how long it took [s]."""
    began = time.monotonic()
    return work(content, start, stop), time.monotonic() - began
