"""Coarse-to-fine order in which the points of a grid are computed, so that a map is visible from the beginning.

The points whose indices along all axes are multiples of 2^k are computed first, then the remaining multiples of
2^(k-1), and so on. Each of these levels consists of 2^d - 1 disjoint lattices, one per combination of axes along which
indices are odd multiples. The indices of a point can therefore be computed from its position in the order, and vice
versa, without a list of all points.
"""

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np


class Lattice(NamedTuple):
    """The points `offset + stride * n` of a grid, with `counts` points along each axis.

    `points_before` is the number of points that precede them in the order.
    """

    offset: tuple[int, ...]
    stride: int
    counts: tuple[int, ...]
    points_before: int


class CoarseToFine:
    """Coarse-to-fine order of a grid of the given shape.

    >>> order = CoarseToFine((3, 5))
    >>> order.grid_indices(0, 6).tolist()  # every second point, then the points between
    [[0, 0], [0, 4], [0, 2], [2, 0], [2, 4], [2, 2]]
    """

    def __init__(self, shape: Sequence[int]) -> None:
        self.shape = tuple(shape)
        self.count = math.prod(self.shape)

    @cached_property
    def lattices(self) -> list[Lattice]:
        levels = max((size - 1).bit_length() for size in self.shape) if self.shape else 0
        result, before = [], 0
        for level in range(levels, -1, -1):
            half = 2**level
            parities = itertools.product((0, 1), repeat=len(self.shape))
            for parity in parities:
                if level < levels and not any(parity):
                    continue
                stride = 2 * half if level < levels else half
                offset = tuple(odd * half for odd in parity) if level < levels else (0,) * len(self.shape)
                counts = tuple(
                    max(0, -(-(size - start) // stride))
                    for size, start in zip(self.shape, offset, strict=True)
                )
                if math.prod(counts):
                    result.append(Lattice(offset, stride, counts, before))
                    before += math.prod(counts)
                if level == levels:
                    break
        return result

    def grid_indices(self, start: int, stop: int) -> np.ndarray:
        """Return the indices (n, d) along each axis of the points from position `start` to `stop` of the order."""
        parts = [np.empty((0, len(self.shape)), dtype=np.int64)]
        for offset, stride, counts, before in self.lattices:
            low, high = max(start, before), min(stop, before + math.prod(counts))
            if low < high:
                indices = np.unravel_index(np.arange(low - before, high - before), counts or (1,))
                rows = np.stack(indices[: len(counts)], axis=1)
                parts.append(np.array(offset, dtype=np.int64) + stride * rows)
        return np.concatenate(parts)
