"""Something that others want to be told of. Without Qt, so that models can use it."""

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod

from quatviz.base.errors import PLUGIN_EXCEPTIONS


class Signal:
    """Something that is told to whoever has asked for it. Methods are held weakly: an object that is gone hears nothing."""

    def __init__(self) -> None:
        self._callback_refs: list[Callable[[], Callable[..., object] | None]] = []

    def connect(self, callback: Callable[..., object]) -> None:
        """Call this from now on."""
        self._callback_refs.append(
            WeakMethod(callback) if isinstance(callback, MethodType) else lambda: callback
        )

    def disconnect(self, callback: Callable[..., object]) -> None:
        """Call this no more."""
        self._callback_refs = [
            reference for reference in self._callback_refs if reference() not in (None, callback)
        ]

    def emit(self, *values: Any) -> None:
        """Tell it, in the order in which they asked. A fault of one keeps nobody else from it; the first is raised at the
        end."""
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
        """Tell nobody any more."""
        self._callback_refs.clear()
