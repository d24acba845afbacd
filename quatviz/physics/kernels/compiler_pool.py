"""Child processes that compile kernels. Nothing that computes is imported here, so that one can be started first of all.

A child ends with the process that started it, however that ends: it hears the pipe to it close. Nothing needs to be
said for that, so that it holds for a signal and a power of the system that kills (SIGTERM, SIGHUP, SIGKILL) as well.
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
"""That compile at once at most, beside a window."""
READY_SUFFIX = ".ready"
"""Of the file that says that something is compiled."""

Child = subprocess.Popen[bytes]


def has_cached_kernels() -> bool:
    """Whether anything is, on this machine or by who made the program for its processor."""
    folders = (resources.kernel_folder(), resources.shipped_kernel_folder())
    return any(path for folder in folders if folder is not None for path in folder.glob(f"*{READY_SUFFIX}"))


class CompilerPool:
    """Children that compile lanes, one after the other each, as long as there is something to compile. Any thread may ask it."""

    def __init__(self, size: int = MAX_PROCESSES) -> None:
        self._size = max(1, min(size, os.cpu_count() or 1))
        self._waiting: dict[Path, bytes] = {}
        """What is to be compiled, by the mark that it will leave."""
        self._busy: dict[Path, Child] = {}
        """Who compiles what, by its mark."""
        self._idle: list[Child] = []
        self._final_marks: set[Path] = set()
        """The marks after which a child ends by itself."""
        self.failed: dict[Path, int] = {}
        """The status with which a child ended that was to leave a mark, and has not."""
        self._terminated: list[Child] = []
        """Who was told to end, and may need a while for it: a system ends what is large, or has to wait, when it comes to it."""
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start one child that has nothing to do yet: to import what compiles takes it as long as what it compiles."""
        with self._lock:
            self._idle.append(start_compiler())

    def request(self, mark: Path, job: bytes, last: bool = False) -> None:
        """Have this compiled, in its turn, as `simulation.compilation` tells it to a child; where it is the `last` that the child
        is told, nothing more comes to it."""
        with self._lock:
            if last:
                self._final_marks.add(mark)
            if mark not in self._busy and mark not in self._waiting:
                self._waiting[mark] = job

    def poll(self) -> int:
        """Give those who are done something else, and let go for whom there is nothing; how many lanes are left to compile."""
        with self._lock:
            for mark, child in list(self._busy.items()):
                has_ended, is_compiled = child.poll() is not None, mark.exists()
                if is_compiled and not has_ended and mark not in self._final_marks:
                    self._idle.append(self._busy.pop(mark))
                elif is_compiled and has_ended:
                    self._terminate(self._busy.pop(mark))
                elif has_ended:
                    # Better slow than stuck: who asked compiles it, and the log says why.
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
        """Whether somebody has time for what will leave this mark."""
        if not self._idle and len(self._busy) < self._size:
            self._idle.append(start_compiler())
        if not self._idle:
            return False
        child = self._idle.pop()
        self._busy[mark] = child
        send_job(child, self._waiting[mark])
        return True

    def cancel_others(self, marks: Iterable[Path]) -> None:
        """Go on with what will leave one of these marks, and leave the rest."""
        needed = set(marks)
        with self._lock:
            self._waiting.clear()
            for mark in set(self._busy) - needed:
                self._terminate(self._busy.pop(mark))

    def _terminate(self, child: Child) -> None:
        """End a child, and wait for nothing: the window asks, while a hand drags a number."""
        kill_child(child)
        self._terminated.append(child)

    def shutdown(self) -> None:
        """End all, and wait for it."""
        with self._lock:
            self._waiting.clear()
            for child in (*self._idle, *self._busy.values(), *self._terminated):
                kill_and_wait(child)
            self._idle, self._busy, self._terminated = [], {}, []


def start_compiler() -> Child:
    """A process that compiles what it is told, and ends with this one."""
    return subprocess.Popen(
        module_command("quatviz.simulation.compilation"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def send_job(child: Child, job: bytes) -> None:
    """Tell a child what comes next. One that has ended hears nothing; that is found out elsewhere."""
    assert child.stdin is not None
    try:
        child.stdin.write(job + b"\n")
        child.stdin.flush()  # and left open: that it closes says to the child that this process is gone
    except OSError:
        log.info("a compiling process has ended")


def kill_and_wait(child: Child) -> None:
    """End a child at once, whatever it is at, and wait for it."""
    kill_child(child)
    child.wait()


def kill_child(child: Child) -> None:
    """Have a child ended, whatever it is at: as soon as the system comes to it."""
    child.kill()
    if child.stdin is not None:
        with suppress(BrokenPipeError):  # what it was told when it had ended already is still on its way
            child.stdin.close()
