"""What must not grow: threads, timers, windows, memory."""

import ctypes
import gc
import itertools
import os
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer, isValid

GROWTH = 0.05
"""How much more memory the end may need than earlier rests: resident memory, where the window shows the same
run at every rest, so that stored states are the same in both; what the C library keeps of freed memory for later is given
back before, as it comes and goes by a tenth of all and is not needed. Pages that it cannot give back, for something small on
them is in use, still come and go by 30 of 650 MB from rest to rest while what is in use does not change: so the medians of
some rests are compared, not two single ones."""


@dataclass(frozen=True)
class Levels:
    """Counts at one moment; memory [MB] is 0 where the system does not tell."""

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


def measure(at: float) -> Levels:
    """The levels now, `at` seconds after the beginning; garbage is collected, and freed memory given back, before."""
    gc.collect()
    _give_back()
    threads = Counter(thread.name for thread in threading.enumerate() if thread.name.startswith("quatviz"))
    windows = Counter(map(_kind, QApplication.topLevelWidgets()))
    return Levels(at, threads, len(running_timers()), windows, len(QApplication.allWidgets()), memory())


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


def memory() -> float:
    """Resident memory of this process [MB]; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _give_back() -> None:
    """Let the C library return what is freed to the system, where it can be told to."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
