"""Equality of dataclasses whose fields contain arrays."""

from dataclasses import fields, is_dataclass

import numpy as np


class ArrayEquality:
    """Equality and hash of a frozen dataclass by the values of its fields, arrays included.

    The comparison that `dataclass` generates evaluates the truth value of arrays, which raises an error. Extend
    this class and decorate with `@dataclass(frozen=True, eq=False)`. Fields with `compare=False` are ignored.
    Dataclasses among the values are compared in the same way, even if they do not extend this class.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, ArrayEquality):
            return NotImplemented
        return self is other or _values_equal(self, other)

    def _equals_except(self, other: "ArrayEquality", *names: str) -> bool:
        """Return True if `other` is equal in all compared fields except the fields `names`. `other` must be an
        instance of the same class.
        """
        compared = (field.name for field in fields(self) if field.compare and field.name not in names)  # type: ignore[arg-type]
        return all(_values_equal(getattr(self, name), getattr(other, name)) for name in compared)

    def __hash__(self) -> int:
        return hash(field_values(self))


def _values_equal(value: object, other: object) -> bool:
    """Return True if two values are equal; arrays are equal if all their elements are.

    Identical objects are not inspected, and the first difference ends the comparison. This matters because presets,
    which share most of their parts, are compared at every mouse move of an edit.
    """
    if value is other:
        return True
    if is_dataclass(value) and type(value) is type(other):
        compared = (field.name for field in fields(value) if field.compare)
        return all(_values_equal(getattr(value, name), getattr(other, name)) for name in compared)
    if isinstance(value, tuple) and isinstance(other, tuple):
        return len(value) == len(other) and all(map(_values_equal, value, other))
    return bool(_hashable(value) == _hashable(other))


def field_values(instance: object) -> tuple[object, ...]:
    """Return the type and the compared fields of a dataclass as nested tuples, which can be compared and hashed."""
    compared = (field.name for field in fields(instance) if field.compare)  # type: ignore[arg-type]
    return (type(instance), *(_hashable(getattr(instance, name)) for name in compared))


def _hashable(value: object) -> object:
    if isinstance(value, np.ndarray):
        return _hashable(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return field_values(value)
    return value
