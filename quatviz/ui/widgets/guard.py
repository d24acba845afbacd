"""Guards for Python overrides of Qt's virtual methods, such as `paintEvent`, `paintGL` and `event`.

On Python 3.11 and earlier, an exception raised by C code (`1/0`, `len(3)`) kills the process if it leaves such an override.
A guarded override logs the exception, once per exception type and method. The window shows what is logged here
(`process_hooks.FaultLogHandler`).
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
"""Names of overridden methods that return a value to Qt or pyqtgraph. If such a method raises an exception, the result
of the base class is returned instead."""
VOID_VIRTUALS = frozenset(
    [
        "paint",
        "initStyleOption",
        "initializeGL",
        "paintGL",
        "resizeGL",
        "done",
        "scrollContentsBy",
        "insertFromMimeData",
        "keyboardSearch",
        "setVisible",
        "undo",
        "redo",
        "nextCheckState",
        "showPopup",
        "hidePopup",
    ]
)
"""Names of overridden methods that return no value. All methods whose names end in `Event` belong to them too, and are
not listed."""


class Guarded:
    """A base class that guards its subclasses' overrides of Qt methods against exceptions.

    List it first: `class Dial(Guarded, QWidget)`. Mixins such as `Themed` derive from it too.
    """

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name, override in list(vars(cls).items()):
            if is_virtual(name) and callable(override):
                setattr(cls, name, _guarded_override(cls, name, override))


def is_virtual(name: str) -> bool:
    """Return True if Qt calls methods of this name from C++."""
    return name.endswith("Event") or name in RETURNING_VIRTUALS or name in VOID_VIRTUALS


def guarded(override: Override) -> Override:
    """Wrap a callback that C++ code calls. If the callback raises an exception, it is logged and None is returned."""

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
    """Log an exception raised in `context`, once per exception type."""
    key = f"{context}: {type(fault).__name__}"  # the message may differ in each frame
    if key not in _reported:
        _reported.add(key)
        log.exception("an exception in %s", context)
    # A QPainter among the locals of the log record would outlive its widget and crash.
    traceback.clear_frames(fault.__traceback__)
