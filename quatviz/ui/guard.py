"""Overrides of C++ virtuals that never let an exception out.

On Python 3.11 and earlier an exception raised by C code (`1/0`, `len(3)`) that leaves a Python override of a virtual
(`paintEvent`, `paintGL`, `event`) kills the process. A guarded override logs it, once for each kind of fault; the window
hears of what is logged here (`process_hooks.GuardedFaults`).
"""

from __future__ import annotations

import functools
import logging
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

log = logging.getLogger(__name__)

Override = TypeVar("Override", bound=Callable[..., Any])
_told: set[str] = set()


def guarded(override: Override) -> Override:
    """Wrap an override so that an exception is logged and nothing is returned."""

    @functools.wraps(override)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        try:
            return override(*arguments, **named)
        except Exception as fault:
            what = f"{override.__qualname__}: {type(fault).__name__}"  # its words may differ in each frame
            if what not in _told:
                _told.add(what)
                log.exception("a fault while handling %s", override.__qualname__)
            # A painter among the locals would outlive its widget with whoever keeps the log's record, and die badly.
            traceback.clear_frames(fault.__traceback__)
            return None

    return wrapped  # type: ignore[return-value]
