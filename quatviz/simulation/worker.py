"""Threads that tick a runner. This is the only module of the engine that reads a clock."""

import ctypes
import logging
import math
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
"""Largest elapsed time [s] of one iteration of the worker loop, so that the cursor does not jump after the machine
slept or the process was stopped."""


_ARENAS = 2
"""Number of memory arenas of the C library that all threads share."""


_M_ARENA_MAX = -8
"""Code of the parameter M_ARENA_MAX of glibc's function mallopt, from malloc.h."""


STOP_TIMEOUT = 0.05
"""Longest time that the window waits for the end of a replaced run [s]. A block of steps takes up to 0.04 s; loading kernels can
take seconds on a busy machine."""


_PLAYING_TIMEOUT = 0.004
"""Time between two iterations of the worker loop while playing [s]."""


_IDLE_TIMEOUT = 0.1
"""Time between two iterations of the worker loop while idle [s]."""


TURNS_PER_GROWTH, MAX_BLOCKS = 4, 10
"""Number of iterations of the worker loop after which the number of blocks per iteration increases by one, and largest
number of blocks per iteration.

Between blocks, the computation takes the interpreter lock. With the largest number of blocks, a long run takes this
lock from the window only 25 times per second. A short run, such as those during a drag, can be abandoned quickly
because it starts with one block per iteration.
"""


_FEW_PROCESSORS = 2
"""Largest number of processors with which the computation pauses after its blocks while a run plays. With more
processors, window, OpenGL and computation do not compete."""


_BLOCKS_BESIDE_PLAYBACK, _REST_FACTOR = 5, 2.0
"""Limits for a run that plays and is computed far ahead: the largest number of blocks per iteration, and the ratio of
the pause after these blocks to their computing time.

Frames have priority in this state: without pauses, two processors displayed 30 instead of 50 frames per second.
"""


_MIN_PLAYBACK_RESERVE = 2.0
"""Smallest time [s] for which playback must be able to continue without new samples before the computation
pauses after its blocks."""


