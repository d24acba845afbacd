"""Long work in pieces, handed out to workers and polled by whoever asked for it: what studies and sweeps have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from types import TracebackType
from typing import Any, NamedTuple, Self

from quatviz.analysis.executors.payload import SharedPayload, run_on_payload
from quatviz.analysis.executors.workers import Workers, WorkersLost
from quatviz.base.errors import InputError, phrase


class _Callbacks(NamedTuple):
    """Who takes what is found, or the sentence that says why nothing is."""

    on_result: Callable[[Any], None]
    on_failure: Callable[[str], None]


class PolledTask(ABC):
    """Nothing happens between polls but with the workers, which are closed at the end. `cancel` at any time leaves none of them
    behind, and what was found. Use it in a `with` statement, or close it."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._pending: dict[Future[Any], _Callbacks] = {}
        self.error_message = ""
        """Why it ended before its end, in a sentence."""
        self.refusal: InputError | None = None
        """The same where it was refused, as by a cluster that was still to be reached."""
        self.cancelled = False
        self._closed = False

    # --- reading

    @property
    def done(self) -> bool:
        """Whether no more will come."""
        return self._closed

    @property
    def wait_reason(self) -> str:
        """What the workers wait for, in a few words."""
        return self._workers.wait_reason

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of those that work for it."""
        return self._workers.processes

    @property
    @abstractmethod
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite while nobody knows."""

    @property
    def status_text(self) -> str:
        """How far it is, or how it ended, in the language of the reader; each kind of work that a window shows has its own."""
        raise NotImplementedError

    # --- running

    @abstractmethod
    def poll(self, timeout: float = 0.0) -> Sequence[Any]:
        """What is new; waits up to `timeout` [s] for the first. A refusal, and workers that are no more, end it and are told by
        `refusal` and `error_message`; what else the work raises is raised, and ends it too."""

    def finish(self, progress: "Callable[[Self], object] | None" = None) -> None:
        """Wait for the end; `progress` is called whenever there may be something new, a few times a second."""
        while not self.done:
            self.poll(0.2)
            if progress is not None:
                progress(self)

    def cancel(self) -> None:
        """End it now, with what there is."""
        if not self._closed:
            self.cancelled = True
            self.close()

    def close(self) -> None:
        """Let go of what is left to do. Safe to call twice."""
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
        """Submit what can be done now. Asked at every poll, before and after what has come is taken."""

    def _submit(
        self,
        on_result: Callable[[Any], None],
        on_failure: Callable[[str], None],
        payload: SharedPayload[Any],
        work: Callable[..., Any],
        *arguments: Any,
    ) -> None:
        """Have `work` done with what is in a parcel; `on_result` is given what comes of it, or `on_failure` why nothing does."""
        self._pending[self._workers.submit(run_on_payload, payload, work, *arguments)] = _Callbacks(
            on_result, on_failure
        )

    def _fail(self, message: str) -> None:
        """End it before its end."""
        self.error_message = message
        self.close()

    def _advance(self, timeout: float) -> None:
        """Take what has come, and hand out more."""
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
            self._fail(phrase("the executor that was given computes no more: {broken}", broken=broken))
        except Exception:
            self.close()
            raise
        if not self._pending:
            self.close()

    def _collect(self, future: Future[Any]) -> None:
        callbacks = self._pending.pop(future, None)
        if callbacks is None:  # it ended while others of the same poll were taken
            return
        try:
            result = future.result()
        except WorkersLost as lost:
            callbacks.on_failure(lost.sentence)
        else:
            callbacks.on_result(result)


def describe_refusal(refusal: InputError) -> str:
    """A refusal with its place, in one sentence."""
    return phrase("{place}: {refusal}", place=phrase(refusal.place), refusal=refusal.sentence)
