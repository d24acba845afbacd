"""The threads that tick a runner. The only place where the engine meets a clock."""

import ctypes
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.simulation.commands import RunnerCommand
from quatviz.simulation.runner import Runner, Snapshot

log = logging.getLogger(__name__)


_MAX_ELAPSED = 0.5
"""Time that a turn counts as at most [s]: the cursor does not leap where the machine slept, or this process was stopped."""


_ARENAS = 2


_M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


_PLAYING_TIMEOUT = 0.004


_IDLE_TIMEOUT = 0.1


TURNS_PER_GROWTH, MAX_BLOCKS = 4, 10
"""Number of turns after which a turn computes one more block, and the most blocks of a turn. A long run then takes the interpreter
from the window's thread 25 times a second; a short one, such as those of a number that a hand drags, can be left at once."""


class _BlockThread:
    """Computes long blocks, one at a time, beside the thread that moves the cursor."""

    def __init__(self, compute: Callable[[int], bool], finished: Callable[[], None]) -> None:
        self._compute, self._finished = compute, finished
        self._requests: SimpleQueue[int] = SimpleQueue()
        self._result = True
        self._error: BaseException | None = None
        self.is_busy = False
        """Whether a block has yet to be finished."""
        self._thread: threading.Thread | None = None

    def start(self, blocks: int) -> None:
        """Begin to compute for the time of so many blocks."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="quatviz-blocks", daemon=True)
            self._thread.start()
        self.is_busy = True
        self._requests.put(blocks)

    def take_result(self) -> bool:
        """Whether there was more to compute in the last block, which is told once; what it raised is raised here."""
        if self._error is not None:
            raise self._error
        result, self._result = self._result, True
        return result

    def stop(self) -> None:
        """End the thread and wait for it; the next block starts another one."""
        if self._thread is not None:
            self._requests.put(0)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        _lower_priority()
        while blocks := self._requests.get():
            try:
                self._result = self._compute(blocks)
            except PLUGIN_EXCEPTIONS as error:
                self._error = error
            self.is_busy = False
            self._finished()


class Worker:
    """Runs a `Runner` in threads of its own from `start` to `stop`.

    Commands wake it at once. Blocks of a run that has just begun are computed in the thread that moves the cursor; as they grow
    longer, beside it. An exception, which would be a fault of the program, ends the thread; `error` then holds it, for the window
    to show.
    """

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.error: BaseException | None = None
        self.has_idled = threading.Event()
        """Set when nothing was computed in a turn for the first time: all is there, or kernels are waited for."""
        self.kernels_loaded = threading.Event()
        """Set when every kernel that is in the cache is at hand."""
        self._wake = threading.Event()
        self._ticked = threading.Event()
        """Set at the end of each turn."""
        self._stopping = False
        self._turn_count = 0
        """Turns that have computed since nothing was to be computed."""
        self._block_thread = _BlockThread(runner.compute, self._wake.set)
        self._thread = threading.Thread(target=self._run, name="quatviz-worker", daemon=True)

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is now."""
        return self.runner.snapshot

    def start(self) -> None:
        """Begin computing."""
        self._thread.start()

    def submit(self, command: RunnerCommand) -> None:
        """Pass a command on and wake the thread."""
        self.runner.submit(command)
        self._wake.set()

    def wait_settled(self) -> Snapshot:
        """Where the run is once it has done all that it was asked for, which is waited for: a turn or two."""
        deadline = time.perf_counter() + _MAX_ELAPSED
        while not self.runner.is_settled and self._thread.is_alive() and time.perf_counter() < deadline:
            self._ticked.clear()
            if not self.runner.is_settled:
                self._ticked.wait(_IDLE_TIMEOUT)
        return self.runner.snapshot

    def stop(self) -> None:
        """End the threads and wait for them: at most one turn."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        self.runner.close()

    def _run(self) -> None:
        try:
            last = time.perf_counter()
            while not self._stopping:
                now = time.perf_counter()
                self.runner.obey(self._block_thread.is_busy)
                has_more = self._compute()
                self.runner.move(min(now - last, _MAX_ELAPSED))
                last = now
                self._ticked.set()
                self.kernels_loaded.set()  # each lane has been asked for its kernels
                if not has_more:
                    self.has_idled.set()
                if not has_more or self._block_thread.is_busy:
                    snapshot = self.runner.snapshot
                    is_active = snapshot.playing or snapshot.preparing
                    self._wake.wait(_PLAYING_TIMEOUT if is_active else _IDLE_TIMEOUT)
                self._wake.clear()
        except PLUGIN_EXCEPTIONS as error:
            log.exception("the worker stopped")
            self.error = error
        finally:
            self._block_thread.stop()

    def _compute(self) -> bool:
        """Compute a block, or let one be computed; whether there is more to compute."""
        if self._block_thread.is_busy:
            return True
        has_more = self._block_thread.take_result()
        blocks = min(1 + self._turn_count // TURNS_PER_GROWTH, MAX_BLOCKS)
        if blocks == 1:
            has_more = self.runner.compute()
        elif has_more:
            self._block_thread.start(blocks)
        if not has_more:
            self._block_thread.stop()
        self._turn_count = self._turn_count + 1 if has_more else 0
        return has_more


def limit_malloc_arenas() -> None:
    """Let all threads take memory from the same two places, where the C library can be told to. Each run has a thread of its
    own, and of each place that a thread had to itself some pages stay in use: some 60 MB after ten minutes of a random user."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


_NICENESS = 10
"""Of the thread that computes long blocks: the window's thread and its drawing have ten times its share of a processor, and beside
other programs that take all processors a run is computed nevertheless."""


def _lower_priority() -> None:
    """Let the window's thread and its drawing go first: Linux has a priority per thread."""
    if sys.platform.startswith("linux"):
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        except OSError:
            log.info("the worker keeps the window's priority")
