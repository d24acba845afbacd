"""Base class of studies and sweeps: long work in pieces that workers compute and the caller polls."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from types import TracebackType
from typing import Any, NamedTuple, Self

from quatviz.analysis.executors.payload import SharedPayload, run_on_payload
from quatviz.analysis.executors.workers import Workers, WorkersLost
from quatviz.base.errors import InputError, phrase


class _Callbacks(NamedTuple):
    """Callbacks for one piece of work. The first receives its result. If the work fails, the second receives a message
    that explains why."""

    on_result: Callable[[Any], None]
    on_failure: Callable[[str], None]


class PolledTask(ABC):
    """Long work that advances only when it is polled.

    The workers are closed at the end. `cancel` stops them at any time and keeps the results so far. Use the task in a
    `with` statement, or close it.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._pending: dict[Future[Any], _Callbacks] = {}
        self.error_message = ""
        """Message that explains why the task ended early, or ""."""
        self.refusal: InputError | None = None
        """The refusal that ended the task early, for example of a cluster, or None."""
        self.cancelled = False
        self._closed = False

    # --- reading

    @property
    def done(self) -> bool:
        """True if no more results will come."""
        return self._closed

    @property
    def wait_reason(self) -> str:
        """Short description of what the workers wait for, or ""."""
        return self._workers.wait_reason

    @property
    def processes(self) -> tuple[int, ...]:
        """Ids of the processes that work for this task."""
        return self._workers.processes

    @property
    @abstractmethod
    def seconds_left(self) -> float:
        """Estimated remaining time [s]; infinite while it is unknown."""

    @property
    def status_text(self) -> str:
        """Progress or outcome as a translated text. Tasks that a window shows define it."""
        raise NotImplementedError

    # --- running

    @abstractmethod
    def poll(self, timeout: float = 0.0) -> Sequence[Any]:
        """Return new results, after waiting up to `timeout` [s] for the first.

        A refusal or the loss of the workers ends the task and sets `refusal` and `error_message`. Any other exception
        of the work is raised, and ends the task too.
        """

    def finish(self, progress: "Callable[[Self], object] | None" = None) -> None:
        """Wait for the end. `progress` is called several times a second with the task."""
        while not self.done:
            self.poll(0.2)
            if progress is not None:
                progress(self)

    def cancel(self) -> None:
        """End the task now and keep the results so far."""
        if not self._closed:
            self.cancelled = True
            self.close()

    def close(self) -> None:
        """Discard the remaining work and close the workers. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pending.clear()
            self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()

    # --- for those who say what is done when

    def _submit_ready(self) -> None:
        """Submit the pieces that can be computed now. This method is called at every poll, before and after results are
        collected."""

    def _submit(
        self,
        on_result: Callable[[Any], None],
        on_failure: Callable[[str], None],
        payload: SharedPayload[Any],
        work: Callable[..., Any],
        *arguments: Any,
    ) -> None:
        """Submit `work` with the content of a payload. `on_result` receives its result, or `on_failure` the reason
        for a failure.
        """
        self._pending[self._workers.submit(run_on_payload, payload, work, *arguments)] = _Callbacks(
            on_result, on_failure
        )

    def _fail(self, message: str) -> None:
        """End the task early with a message."""
        self.error_message = message
        self.close()

    def _advance(self, timeout: float) -> None:
        """Collect finished pieces and submit more."""
        if self._closed:
            return
        try:
            self._submit_ready()
            finished, _ = wait(self._pending, timeout, FIRST_COMPLETED)
            for future in finished:
                self._collect(future)
            if not self._closed:
                self._submit_ready()
        except InputError as refusal:
            self.refusal = refusal
            self._fail(describe_refusal(refusal))
        except BrokenExecutor as broken:
            self._fail(phrase("the executor no longer works: {broken}", broken=broken))
        except Exception:
            self.close()
            raise
        if not self._pending:
            self.close()

    def _collect(self, future: Future[Any]) -> None:
        callbacks = self._pending.pop(future, None)
        if callbacks is None:  # The task ended while other results of the same poll were collected.
            return
        try:
            result = future.result()
        except WorkersLost as lost:
            callbacks.on_failure(lost.sentence)
        else:
            callbacks.on_result(result)


def describe_refusal(refusal: InputError) -> str:
    """Return place and reason of a refusal as one sentence."""
    return phrase("{place}: {refusal}", place=phrase(refusal.place), refusal=refusal.sentence)
