"""A sweep in progress: polled by whoever asked for it, computed by an executor in chunks of about a second each."""

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any

import numpy as np

from quatviz.sweeps.chunk import Found, run_chunk
from quatviz.sweeps.plan import SweepPlan

_FIRST, _LARGEST = 16, 65_536
"""Points of the first chunk, whose cost is not known, and of the largest."""
_SECONDS = 0.5
"""Of computing that a chunk is to take: progress, cancel and a map that fills in wait for one."""
_GROWTH = 8
"""Times as large as the one before a chunk may be: the first ones compile."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Sweep:
    """Computes a plan. `poll` puts what is new into `found`, arrays (lanes, *shape, ...); nothing happens between polls but
    in the executor, which is any of `concurrent.futures`: threads of this process where none is given. `cancel` at any time
    leaves what was found. Use it in a `with` statement, or close it."""

    def __init__(self, plan: SweepPlan, executor: Executor | None = None, *, jobs: int | None = None) -> None:
        self.plan = plan
        self.found = Found.nothing(plan, *plan.shape)
        self.computed = 0
        """Points that are there."""
        self.cancelled = False
        self._jobs = jobs or processors()
        self._own = executor is None
        self._executor = executor or ThreadPoolExecutor(self._jobs, thread_name_prefix="sweep")
        self._pending: dict[Future[Any], tuple[int, int]] = {}
        self._next, self._size = 0, _FIRST
        self._began = time.monotonic()
        self._closed = False

    @property
    def done(self) -> bool:
        """Whether no more points will come."""
        return self._closed

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first point."""
        if not self.computed:
            return float("inf")
        return (time.monotonic() - self._began) / self.computed * (self.plan.points - self.computed)

    def poll(self, timeout: float = 0.0) -> list[np.ndarray]:
        """The numbers (n, d) along the dimensions of the points that are new; waits up to `timeout` [s] for the first."""
        if self._closed:
            return []
        self._submit()
        finished, _ = wait(self._pending, timeout, FIRST_COMPLETED)
        new = [self._take(future) for future in finished]
        self._submit()
        if not self._pending:
            self.close()
        return new

    def complete(self, report: "Callable[[Sweep], object] | None" = None) -> Found:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second."""
        while not self.done:
            self.poll(0.2)
            if report is not None:
                report(self)
        return self.found

    def cancel(self) -> None:
        """End it with what is there."""
        if not self.done:
            self.cancelled = True
            self.close()

    def close(self) -> None:
        """Let go of what is left to do, and wait for what is being computed. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        for future in self._pending:
            future.cancel()
        self._pending.clear()
        if self._own:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> "Sweep":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    def _submit(self) -> None:
        while len(self._pending) < 2 * self._jobs and self._next < self.plan.points:
            start, self._next = self._next, min(self._next + self._size, self.plan.points)
            self._pending[self._executor.submit(_timed, self.plan, start, self._next)] = (start, self._next)

    def _take(self, future: Future[Any]) -> np.ndarray:
        start, stop = self._pending.pop(future)
        found, seconds = future.result()
        numbers = self.plan.numbers(start, stop)
        self.found.put(numbers, found)
        self.computed += stop - start
        wanted = int((stop - start) * _SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(wanted, _GROWTH * (stop - start), _LARGEST))
        return numbers


def _timed(plan: SweepPlan, start: int, stop: int) -> tuple[dict[str, np.ndarray], float]:
    """A chunk, and how long it took [s]."""
    began = time.monotonic()
    return run_chunk(plan, start, stop), time.monotonic() - began
