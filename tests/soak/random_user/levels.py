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

MAX_MEMORY_GROWTH = 0.05
"""How much more memory the end may need than earlier rests: what is in use, where the window shows the same run at every rest, so
that stored states are the same in both. Resident memory would tell less: the system takes pages of libraries away and reads
them again as it likes, 160 of 610 MB within ten minutes, and of freed memory the C library gives back what stands on pages of
its own, more or less by 40 MB from rest to rest. What is in use comes and goes by 10 of 300 MB, so that the medians of some
rests are compared, not two single ones."""

_SMALL_OBJECT_BYTES = 94.0
"""Bytes of a small object of Python, in the mean over those of the window."""


@dataclass(frozen=True)
class ResourceLevels:
    """Counts at one moment; memory [MB], without what can be undone, is 0 where the system does not tell."""

    elapsed: float
    threads: Counter[str]
    timers: int
    windows: Counter[str]
    widgets: int
    memory: float

    def growth_since(self, earlier: "ResourceLevels") -> list[str]:
        """What there are more of now than in `earlier`, one sentence each. A window that was not there yet is made when it is first
        asked for, and kept, as are the menus of a part of it: only one more of its kind and owner is one too many."""
        messages = []
        for resource, current, previous in (
            ("threads", self.threads, earlier.threads),
            ("windows", self.windows, earlier.windows),
        ):
            for name, count in current.items():
                is_lazy = name not in previous and (" of " in name or count == 1)
                if count > previous[name] and not is_lazy:
                    messages.append(
                        f"{count} {resource} of the kind {name}, earlier there were {previous[name]}"
                    )
        if self.timers > earlier.timers:
            messages.append(f"{self.timers} timers run, earlier there were {earlier.timers}")
        return messages

    def __str__(self) -> str:
        return (
            f"{self.elapsed:7.1f} s  {self.memory:6.1f} MB  {sum(self.threads.values())} threads  {self.timers} timers  "
            f"{sum(self.windows.values())} windows  {self.widgets} widgets"
        )


def memory_growth(rests: Sequence[ResourceLevels], earlier: Sequence[ResourceLevels]) -> list[str]:
    """Whether these rests need more memory than earlier ones, in a sentence."""
    current, previous = (median(levels.memory for levels in some) for some in (rests, earlier))
    return (
        [f"{current:.0f} MB of memory, earlier there were {previous:.0f}"]
        if current > previous * (1.0 + MAX_MEMORY_GROWTH)
        else []
    )


def measure_levels(elapsed: float, undo: float = 0.0) -> ResourceLevels:
    """The levels now, `at` seconds after the beginning; garbage is collected before. `undo` is what of the memory [MB] is kept
    for steps that can be undone: it has a limit of its own, and depends on what was opened last."""
    gc.collect()
    threads = Counter(thread.name for thread in threading.enumerate() if thread.name.startswith("quatviz"))
    windows = Counter(map(_window_name, QApplication.topLevelWidgets()))
    return ResourceLevels(
        elapsed,
        threads,
        len(running_timers()),
        windows,
        len(QApplication.allWidgets()),
        max(used_memory() - undo, 0.0),
    )


def _window_name(window: QWidget) -> str:
    """What a window is, and whose: each part of the main window has menus and lists of its own."""
    owner = window.parentWidget()
    name = type(window).__name__
    return name if owner is None else f"{name} of {type(owner).__name__} {getCppPointer(owner)[0]:x}"


def running_timers() -> list[QTimer]:
    """Every timer of Python that runs."""
    objects, timer_classes = gc.get_objects(), {QTimer, *QTimer.__subclasses__()}
    timers = itertools.compress(objects, map(timer_classes.__contains__, map(type, objects)))
    return [timer for timer in timers if isValid(timer) and timer.isActive()]


class _MallInfo(ctypes.Structure):
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


def used_memory() -> float:
    """What of its memory this process uses [MB], small objects of Python with their mean size; 0 where the C library does not
    tell."""
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError):
        return 0.0
    mallinfo.restype = _MallInfo
    info = mallinfo()
    return float(info.used + info.mapped + _SMALL_OBJECT_BYTES * sys.getallocatedblocks()) / 1e6
