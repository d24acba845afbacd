"""Threads of this process, for kernels that let go of Python's lock: they start at once and share what is compiled."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from quatviz.analysis.executors.cancellation import stoppable
from quatviz.analysis.executors.workers import Workers, processors
from quatviz.base.errors import phrase


class Threads(Workers):
    """`jobs` of them. Nobody can end a thread: what it computes is told to stop, and waited for."""

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or processors()
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="quatviz-compute")

    @property
    def jobs(self) -> int:
        return self._jobs

    @property
    def title(self) -> str:
        return phrase("{count} threads of this process", count=self._jobs)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        return self._pool.submit(_call, self._over.is_set, work, arguments, named)

    def close(self) -> None:
        self._over.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _call(
    asked: Callable[[], bool], work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    with stoppable(asked):
        return work(*arguments, **named)
