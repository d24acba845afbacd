"""Workers in processes of this machine. They end with the work, on cancellation, and when the parent process dies."""

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
"""Lock held while the main script is hidden from a starting process. Meanwhile, objects of the script cannot be
pickled."""


class ProcessWorkers(Workers):
    """A pool of `jobs` processes, started on demand.

    Each process has its own pipe, so that killing one process at any moment cannot damage the work of another. If a
    process dies, a new one replaces it and computes its piece again.
    """

    def __init__(self, jobs: int | None = None, nice: int = 0) -> None:
        if multiprocessing.current_process().daemon:
            raise InputError(
                "this process", expected="a process that may start other processes",
                found="a daemonic worker of a pool, which cannot start any",
                remedy="use quatviz.simulate there, or start the pool's workers with daemon=False", topic="scripting#studies",
            )  # fmt: skip
        self._jobs, self._nice = jobs or processor_count(), nice
        self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="quatviz-processes")
        self._condition = threading.Condition()
        self._workers: list[_WorkerProcess] = []
        self._idle: list[_WorkerProcess] = []
        self._started: list[SpawnProcess] = []
        self._pending_count = 0
        """Number of submitted pieces that are not done."""
        self._closed = False
        # Without this, Python would wait at exit for processes that wait for work.
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
        """Kill the processes and wait until they have ended. Safe to call twice."""
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
        """Compute a piece in a process, and again in another one if the process dies. Called by one thread per piece."""
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
            phrase("{count} processes in a row died during this task, perhaps for lack of memory",
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
    """A worker process and the parent's end of its pipe."""

    process: SpawnProcess
    pipe: Connection

    def request(self, blob: bytes) -> bytes | None:
        """Return the answer of the process, or None if it died."""
        try:
            self.pipe.send_bytes(blob)
            if self.pipe in wait([self.pipe, self.process.sentinel]):
                return self.pipe.recv_bytes()
        except (EOFError, OSError):
            pass
        return None


def _run_worker(pipe: Connection, nice: int) -> None:
    """Main loop of a worker process. It ignores Ctrl-C, which the parent handles, and exits with its parent."""
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
        except Exception:  # an exception that cannot be pickled
            failure_text: bytes = cloudpickle.dumps((False, RuntimeError(exception_summary(error))))
            return failure_text


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main script from a starting process.

    The process does not need the script and would run it again. A script without an `if __name__ == "__main__"` guard
    would then start the study again.
    """
    with _main_lock:
        main_module = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main_module


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block SIGINT while a process starts. The process inherits the signal mask, so that Ctrl-C does not make
    it print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
