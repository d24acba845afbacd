"""What is asked of those who compute: `concurrent.futures.Executor`, and how many they are."""

import os
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

MAX_WORKER_DEATHS = 3
"""Workers that one piece of work may end, before it is given up."""


def processor_count() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkersLost(RuntimeError):
    """A piece of work ended every worker that computed it; what it says is a sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Workers(Executor):
    """Who computes. A worker that dies loses nothing but the piece of work that it has, which another one computes again;
    after `MAX_WORKER_DEATHS` of them its future has `WorkersLost`. What is handed in must be functions of modules, with
    arguments and results that can be pickled."""

    @property
    @abstractmethod
    def jobs(self) -> int:
        """How many pieces of work are computed at once, as far as is known now."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What they are, in a few words for people."""

    @property
    def wait_reason(self) -> str:
        """What they wait for, in a few words; empty where nothing is missing."""
        return ""

    @property
    def processes(self) -> tuple[int, ...]:
        """Ids of the processes that were started for it."""
        return ()

    @abstractmethod
    def submit(self, work: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Have a function of a module called by one of them."""

    @abstractmethod
    def close(self) -> None:
        """End what is computed as soon as that can be ended, and do no more. Safe to call twice."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As of every executor, but that nothing is waited for: see `close`."""
        self.close()
