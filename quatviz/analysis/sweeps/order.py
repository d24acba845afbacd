"""Coarse to fine: the order in which the points of a grid are computed, so that a map is seen from the first second on.

First come the points whose numbers along all axes are multiples of 2^k, then those of 2^(k-1) that are not there yet, and so
on. Each such set is 2^d - 1 grids without overlap, one for each way in which numbers can be odd multiples along some of the d
axes: so a point is found from its place in the order, and back, without a list of all points."""

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np


class Lattice(NamedTuple):
    """The points `offset + stride * n` of a grid, `counts` of them along each axis, of which `points_before` come first in the
    order."""

    offset: tuple[int, ...]
    stride: int
    counts: tuple[int, ...]
    points_before: int


class CoarseToFine:
    """The order of a grid of a `shape`.

    >>> order = CoarseToFine((3, 5))
    >>> order.grid_indices(0, 6).tolist()  # every second point, then what lies between
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
        """The numbers (n, d) along each axis of the points from place `start` to `stop` of the order."""
        parts = [np.empty((0, len(self.shape)), dtype=np.int64)]
        for offset, stride, counts, before in self.lattices:
            low, high = max(start, before), min(stop, before + math.prod(counts))
            if low < high:
                indices = np.unravel_index(np.arange(low - before, high - before), counts or (1,))
                rows = np.stack(indices[: len(counts)], axis=1)
                parts.append(np.array(offset, dtype=np.int64) + stride * rows)
        return np.concatenate(parts)
