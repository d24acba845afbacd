"""Loads whose magnitudes are expressions of time, divided into loads with numbers. Not a load of its own.

A load is linear in its timed fields together, so that it is the load with zeros in place of its expressions, and for each
expression the load with 1 there and 0 in every other timed field, multiplied by the value of the expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.core.body import Body
from quatviz.core.coerce import has_time
from quatviz.core.expression import Expression
from quatviz.core.loads.base import Load
from quatviz.core.parameters import declared


def is_timed(load: Load) -> bool:
    """Whether any number of a load is an expression of time."""
    return any(has_time(getattr(load, name)) for name in _timed_fields(load))


def divided(load: Any) -> list[tuple[Load, Expression | None]]:
    """Loads with numbers, each with the expression that it is multiplied by; the load itself where it has none."""
    if not is_timed(load):
        return [(load, None)]
    fields = {name: getattr(load, name) for name in _timed_fields(load)}
    nothing = {name: _zeros(value) for name, value in fields.items()}
    steady = {name: _numbers(value) for name, value in fields.items()}
    parts: list[tuple[Load, Expression | None]] = []
    if any(np.any(value) for value in steady.values()):
        parts.append((replace(load, **steady), None))
    for name, value in fields.items():
        for expression, unit in _units(value):
            parts.append((replace(load, **{**nothing, name: unit}), expression))
    return parts


class Divided(Load):
    """A load with expressions on a body: every method is the sum over what it is divided into."""

    name = "divided"

    def __init__(self, load: Load, body: Body) -> None:
        self.load = load
        kind = type(load)
        vars(self).update(
            name=load.name, gradient_kernel=kind.gradient_kernel, position_matters=load.position_matters
        )
        self._parts = [(part.bound(body), factor) for part, factor in divided(load)]

    def __getattr__(self, name: str) -> Any:
        """What the load has that is no magnitude, such as the anchor of a spring."""
        return getattr(self.__dict__["load"], name)

    @property
    def keeps_energy(self) -> bool:
        return False

    def row(self) -> tuple[float, ...]:
        raise TypeError(f"a {self.load.name} with expressions has several rows")

    def applied(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        return self._force([(load.applied(t, p), factor) for load, factor in self._parts], t)

    def acting(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        return self._force([(load.acting(t, p), factor) for load, factor in self._parts], t)

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        moments = (_times(factor, t, load.moment(t, p, omega)) for load, factor in self._parts)
        return sum(moments, np.zeros((len(p), 3)))

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        parts = (
            load.potential(t, p) * (1.0 if factor is None else factor.at(t)) for load, factor in self._parts
        )
        return sum(parts, np.zeros(p.shape[:-1]))

    def _force(self, forces: list[Any], t: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """The sum of forces at one point: where a load acts is no magnitude."""
        if any(force is None for force, _ in forces):
            return None
        total = sum(_times(factor, t, force[0]) for force, factor in forces)
        return np.asarray(total), forces[0][0][1]


def _timed_fields(load: Load) -> tuple[str, ...]:
    return tuple(name for name, parameter in declared(type(load)).items() if parameter.timed)


def _times(factor: Expression | None, t: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return vectors if factor is None else factor.at(t)[:, None] * vectors


def _zeros(value: Any) -> Any:
    return 0.0 if np.ndim(_numbers(value)) == 0 else [0.0] * len(value)


def _numbers(value: Any) -> Any:
    """The value with zeros in place of expressions."""
    if isinstance(value, tuple):
        return [0.0 if isinstance(item, Expression) else item for item in value]
    return 0.0 if isinstance(value, Expression) else value


def _units(value: Any) -> Iterator[tuple[Expression, Any]]:
    """Each expression, with 1 in its place and zeros in the others."""
    if isinstance(value, Expression):
        yield value, 1.0
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            if isinstance(item, Expression):
                yield item, [1.0 if other == place else 0.0 for other in range(len(value))]
