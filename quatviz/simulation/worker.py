"""The thread that ticks a runner. The only place where the engine meets a clock."""

import ctypes
import logging
import os
import sys
import threading
import time
from contextlib import suppress

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


class Worker:
    """Runs a `Runner` in a thread of its own from `start` to `stop`.

    Commands wake it at once. An exception, which would be a fault of the program, ends the thread; `error` then
    holds it, for the window to show.
    """

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.error: BaseException | None = None
        self.has_idled = threading.Event()
        """Set when nothing was computed in a turn for the first time: all is there, kernels are waited for, or what plays comes
        first."""
        self.kernels_loaded = threading.Event()
        """Set when every kernel that is in the cache is at hand."""
        self._wake = threading.Event()
        self._ticked = threading.Event()
        """Set at the end of each turn."""
        self._stopping = False
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
        """End the thread and wait for it: at most one block of steps."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        self.runner.close()

    def _run(self) -> None:
        _lower_priority()
        try:
            last = time.perf_counter()
            while not self._stopping:
                now = time.perf_counter()
                is_busy = self.runner.tick(min(now - last, _MAX_ELAPSED))
                last = now
                self._ticked.set()
                self.kernels_loaded.set()  # each lane has been asked for its kernels
                if not is_busy:
                    self.has_idled.set()
                    snapshot = self.runner.snapshot
                    is_active = snapshot.playing or snapshot.preparing
                    self._wake.wait(_PLAYING_TIMEOUT if is_active else _IDLE_TIMEOUT)
                self._wake.clear()
        except PLUGIN_EXCEPTIONS as error:
            log.exception("the worker stopped")
            self.error = error


def limit_malloc_arenas() -> None:
    """Let all threads take memory from the same two places, where the C library can be told to. Each run has a thread of its
    own, and of each place that a thread had to itself some pages stay in use: some 60 MB after ten minutes of a random user."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def _lower_priority() -> None:
    """Let the window's thread and its drawing go first: Linux has a priority per thread."""
    if sys.platform.startswith("linux"):
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        except OSError:
            log.info("the worker keeps the window's priority")
