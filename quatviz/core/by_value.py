"""Equality of objects that hold arrays."""

from __future__ import annotations

from dataclasses import fields

import numpy as np


class ByValue:
    """Equality and hash of a frozen dataclass by the values of its fields, arrays included.

    The comparison that `dataclass` generates asks an array for its truth value, which raises. Extend
    this class and say `@dataclass(frozen=True, eq=False)`; a field with `compare=False` is left out.
    """

    def _values(self) -> tuple[object, ...]:
        """The compared fields, arrays as nested tuples (so that 0.0 and -0.0 hash alike)."""
        return tuple(
            _hashable(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.compare
        )

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, ByValue):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))


def _hashable(value: object) -> object:
    return _nested_tuple(value.tolist()) if isinstance(value, np.ndarray) else value


def _nested_tuple(value: object) -> object:
    return tuple(_nested_tuple(item) for item in value) if isinstance(value, list) else value
