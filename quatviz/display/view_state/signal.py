"""A signal with callbacks that does not need Qt, so that models can use it."""

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod

from quatviz.base.errors import PLUGIN_EXCEPTIONS


class Signal:
    """Signal with connected callbacks, as in Qt. Bound methods are referenced weakly, so that a connection does not
    keep their objects alive."""

    def __init__(self) -> None:
        self._callback_refs: list[Callable[[], Callable[..., object] | None]] = []

    def connect(self, callback: Callable[..., object]) -> None:
        """Call `callback` at each `emit`."""
        self._callback_refs.append(
            WeakMethod(callback) if isinstance(callback, MethodType) else lambda: callback
        )

    def disconnect(self, callback: Callable[..., object]) -> None:
        """Stop calling `callback`."""
        self._callback_refs = [
            reference for reference in self._callback_refs if reference() not in (None, callback)
        ]

    def emit(self, *values: Any) -> None:
        """Call all callbacks in the order of connection. If some raise errors, the others are called nevertheless, and
        the first error is raised at the end."""
        errors: list[BaseException] = []
        for callback in [reference() for reference in self._callback_refs]:
            try:
                if callback is not None:
                    callback(*values)
            except PLUGIN_EXCEPTIONS as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def clear(self) -> None:
        """Disconnect all callbacks."""
        self._callback_refs.clear()