class _BlockThread:
    """Thread that computes several blocks at a time, in parallel with the thread that moves the cursor."""

    def __init__(self, compute: Callable[[int], bool], finished: Callable[[], None]) -> None:
        self._compute, self._finished = compute, finished
        self._requests: SimpleQueue[int] = SimpleQueue()
        self._result = True
        self._error: BaseException | None = None
        self.rests_until = -math.inf
        """Time of the clock `perf_counter` [s] at which the pause after the last block ends."""
        self.is_busy = False
        """True while a block is being computed."""
        self._thread: threading.Thread | None = None

    def start(self, blocks: int) -> None:
        """Start computing for about the processor time of `blocks` blocks of steps."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="quatviz-blocks", daemon=True)
            self._thread.start()
        self.is_busy = True
        self._requests.put(blocks)

    def take_result(self) -> bool:
        """Return True if more remained to be computed after the last blocks, and reset the stored result to True. An
        exception of the computation is raised in the calling thread."""
        if self._error is not None:
            raise self._error
        result, self._result = self._result, True
        return result

    def stop(self) -> None:
        """End the thread and wait for it. The next block starts a new one."""
        if self._thread is not None:
            self._requests.put(0)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        _lower_priority()
        while blocks := self._requests.get():
            started = time.perf_counter()
            try:
                self._result = self._compute(blocks)
            except PLUGIN_EXCEPTIONS as error:
                self._error = error
            finished = time.perf_counter()
            self.rests_until = finished + _REST_FACTOR * (finished - started)
            self.is_busy = False
            self._finished()


class Worker:
    """Worker that runs a `Runner` in its own threads, from `start` to `stop`.

    Commands wake the worker immediately. Short blocks, at the beginning of a run, are computed in the thread that moves
    the cursor; longer blocks in a second thread. An exception, which would be an internal error, ends the thread and is
    stored in `error` for the window to show.

    Parameters
    ----------
    runner
        Runner to run.
    previous
        Stopped worker of the run that this one replaces. This worker begins when the threads of `previous` have ended.
    """

    def __init__(self, runner: Runner, previous: "Worker | None" = None) -> None:
        self.runner = runner
        self.error: BaseException | None = None
        self.has_idled = threading.Event()
        """Event that is set after the first iteration in which nothing was computed, because everything is
        complete or kernels are being compiled."""
        self.kernels_loaded = threading.Event()
        """Event that is set when every cached kernel is loaded."""
        self._wake = threading.Event()
        self._ticked = threading.Event()
        """Event that is set at the end of each iteration."""
        self._stopping = False
        self._turn_count = 0
        """Number of consecutive iterations of the worker loop in which something was computed."""
        self._block_thread = _BlockThread(runner.compute, self._wake.set)
        self._thread = threading.Thread(target=self._run, name="quatviz-worker", daemon=True)
        self._previous_thread = None if previous is None else previous._last_thread

    @property
    def _last_thread(self) -> threading.Thread | None:
        """The last thread to end, among those of this worker and of the workers that it replaces; None if no thread was
        started."""
        return self._previous_thread if self._thread.ident is None else self._thread

    @property
    def snapshot(self) -> Snapshot:
        """Current state of the run."""
        return self.runner.snapshot

    def start(self) -> None:
        """Start computing."""
        self._thread.start()

    def submit(self, command: RunnerCommand) -> None:
        """Submit a command and wake the thread."""
        self.runner.submit(command)
        self._wake.set()

    def wait_settled(self) -> Snapshot:
        """Let all submitted commands take effect, and return the snapshot. Commands that change the run wait for the
        computation of a block, for at most `_MAX_ELAPSED`."""
        self.runner.settle()
        deadline = time.perf_counter() + _MAX_ELAPSED
        while not self.runner.is_settled and self._thread.is_alive() and time.perf_counter() < deadline:
            self._ticked.clear()
            if not self.runner.is_settled:
                self._ticked.wait(_IDLE_TIMEOUT)
        return self.runner.snapshot

    def stop(self, timeout: float | None = None) -> None:
        """Stop both threads and wait for them, at most one iteration of the worker loop.

        Parameters
        ----------
        timeout
            Longest time to wait [s]. The threads may then end later.
        """
        self._stopping = True
        self._wake.set()
        if (thread := self._last_thread) is not None:
            thread.join(timeout)
        self.runner.close()

    def _run(self) -> None:
        if self._previous_thread is not None:
            self._previous_thread.join()
            self._previous_thread = None
        try:
            last = time.perf_counter()
            while not self._stopping:
                now = time.perf_counter()
                self.runner.obey(self._block_thread.is_busy)
                has_more = self._compute()
                self.runner.move(min(now - last, _MAX_ELAPSED))
                last = now
                self._ticked.set()
                self.kernels_loaded.set()  # the kernels of each lane have been requested
                if not has_more:
                    self.has_idled.set()
                if not has_more or self._block_thread.is_busy or self._is_resting:
                    snapshot = self.runner.snapshot
                    is_active = snapshot.playing or snapshot.preparing
                    self._wake.wait(_PLAYING_TIMEOUT if is_active else _IDLE_TIMEOUT)
                self._wake.clear()
        except PLUGIN_EXCEPTIONS as error:
            log.exception("the worker stopped")
            self.error = error
        finally:
            self._block_thread.stop()

    @property
    def _is_far_ahead(self) -> bool:
        """True if drawing has priority over the computation: the machine has few processors, and the playing run is
        computed far ahead."""
        has_few_processors = (os.cpu_count() or 1) <= _FEW_PROCESSORS
        return has_few_processors and self.runner.playback_reserve >= _MIN_PLAYBACK_RESERVE

    @property
    def _is_resting(self) -> bool:
        return time.perf_counter() < self._block_thread.rests_until and self._is_far_ahead

    def _compute(self) -> bool:
        """Compute the next blocks of steps: a single block in this thread, several in the second thread. Return True if
        more remains to be computed."""
        if self._block_thread.is_busy or self._is_resting:
            return True
        has_more = self._block_thread.take_result()
        most_blocks = _BLOCKS_BESIDE_PLAYBACK if self._is_far_ahead else MAX_BLOCKS
        blocks = min(1 + self._turn_count // TURNS_PER_GROWTH, most_blocks)
        if blocks == 1:
            has_more = self.runner.compute()
        elif has_more:
            self._block_thread.start(blocks)
        if not has_more:
            self._block_thread.stop()
        self._turn_count = self._turn_count + 1 if has_more else 0
        return has_more


def limit_malloc_arenas() -> None:
    """Let all threads share two malloc arenas, if the C library supports it.

    Each run has its own thread, and an arena per thread would keep pages in use: about 60 MB after ten minutes of
    random use.
    """
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


_NICENESS = 10
"""Niceness of the thread that computes long blocks. The window's thread then gets ten times as much processor time,
but the blocks still advance if other programs use all processors."""


def _lower_priority() -> None:
    """Lower the priority of this thread below that of the window. This works on Linux, where each thread has its
    own priority."""
    if sys.platform.startswith("linux"):
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        except OSError:
            log.info("the worker keeps the window's priority")
