"""Workers that wrap an executor made by a script, from any library."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from quatviz.analysis.executors.workers import Workers, processor_count
from quatviz.base.errors import phrase


class ExternalExecutor(Workers):
    """Adapter for a `concurrent.futures.Executor` that the caller owns.

    `close` does not shut down the wrapped executor: it cancels pending tasks and lets running tasks finish. The wrapped
    executor must recover from the death of its own processes.
    """

    def __init__(self, executor: Executor, jobs: int | None = None) -> None:
        self._executor = executor
        # `Executor` has no public worker count; the executors of Python have this attribute.
        self._jobs = jobs or getattr(executor, "_max_workers", None) or processor_count()
        self._futures: set[Future[Any]] = set()

    @property
    def jobs(self) -> int:
        return self._jobs

    @property
    def title(self) -> str:
        return phrase("the executor {name}", name=type(self._executor).__name__)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future = self._executor.submit(work, *arguments, **named)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def close(self) -> None:
        for future in list(self._futures):
            future.cancel()
