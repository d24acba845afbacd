"""Interface of all workers: `concurrent.futures.Executor` with a title and the number of workers."""

import os
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

MAX_WORKER_DEATHS = 3
"""Number of workers that may die while computing the same piece of work before the piece fails with
`WorkersLost`."""


def processor_count() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkersLost(RuntimeError):
    """Error raised if every worker that computed a piece of work died. `sentence` is the message for the user."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Workers(Executor):
    """Base class of all workers.

    If a worker dies, another one computes its piece again; after `MAX_WORKER_DEATHS` deaths the future raises
    `WorkersLost`. Submitted functions must belong to a module, and their arguments and results must be picklable.
    """

    @property
    @abstractmethod
    def jobs(self) -> int:
        """Number of pieces that can be computed at the same time, as far as currently known."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Short description of the workers for the user."""

    @property
    def wait_reason(self) -> str:
        """Short description of what the workers wait for, or ""."""
        return ""

    @property
    def processes(self) -> tuple[int, ...]:
        """Ids of the processes that belong to the workers."""
        return ()

    @abstractmethod
    def submit(self, work: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Schedule a call of a module's function and return its future."""

    @abstractmethod
    def close(self) -> None:
        """Cancel all work as soon as possible and accept no more. Safe to call twice."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the workers without waiting for pending work: see `close`."""
        self.close()
