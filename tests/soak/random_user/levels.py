"""Counts of threads, timers and windows, and used memory, to detect leaks."""

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
"""Largest accepted relative growth of used memory between checkpoints.

Resident memory is unsuitable: it varied by 160 of 610 MB within ten minutes, as the system drops and reloads pages of libraries,
and by 40 MB between checkpoints, as the C library returns freed pages. Used memory varies by 10 of 300 MB, so medians of several
checkpoints are compared.
"""

_SMALL_OBJECT_BYTES = 94.0
"""Mean size of a small Python object of the program [bytes]."""


@dataclass(frozen=True)
class ResourceLevels:
    """Counts and used memory at one time. `memory` [MB] excludes undo steps, and is 0 if the system does not report it."""

    elapsed: float
    threads: Counter[str]
    timers: int
    windows: Counter[str]
    widgets: int
    memory: float

    def growth_since(self, earlier: "ResourceLevels") -> list[str]:
        """Return a message for each count that is larger than in `earlier`.

        Windows and menus are created at first use and kept, so the first one of a type and owner is accepted.
        """
        messages = []
        for resource, current, previous in (
            ("threads", self.threads, earlier.threads),
            ("windows", self.windows, earlier.windows),
        ):
            for name, count in current.items():
                is_lazy = name not in previous and (" of " in name or count == 1)
                if count > previous[name] and not is_lazy:
                    messages.append(f"{count} {resource} named {name}, before {previous[name]}")
        if self.timers > earlier.timers:
            messages.append(f"{self.timers} active timers, before {earlier.timers}")
        return messages

    def __str__(self) -> str:
        return (
            f"{self.elapsed:7.1f} s  {self.memory:6.1f} MB  {sum(self.threads.values())} threads  {self.timers} timers  "
            f"{sum(self.windows.values())} windows  {self.widgets} widgets"
        )


def memory_growth(later: Sequence[ResourceLevels], earlier: Sequence[ResourceLevels]) -> list[str]:
    """Return a message if the median memory of later checkpoints exceeds that of earlier ones by `MAX_MEMORY_GROWTH`."""
    current, previous = (median(levels.memory for levels in group) for group in (later, earlier))
    return (
        [f"{current:.0f} MB of memory, before {previous:.0f}"]
        if current > previous * (1.0 + MAX_MEMORY_GROWTH)
        else []
    )


def measure_levels(elapsed: float, undo: float = 0.0) -> ResourceLevels:
    """Collect garbage and return the levels, `elapsed` seconds after the start.

    `undo` is the memory of the undo steps [MB]. It is subtracted, because it has its own limit and depends on the last actions.
    """
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
    """Return the type of a window, and its owner, as each part of the main window has its own menus and lists."""
    owner = window.parentWidget()
    name = type(window).__name__
    return name if owner is None else f"{name} of {type(owner).__name__} {getCppPointer(owner)[0]:x}"


def running_timers() -> list[QTimer]:
    """Return the active timers that were created in Python."""
    objects, timer_classes = gc.get_objects(), {QTimer, *QTimer.__subclasses__()}
    timers = itertools.compress(objects, map(timer_classes.__contains__, map(type, objects)))
    return [timer for timer in timers if isValid(timer) and timer.isActive()]


class _MallInfo(ctypes.Structure):
    """Result of `mallinfo2` of glibc [bytes]."""

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
    """Return the used memory of this process [MB], or 0 if the C library does not report it.

    Small Python objects are counted with their mean size.
    """
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError):
        return 0.0
    mallinfo.restype = _MallInfo
    info = mallinfo()
    return float(info.used + info.mapped + _SMALL_OBJECT_BYTES * sys.getallocatedblocks()) / 1e6
