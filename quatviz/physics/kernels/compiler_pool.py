"""Child processes that compile kernels.

This module imports nothing that computes, so that a child can be started at once. A child ends when the pipe from
the process that started it closes. This happens however that process ends, even if a signal kills it (SIGTERM,
SIGHUP, SIGKILL).
"""

import logging
import os
import subprocess
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from quatviz.base import resources
from quatviz.base.child_processes import module_command

log = logging.getLogger(__name__)

MAX_PROCESSES = 2
"""Largest number of child processes that compile at the same time, in addition to the process of the window."""
READY_SUFFIX = ".ready"
"""Suffix of the marker file that a complete compilation leaves in the cache folder."""

Child = subprocess.Popen[bytes]

BACKGROUND_OPTION = "--background"
"""Command-line option of a child that compiles for a window, which plays an animation meanwhile."""


def background_niceness() -> int:
    """Return the niceness of a child that compiles for a window.

    It is the lowest priority, so that frames do not wait. If other programs use all processors already, it is the normal
    priority: beside eight busy processes, a child with the lowest priority had compiled no kernel after five minutes.
    """
    try:
        load, *_ = os.getloadavg()
    except (OSError, AttributeError):  # not reported
        return 19
    return 19 if load <= (os.cpu_count() or 1) + 1 else 0


def has_cached_kernels() -> bool:
    """Return True if any compiled kernel is available, in the user's cache or among those shipped for the
    processor of this machine.
    """
    folders = (resources.kernel_folder(), resources.shipped_kernel_folder())
    return any(path for folder in folders if folder is not None for path in folder.glob(f"*{READY_SUFFIX}"))


class CompilerPool:
    """Child processes, each of which compiles one lane after another. The pool is thread-safe.

    Parameters
    ----------
    size
        Maximum number of children.
    in_background
        True to give the children a low priority, because a window plays an animation meanwhile.
    """

    def __init__(self, size: int = MAX_PROCESSES, in_background: bool = True) -> None:
        self._size = max(1, min(size, os.cpu_count() or 1))
        self._in_background = in_background
        self._waiting: dict[Path, bytes] = {}
        """Jobs to be compiled, by the marker file that they will create."""
        self._busy: dict[Path, Child] = {}
        """Children at work, by the marker file of their job."""
        self._idle: list[Child] = []
        self._final_marks: set[Path] = set()
        """Marker files of jobs that are the last of their child: the child ends by itself after such a job."""
        self.failed: dict[Path, int] = {}
        """Exit status of children that ended without creating their marker file."""
        self._terminated: list[Child] = []
        """Children that were killed and may need a moment to end."""
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start one idle child in advance, since importing the compiler takes as long as compiling."""
        with self._lock:
            self._idle.append(start_compiler(self._in_background))

    def request(self, mark: Path, job: bytes, last: bool = False) -> None:
        """Queue a job, encoded as `simulation.compilation` expects, that creates the marker file `mark` when it is complete.

        If `last` is True, the child that runs the job ends afterwards.
        """
        with self._lock:
            if last:
                self._final_marks.add(mark)
            if mark not in self._busy and mark not in self._waiting:
                self._waiting[mark] = job

    def poll(self) -> int:
        """Assign waiting jobs to idle children, end children without jobs, and return the number of jobs that
        are not complete.
        """
        with self._lock:
            for mark, child in list(self._busy.items()):
                has_ended, is_compiled = child.poll() is not None, mark.exists()
                if is_compiled and not has_ended and mark not in self._final_marks:
                    self._idle.append(self._busy.pop(mark))
                elif is_compiled and has_ended:
                    self._terminate(self._busy.pop(mark))
                elif has_ended:
                    # The requesting process then compiles the lane itself, and the log says why.
                    log.warning("a compiling process ended with status %s", child.returncode)
                    self._terminate(self._busy.pop(mark))
                    self.failed[mark] = child.returncode
            for mark in list(self._waiting):
                if mark.exists() or self._assign(mark):
                    del self._waiting[mark]
            while self._idle and not self._waiting:
                self._terminate(self._idle.pop())
            self._terminated = [child for child in self._terminated if child.poll() is None]
            return len(self._waiting) + len(self._busy)

    def _assign(self, mark: Path) -> bool:
        """Assign a queued job to an idle or new child. Return True if a child was available."""
        if not self._idle and len(self._busy) < self._size:
            self._idle.append(start_compiler(self._in_background))
        if not self._idle:
            return False
        child = self._idle.pop()
        self._busy[mark] = child
        send_job(child, self._waiting[mark])
        return True

    def cancel_others(self, marks: Iterable[Path]) -> None:
        """Cancel all jobs whose marker file is not one of `marks`."""
        with self._lock:
            self._waiting.clear()
            # The marks of many lanes take 40 ms to compute.
            for mark in set(self._busy) - set(marks) if self._busy else ():
                self._terminate(self._busy.pop(mark))

    def _terminate(self, child: Child) -> None:
        """Kill a child without waiting for it, since the window calls this while the user drags a value."""
        kill_child(child)
        self._terminated.append(child)

    def shutdown(self) -> None:
        """Kill all children and wait until they have ended."""
        with self._lock:
            self._waiting.clear()
            for child in (*self._idle, *self._busy.values(), *self._terminated):
                kill_and_wait(child)
            self._idle, self._busy, self._terminated = [], {}, []


def start_compiler(in_background: bool = True) -> Child:
    """Start a process that compiles jobs, with `background_niceness` if `in_background`. It ends with this process."""
    return subprocess.Popen(
        module_command("quatviz.simulation.compilation", *([BACKGROUND_OPTION] if in_background else [])),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def send_job(child: Child, job: bytes) -> None:
    """Send a job to a child. If the child has ended, `poll` detects it later."""
    assert child.stdin is not None
    try:
        child.stdin.write(job + b"\n")
        child.stdin.flush()  # the pipe stays open: its end tells the child that this process has ended
    except OSError:
        log.info("a compiling process has ended")


def kill_and_wait(child: Child) -> None:
    """Kill a child and wait until it has ended."""
    kill_child(child)
    child.wait()


def kill_child(child: Child) -> None:
    """Kill a child without waiting."""
    child.kill()
    if child.stdin is not None:
        with suppress(BrokenPipeError):  # a job sent to a child that has ended is still in the buffer
            child.stdin.close()
