"""Workers in threads of this process, for kernels that release the GIL: they start at once and share compiled code."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from quatviz.analysis.executors.workers import Workers, processor_count
from quatviz.base.cancellation import cancellable
from quatviz.base.errors import phrase


class ThreadWorkers(Workers):
    """A pool of `jobs` threads. Python cannot kill a thread, so `close` requests cancellation and waits."""

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
