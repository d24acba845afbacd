"""Loads whose torque depends on the inertia of the body that they act on. Not a load of its own."""

from __future__ import annotations

from copy import copy
from typing import TypeVar

import numpy as np

from quatviz.core.body import Body
from quatviz.core.kernel import inline
from quatviz.core.loads.base import Load

Own = TypeVar("Own", bound="OfInertia")


@inline
def times_six(row, first, v):
    """J v, with the six numbers of J from `row[first]` on: 11, 22, 33, 12, 13, 23."""
    j11, j22, j33 = row[first], row[first + 1], row[first + 2]
    j12, j13, j23 = row[first + 3], row[first + 4], row[first + 5]
    return (
        j11 * v[0] + j12 * v[1] + j13 * v[2],
        j12 * v[0] + j22 * v[1] + j23 * v[2],
        j13 * v[0] + j23 * v[1] + j33 * v[2],
    )


class OfInertia(Load):
    """A load that has to be bound to a body before its kernels or its methods are called."""

    def bound(self: Own, body: Body) -> Own:
        other = copy(self)
        object.__setattr__(other, "_inertia", body.inertia)
        return other

    @property
    def inertia(self) -> np.ndarray:
        """J (3, 3) [kg m^2] of the body."""
        found = vars(self).get("_inertia")
        if found is None:
            raise TypeError(f"{self.name} needs a body: call `bound` first")
        return found

    @property
    def six(self) -> tuple[float, ...]:
        """J as `times_six` reads it."""
        J = self.inertia
        return tuple(float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
