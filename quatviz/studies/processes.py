"""Processes that work for a study, or for `quatviz verify`, and end at once when it is over, cancelled, or its own process dies."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any

from quatviz.base.errors import InputError


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerPool:
    """`jobs` processes, started as work comes in. What is passed in and out is pickled, and must be small (below 4 kB
    or so): a process may be killed at any moment, and only short messages are written whole or not at all."""

    def __init__(self, jobs: int, nice: int = 0) -> None:
        if multiprocessing.current_process().daemon:
            raise InputError(
                "this process", expected="one that may start others", found="a worker of a pool, which Python lets start none",
                remedy="use quatviz.simulate there, or start the pool's workers with daemon=False", topic="scripting#studies",
            )  # fmt: skip
        self._context = _Context()
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=self._context, initializer=_begin, initargs=(nice,)
        )

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function of a module called by one of the processes."""
        return self._executor.submit(work, *arguments)

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of those that were started."""
        return tuple(process.pid for process in self._context.made if process.pid is not None)

    def close(self) -> None:
        """Kill the processes, whatever they are doing, and wait until they are gone. Safe to call twice."""
        for process in self._context.made:
            if process.is_alive():
                process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)
        for process in self._context.made:
            process.join()


def _begin(nice: int) -> None:
    """In a new process: give way to others, leave Ctrl-C to the process that asked, and do not outlive it."""
    if hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, name="quatviz-parent", daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Process(SpawnProcess):
    def start(self) -> None:
        with _without_main(), _without_interrupts():
            super().start()


class _Context(SpawnContext):
    """Spawns processes, and keeps a list of them: the executor has none that is public."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        process = _Process(*arguments, **named)
        self.made.append(process)
        return process


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main script, which a new process would run once more: nothing of it is needed, and a script without
    a guard around its last lines would start the study all over."""
    real = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = real


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is just starting would answer Ctrl-C with a traceback; it inherits that it may not."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
