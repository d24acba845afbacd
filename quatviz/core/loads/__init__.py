"""Loads, one file each, and the one array in which kernels read them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatviz.core.loads.base import ROW, Load
from quatviz.core.registry import Registry

LOADS: Registry[Load] = Registry(__name__, Load)


def pack(loads: Sequence[Load]) -> np.ndarray:
    """The loads as kernels read them: (number of loads, 1 + ROW) floats, the kind's number first."""
    rows = np.zeros((len(loads), 1 + ROW))
    kinds = list(LOADS)
    for row, load in zip(rows, loads, strict=True):
        numbers = load.row()
        row[0] = kinds.index(load.name)
        row[1 : 1 + len(numbers)] = numbers
    return rows


def potential(loads: Sequence[Load], p: np.ndarray) -> np.ndarray:
    """Potential energy V (n,) [J] of all loads at Euler parameters (n, 4), as they are, not normalised."""
    return sum((load.potential(p) for load in loads), np.zeros(p.shape[:-1]))
