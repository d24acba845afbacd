"""What must not grow: threads, timers, windows, memory."""

import ctypes
import gc
import itertools
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer, isValid

GROWTH = 0.05
"""How much more memory the end may need than earlier rests: what is in use, where the window shows the same run at every rest, so
that stored states are the same in both. Resident memory would tell less: the system takes pages of libraries away and reads
them again as it likes, 160 of 610 MB within ten minutes, and of freed memory the C library gives back what stands on pages of
its own, more or less by 40 MB from rest to rest. What is in use comes and goes by 10 of 300 MB, so that the medians of some
rests are compared, not two single ones."""

_BLOCK = 94.0
"""Bytes of a small object of Python, in the mean over those of the window."""


@dataclass(frozen=True)
class Levels:
    """Counts at one moment; memory [MB], without what can be undone, is 0 where the system does not tell."""

    at: float
    threads: Counter[str]
    timers: int
    windows: Counter[str]
    widgets: int
    memory: float

    def grown(self, first: "Levels") -> list[str]:
        """What there are more of now than in `first`, one sentence each. A window that was not there yet is made when it is first
        asked for, and kept, as are the menus of a part of it: only one more of its kind and owner is one too many."""
        said = []
        for what, now, then in (
            ("threads", self.threads, first.threads),
            ("windows", self.windows, first.windows),
        ):
            for kind, count in now.items():
                lazy = kind not in then and (" of " in kind or count == 1)
                if count > then[kind] and not lazy:
                    said.append(f"{count} {what} of the kind {kind}, earlier there were {then[kind]}")
        if self.timers > first.timers:
            said.append(f"{self.timers} timers run, earlier there were {first.timers}")
        return said

    def __str__(self) -> str:
        return (
            f"{self.at:7.1f} s  {self.memory:6.1f} MB  {sum(self.threads.values())} threads  {self.timers} timers  "
            f"{sum(self.windows.values())} windows  {self.widgets} widgets"
        )


def memory_grown(rests: Sequence[Levels], earlier: Sequence[Levels]) -> list[str]:
    """Whether these rests need more memory than earlier ones, in a sentence."""
    now, then = (median(levels.memory for levels in some) for some in (rests, earlier))
    return [f"{now:.0f} MB of memory, earlier there were {then:.0f}"] if now > then * (1.0 + GROWTH) else []


def measure(at: float, undo: float = 0.0) -> Levels:
    """The levels now, `at` seconds after the beginning; garbage is collected before. `undo` is what of the memory [MB] is kept
    for steps that can be undone: it has a limit of its own, and depends on what was opened last."""
    gc.collect()
    threads = Counter(thread.name for thread in threading.enumerate() if thread.name.startswith("quatviz"))
    windows = Counter(map(_kind, QApplication.topLevelWidgets()))
    return Levels(
        at, threads, len(running_timers()), windows, len(QApplication.allWidgets()), max(memory() - undo, 0.0)
    )


def _kind(window: QWidget) -> str:
    """What a window is, and whose: each part of the main window has menus and lists of its own."""
    owner = window.parentWidget()
    kind = type(window).__name__
    return kind if owner is None else f"{kind} of {type(owner).__name__} {getCppPointer(owner)[0]:x}"


def running_timers() -> list[QTimer]:
    """Every timer of Python that runs."""
    objects, kinds = gc.get_objects(), {QTimer, *QTimer.__subclasses__()}
    timers = itertools.compress(objects, map(kinds.__contains__, map(type, objects)))
    return [timer for timer in timers if isValid(timer) and timer.isActive()]


class _Told(ctypes.Structure):
    """What the C library tells of its memory: `mallinfo2` of glibc [bytes]."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "mapped",
            "usmblks",
            "fsmblks",
            "used",
            "free",
            "top",
        )
    )


def memory() -> float:
    """What of its memory this process uses [MB], small objects of Python with their mean size; 0 where the C library does not
    tell."""
    try:
        tell = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError):
        return 0.0
    tell.restype = _Told
    told = tell()
    return float(told.used + told.mapped + _BLOCK * sys.getallocatedblocks()) / 1e6
