"""Something that others want to be told of. Without Qt, so that models can use it."""

from collections.abc import Callable
from types import MethodType
from typing import Any
from weakref import WeakMethod


class Told:
    """Something that is told to whoever has asked for it. Methods are held weakly: an object that is gone hears nothing."""

    def __init__(self) -> None:
        self._calls: list[Callable[[], Callable[..., object] | None]] = []

    def connect(self, call: Callable[..., object]) -> None:
        """Call this from now on."""
        self._calls.append(WeakMethod(call) if isinstance(call, MethodType) else lambda: call)

    def disconnect(self, call: Callable[..., object]) -> None:
        """Call this no more."""
        self._calls = [one for one in self._calls if one() not in (None, call)]

    def emit(self, *values: Any) -> None:
        """Tell it, in the order in which they asked. A fault of one keeps nobody else from it; the first is raised at the
        end."""
        faults: list[Exception] = []
        for call in [one() for one in self._calls]:
            try:
                if call is not None:
                    call(*values)
            except Exception as fault:
                faults.append(fault)
        if faults:
            raise faults[0]

    def clear(self) -> None:
        """Tell nobody any more."""
        self._calls.clear()
