"""An executor that a script has made, of whatever library."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from quatviz.analysis.executors.workers import Workers, processor_count
from quatviz.base.errors import phrase


class ExternalExecutor(Workers):
    """It stays as it is: it is not shut down, and what it computes when the work is cancelled it computes to the end of the
    piece. That its workers die, it has to deal with itself."""

    def __init__(self, executor: Executor, jobs: int | None = None) -> None:
        self._executor = executor
        # Executors do not say how many they are; Python's own have it here.
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
