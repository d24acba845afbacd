"""Processes of this machine, which end at once when the work is over, cancelled, or the process that asked for it dies."""

import atexit
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, NamedTuple

from numba import cloudpickle

from quatviz.analysis.executors.workers import MAX_WORKER_DEATHS, Workers, WorkersLost, processor_count
from quatviz.base.child_processes import safe_module_path
from quatviz.base.errors import InputError, exception_summary, phrase

_main_lock = threading.RLock()
"""Held while the main script is hidden from a process that starts: what is pickled meanwhile would miss it."""


class ProcessWorkers(Workers):
    """`jobs` of them, started as work comes in. Each has a pipe of its own, so that one that is killed, at whatever moment,
    spoils no other's work; a new one takes its place and computes again what it had."""

    def __init__(self, jobs: int | None = None, nice: int = 0) -> None:
        if multiprocessing.current_process().daemon:
            raise InputError(
                "this process", expected="one that may start others", found="a worker of a pool, which Python lets start none",
                remedy="use quatviz.simulate there, or start the pool's workers with daemon=False", topic="scripting#studies",
            )  # fmt: skip
        self._jobs, self._nice = jobs or processor_count(), nice
        self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="quatviz-processes")
        self._condition = threading.Condition()
        self._workers: list[_WorkerProcess] = []
        self._idle: list[_WorkerProcess] = []
        self._started: list[SpawnProcess] = []
        self._pending_count = 0
        """Pieces of work that are not done."""
        self._closed = False
        # Else Python would wait at its end for processes that wait for work.
        atexit.register(self.close)

    @property
    def jobs(self) -> int:
        return self._jobs

    @property
    def title(self) -> str:
        return phrase("{count} processes of this machine", count=self._jobs)

    @property
    def processes(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._started if process.pid is not None)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        with _main_lock:
            blob = cloudpickle.dumps((work, arguments, named))
        future = self._threads.submit(self._compute, blob)
        with self._condition:
            self._pending_count += 1
            if not self._closed and len(self._workers) < min(self._jobs, self._pending_count):
                self._idle.append(self._start_worker())
                self._condition.notify()
        future.add_done_callback(self._count_done)
        return future

    def close(self) -> None:
        """Kill the processes, whatever they are doing, and wait until they are gone. Safe to call twice."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
            for process in self._started:
                if process.is_alive():
                    process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in self._started:
            process.join()
        for worker in self._workers:
            worker.pipe.close()
        atexit.unregister(self.close)

    def _count_done(self, _: Future[Any]) -> None:
        with self._condition:
            self._pending_count -= 1

    def _compute(self, blob: bytes) -> Any:
        """What a process answers; it is asked again of another one where it dies. Called by a thread for each piece of work."""
        for _ in range(MAX_WORKER_DEATHS):
            worker = self._acquire_worker()
            answer = worker.request(blob)
            self._release_worker(worker, alive=answer is not None)
            if answer is not None:
                succeeded, result = pickle.loads(answer)
                if succeeded:
                    return result
                raise result
        raise WorkersLost(
            phrase("{count} processes, one after the other, were ended while they computed it: perhaps for want of memory",
                   count=MAX_WORKER_DEATHS)
        )  # fmt: skip

    def _acquire_worker(self) -> "_WorkerProcess":
        with self._condition:
            while not self._closed:
                if self._idle:
                    return self._idle.pop()
                if len(self._workers) < self._jobs:
                    return self._start_worker()
                self._condition.wait()
        raise CancelledError

    def _release_worker(self, worker: "_WorkerProcess", alive: bool) -> None:
        with self._condition:
            if alive:
                self._idle.append(worker)
            elif not self._closed:
                self._workers.remove(worker)
                worker.pipe.close()
                worker.process.join()
            self._condition.notify()

    def _start_worker(self) -> "_WorkerProcess":
        parent_end, child_end = multiprocessing.Pipe()
        process = SpawnContext().Process(target=_run_worker, args=(child_end, self._nice))
        with _without_main(), _without_interrupts(), safe_module_path():
            process.start()
        child_end.close()
        worker = _WorkerProcess(process, parent_end)
        self._started.append(process)
        self._workers.append(worker)
        return worker


class _WorkerProcess(NamedTuple):
    """A process, and the end of its pipe."""

    process: SpawnProcess
    pipe: Connection

    def request(self, blob: bytes) -> bytes | None:
        """What it answers, or None where it died."""
        try:
            self.pipe.send_bytes(blob)
            if self.pipe in wait([self.pipe, self.process.sentinel]):
                return self.pipe.recv_bytes()
        except (EOFError, OSError):
            pass
        return None


def _run_worker(pipe: Connection, nice: int) -> None:
    """All that a process does. It gives way to others, leaves Ctrl-C to the process that asked, and does not outlive it."""
    if hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, name="quatviz-parent", daemon=True).start()
    while True:
        try:
            blob = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(blob))


def _answer(blob: bytes) -> bytes:
    try:
        work, arguments, keywords = pickle.loads(blob)
        answer: bytes = cloudpickle.dumps((True, work(*arguments, **keywords)))
        return answer
    except BaseException as error:
        error.add_note(f"in a process:\n{traceback.format_exc()}")
        try:
            failure: bytes = cloudpickle.dumps((False, error))
            pickle.loads(failure)
            return failure
        except Exception:  # one that cannot be sent
            failure_text: bytes = cloudpickle.dumps((False, RuntimeError(exception_summary(error))))
            return failure_text


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main script, which a new process would run once more: nothing of it is needed, and a script without
    a guard around its last lines would start the study all over."""
    with _main_lock:
        main_module = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main_module


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is just starting would answer Ctrl-C with a traceback; it inherits that it may not."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
