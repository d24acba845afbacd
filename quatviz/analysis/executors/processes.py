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

from quatviz.analysis.executors.workers import MOST_DEATHS, Lost, Workers, processors
from quatviz.base.errors import InputError, phrase

_main = threading.RLock()
"""Held while the main script is hidden from a process that starts: what is pickled meanwhile would miss it."""


class Processes(Workers):
    """`jobs` of them, started as work comes in. Each has a pipe of its own, so that one that is killed, at whatever moment,
    spoils no other's work; a new one takes its place and computes again what it had."""

    def __init__(self, jobs: int | None = None, nice: int = 0) -> None:
        if multiprocessing.current_process().daemon:
            raise InputError(
                "this process", expected="one that may start others", found="a worker of a pool, which Python lets start none",
                remedy="use quatviz.simulate there, or start the pool's workers with daemon=False", topic="scripting#studies",
            )  # fmt: skip
        self._jobs, self._nice = jobs or processors(), nice
        self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="quatviz-processes")
        self._change = threading.Condition()
        self._seats: list[_Seat] = []
        self._idle: list[_Seat] = []
        self._made: list[SpawnProcess] = []
        self._wanted = 0
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
        return tuple(process.pid for process in self._made if process.pid is not None)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        with _main:
            letter = cloudpickle.dumps((work, arguments, named))
        future = self._threads.submit(self._answer_to, letter)
        with self._change:
            self._wanted += 1
            if not self._closed and len(self._seats) < min(self._jobs, self._wanted):
                self._idle.append(self._start())
                self._change.notify()
        future.add_done_callback(self._forget)
        return future

    def close(self) -> None:
        """Kill the processes, whatever they are doing, and wait until they are gone. Safe to call twice."""
        with self._change:
            self._closed = True
            self._change.notify_all()
            for process in self._made:
                if process.is_alive():
                    process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in self._made:
            process.join()
        for seat in self._seats:
            seat.pipe.close()
        atexit.unregister(self.close)

    def _forget(self, _: Future[Any]) -> None:
        with self._change:
            self._wanted -= 1

    def _answer_to(self, letter: bytes) -> Any:
        """What a process answers; it is asked again of another one where it dies. Called by a thread for each piece of work."""
        for _ in range(MOST_DEATHS):
            seat = self._take_seat()
            answer = seat.ask(letter)
            self._leave(seat, alive=answer is not None)
            if answer is not None:
                done, what = pickle.loads(answer)
                if done:
                    return what
                raise what
        raise Lost(
            phrase("{count} processes, one after the other, were ended while they computed it: perhaps for want of memory",
                   count=MOST_DEATHS)
        )  # fmt: skip

    def _take_seat(self) -> "_Seat":
        with self._change:
            while not self._closed:
                if self._idle:
                    return self._idle.pop()
                if len(self._seats) < self._jobs:
                    return self._start()
                self._change.wait()
        raise CancelledError

    def _leave(self, seat: "_Seat", alive: bool) -> None:
        with self._change:
            if alive:
                self._idle.append(seat)
            elif not self._closed:
                self._seats.remove(seat)
                seat.pipe.close()
                seat.process.join()
            self._change.notify()

    def _start(self) -> "_Seat":
        mine, its = multiprocessing.Pipe()
        process = SpawnContext().Process(target=_serve, args=(its, self._nice))
        with _without_main(), _without_interrupts():
            process.start()
        its.close()
        seat = _Seat(process, mine)
        self._made.append(process)
        self._seats.append(seat)
        return seat


class _Seat(NamedTuple):
    """A process, and the end of its pipe."""

    process: SpawnProcess
    pipe: Connection

    def ask(self, letter: bytes) -> bytes | None:
        """What it answers, or None where it died."""
        try:
            self.pipe.send_bytes(letter)
            if self.pipe in wait([self.pipe, self.process.sentinel]):
                return self.pipe.recv_bytes()
        except (EOFError, OSError):
            pass
        return None


def _serve(pipe: Connection, nice: int) -> None:
    """All that a process does. It gives way to others, leaves Ctrl-C to the process that asked, and does not outlive it."""
    if hasattr(os, "nice"):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, name="quatviz-parent", daemon=True).start()
    while True:
        try:
            letter = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answered(letter))


def _answered(letter: bytes) -> bytes:
    try:
        work, arguments, named = pickle.loads(letter)
        answer: bytes = cloudpickle.dumps((True, work(*arguments, **named)))
        return answer
    except BaseException as fault:
        fault.add_note(f"in a process:\n{traceback.format_exc()}")
        try:
            refusal: bytes = cloudpickle.dumps((False, fault))
            pickle.loads(refusal)
            return refusal
        except Exception:  # one that cannot be sent
            said: bytes = cloudpickle.dumps((False, RuntimeError(f"{type(fault).__name__}: {fault}")))
            return said


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main script, which a new process would run once more: nothing of it is needed, and a script without
    a guard around its last lines would start the study all over."""
    with _main:
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
