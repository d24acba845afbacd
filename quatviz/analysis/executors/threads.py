"""Threads of this process, for kernels that let go of Python's lock: they start at once and share what is compiled."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from quatviz.analysis.executors.workers import Workers, processor_count
from quatviz.base.cancellation import cancellable
from quatviz.base.errors import phrase


class ThreadWorkers(Workers):
    """`jobs` of them. Nobody can end a thread: what it computes is told to stop, and waited for."""

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or processor_count()
        self._cancelled = threading.Event()
        self._pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="quatviz-compute")

    @property
    def jobs(self) -> int:
        return self._jobs

    @property
    def title(self) -> str:
        return phrase("{count} threads of this process", count=self._jobs)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return self._pool.submit(_call, self._cancelled.is_set, work, arguments, named)

    def close(self) -> None:
        self._cancelled.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _call(
    is_cancelled: Callable[[], bool],
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> Any:
    with cancellable(is_cancelled):
        return work(*arguments, **keywords)
