"""Long work in pieces, handed out to workers and polled by whoever asked for it: what studies and sweeps have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from types import TracebackType
from typing import Any, NamedTuple, Self

from quatviz.analysis.executors.payload import Parcel, work_on
from quatviz.analysis.executors.workers import Lost, Workers
from quatviz.base.errors import InputError, phrase


class _Takes(NamedTuple):
    """Who takes what is found, or the sentence that says why nothing is."""

    found: Callable[[Any], None]
    lost: Callable[[str], None]


class Work(ABC):
    """Nothing happens between polls but with the workers, which are closed at the end. `cancel` at any time leaves none of them
    behind, and what was found. Use it in a `with` statement, or close it."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._pending: dict[Future[Any], _Takes] = {}
        self.fault = ""
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
    def lack(self) -> str:
        """What the workers wait for, in a few words."""
        return self._workers.lack

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of those that work for it."""
        return self._workers.processes

    @property
    @abstractmethod
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite while nobody knows."""

    @property
    def said(self) -> str:
        """How far it is, or how it ended, in the language of the reader; each kind of work that a window shows has its own."""
        raise NotImplementedError

    # --- running

    @abstractmethod
    def poll(self, timeout: float = 0.0) -> Sequence[Any]:
        """What is new; waits up to `timeout` [s] for the first. A refusal, and workers that are no more, end it and are told by
        `refusal` and `fault`; what else the work raises is raised, and ends it too."""

    def finish(self, report: "Callable[[Self], object] | None" = None) -> None:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second."""
        while not self.done:
            self.poll(0.2)
            if report is not None:
                report(self)

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
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    # --- for those who say what is done when

    def _hand_out(self) -> None:
        """Submit what can be done now. Asked at every poll, before and after what has come is taken."""

    def _submit(
        self,
        found: Callable[[Any], None],
        lost: Callable[[str], None],
        parcel: Parcel[Any],
        work: Callable[..., Any],
        *arguments: Any,
    ) -> None:
        """Have `work` done with what is in a parcel; `found` is given what comes of it, or `lost` why nothing does."""
        self._pending[self._workers.submit(work_on, parcel, work, *arguments)] = _Takes(found, lost)

    def _end(self, sentence: str) -> None:
        """End it before its end."""
        self.fault = sentence
        self.close()

    def _advance(self, timeout: float) -> None:
        """Take what has come, and hand out more."""
        if self._closed:
            return
        try:
            self._hand_out()
            finished, _ = wait(self._pending, timeout, FIRST_COMPLETED)
            for future in finished:
                self._take(future)
            if not self._closed:
                self._hand_out()
        except InputError as refusal:
            self.refusal = refusal
            self._end(refused(refusal))
        except BrokenExecutor as broken:
            self._end(phrase("the executor that was given computes no more: {broken}", broken=broken))
        except Exception:
            self.close()
            raise
        if not self._pending:
            self.close()

    def _take(self, future: Future[Any]) -> None:
        takes = self._pending.pop(future, None)
        if takes is None:  # it ended while others of the same poll were taken
            return
        try:
            found = future.result()
        except Lost as lost:
            takes.lost(lost.sentence)
        else:
            takes.found(found)


def refused(refusal: InputError) -> str:
    """A refusal with its place, in one sentence."""
    return phrase("{place}: {refusal}", place=phrase(refusal.place), refusal=refusal.sentence)
