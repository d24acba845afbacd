"""Overrides of C++ virtuals that never let an exception out.

On Python 3.11 and earlier an exception raised by C code (`1/0`, `len(3)`) that leaves a Python override of a virtual
(`paintEvent`, `paintGL`, `event`) kills the process. A guarded override logs it, once for each kind of fault; the window
hears of what is logged here (`process_hooks.FaultLogHandler`).
"""

import functools
import logging
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from quatviz.base.errors import PLUGIN_EXCEPTIONS

log = logging.getLogger(__name__)

Override = TypeVar("Override", bound=Callable[..., Any])
_reported: set[str] = set()

RETURNING_VIRTUALS = frozenset(
    {"event", "eventFilter", "viewportEvent", "focusNextPrevChild", "loadResource"}
) | {
    *("sizeHint", "minimumSizeHint", "heightForWidth", "hasHeightForWidth", "boundingRect", "shape"),
    *("tickValues", "tickStrings", "moveCursor"),
}
"""Virtuals of which Qt (or pyqtgraph, from within Qt) wants an answer: after a fault it gets that of the class above."""
VOID_VIRTUALS = frozenset(
    [
        "paint",
        "initStyleOption",
        "initializeGL",
        "paintGL",
        "resizeGL",
        "done",
        "scrollContentsBy",
        "keyboardSearch",
        "setVisible",
        "undo",
        "redo",
        "showPopup",
        "hidePopup",
    ]
)
"""Virtuals without an answer, beside all those that end in `Event`."""


class Guarded:
    """First among the bases of every class that overrides virtuals: `class Dial(Guarded, QWidget)` guards all that it overrides,
    and so does what is no widget yet, such as `Themed`."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name, override in list(vars(cls).items()):
            if is_virtual(name) and callable(override):
                setattr(cls, name, _guarded_override(cls, name, override))


def is_virtual(name: str) -> bool:
    """Whether Qt calls a method of this name from C++, where a class of Qt has one."""
    return name.endswith("Event") or name in RETURNING_VIRTUALS or name in VOID_VIRTUALS


def guarded(override: Override) -> Override:
    """Wrap what C++ calls, a virtual or not, so that an exception is logged and nothing is returned."""

    @functools.wraps(override)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        try:
            return override(*arguments, **named)
        except PLUGIN_EXCEPTIONS as fault:
            log_exception_once(fault, override.__qualname__)
            return None

    return wrapped  # type: ignore[return-value]


def _guarded_override(cls: type, name: str, override: Callable[..., Any]) -> Callable[..., Any]:
    if name not in RETURNING_VIRTUALS:
        return guarded(override)

    @functools.wraps(override)
    def wrapped(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return override(self, *arguments, **named)
        except PLUGIN_EXCEPTIONS as fault:
            log_exception_once(fault, override.__qualname__)
            return getattr(super(cls, self), name)(*arguments, **named)

    return wrapped


def log_exception_once(fault: BaseException, context: str) -> None:
    """Log a fault that was met while handling `context`, unless one of its kind was."""
    key = f"{context}: {type(fault).__name__}"  # its words may differ in each frame
    if key not in _reported:
        _reported.add(key)
        log.exception("a fault while handling %s", context)
    # A painter among the locals would outlive its widget with whoever keeps the log's record, and die badly.
    traceback.clear_frames(fault.__traceback__)
