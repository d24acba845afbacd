"""Columns of Float32 in fewer bytes: the differences of smooth curves are small.

Each component of a column is a series of its own, of integers of 32 bits: multiples of a power of two that is `DIGITS` bits
below its largest value, far below a pixel of any plot; or, where every number counts in its own size as on a log axis, the
floats themselves in the order of their size. Their differences of an order from 0 to 3 stand in blocks of `BLOCK`, each
with as many bits as the widest of its block needs. `assets/web/motion.js` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

BLOCK = 32
DIGITS = 23
_ORDERS = range(4)
_ORDER_BITS, _GRID_BITS, _WIDTH_BITS = 2, 9, 6
_LEAST = -256
"""The power of two that a grid of 0 would stand for, which stands for floats."""


def coded(columns: Iterable[tuple[np.ndarray, bool]]) -> bytes:
    """Columns (rows, k) of float32 as one row of bits, the lowest of each byte first; True for those that keep every bit.

    A series is its order (2 bits), its grid (9 bits: the power of two plus 256, or 0 for floats) and its blocks, a block a
    width (6 bits) and its values; the last block is as short as it has to be. Values are differences modulo 2**32 from a
    series that begins with zeros, signs in the lowest bit.
    """
    bits = [_series(column[:, place], exact) for column, exact in columns for place in range(column.shape[1])]
    return np.packbits(np.concatenate(bits), bitorder="little").tobytes() if bits else b""


def _series(values: np.ndarray, exact: bool) -> np.ndarray:
    """The bits of one component (rows,)."""
    whole, grid = _integers(np.ascontiguousarray(values, "<f4"), exact)
    order, steps, widths = min(
        ((order, steps, _widths(steps)) for order in _ORDERS for steps in (_steps(whole, order),)),
        key=lambda tried: int(tried[2].sum()),
    )
    rows = np.unpackbits(steps[:, None].view("u1"), axis=1, bitorder="little").astype(bool)
    parts = [_number(order, _ORDER_BITS), _number(grid, _GRID_BITS)]
    for block, width in enumerate(widths):
        parts += [
            _number(int(width), _WIDTH_BITS),
            rows[block * BLOCK : (block + 1) * BLOCK, :width].ravel(),
        ]
    return np.concatenate(parts)


def _integers(values: np.ndarray, exact: bool) -> tuple[np.ndarray, int]:
    """A series as int32, and its grid."""
    if not exact and np.isfinite(values).all():
        power = int(np.frexp(np.abs(values.astype(float)).max())[1]) - DIGITS
        return np.rint(np.ldexp(values.astype(float), -power)).astype("<i4"), power - _LEAST
    own = values.view("<i4")
    return own ^ ((own >> 31) & 0x7FFFFFFF), 0  # floats below zero count backwards


def _steps(ordered: np.ndarray, order: int) -> np.ndarray:
    """Differences of an order (rows,), uint32."""
    steps = ordered.astype("<u4")
    for _ in range(order):
        steps = np.diff(steps, prepend=np.zeros(1, "<u4"))
    signed = steps.view("<i4")
    return ((signed << 1) ^ (signed >> 31)).view("<u4")


def _widths(steps: np.ndarray) -> np.ndarray:
    """Bits that each block needs."""
    greatest = np.maximum.reduceat(steps, np.arange(0, len(steps), BLOCK)) if len(steps) else steps
    return np.frexp(greatest.astype(float))[1]


def _number(value: int, bits: int) -> np.ndarray:
    return np.array([value >> place & 1 for place in range(bits)], bool)
