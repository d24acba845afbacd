"""Columns of Float32 in fewer bytes: the differences of smooth curves are small.

Each component of a column is a series of its own, of integers of 32 bits: multiples of a power of two that is `MANTISSA_BITS` bits
below its largest value, far below a pixel of any plot; or, where every number counts in its own size as on a log axis, the
floats themselves in the order of their size. What stands in the file are their differences of an order from 0 to 3, all
lowest bytes of a series first, so that zlib finds the many that are zero. Browsers unpack zlib themselves;
`assets/web/motion.js` does the rest.
"""

import zlib
from collections.abc import Sequence

import numpy as np

MANTISSA_BITS = 23
_DIFFERENCE_ORDERS = range(4)

ColumnEncoding = list[tuple[int, int | None]]
"""Of each component of a column the order of its differences, and its power of two; None where it keeps floats."""


def encode_columns(
    columns: Sequence[tuple[np.ndarray, bool]],
) -> tuple[bytes, list[tuple[int, ColumnEncoding]]]:
    """Columns (rows, k) of float32, packed, and for each of them its rows and what is told of its components.

    True beside a column keeps every bit of it. Values are differences modulo 2**32 from a series that begins with zeros,
    signs in the lowest bit.

    >>> numbers, told = encode_columns([(np.linspace(0.0, 1.0, 1000, dtype="<f4")[:, None], False)])
    >>> told, len(numbers) < 400  # of 4000 bytes
    ([(1000, [(2, -22)])], True)
    """
    packed, encodings = [], []
    for column, exact in columns:
        encoding: ColumnEncoding = []
        for component in range(column.shape[1]):
            integers, power = _to_integers(np.ascontiguousarray(column[:, component], "<f4"), exact)
            order = min(_DIFFERENCE_ORDERS, key=lambda order: _bit_count(_differences(integers, order)))
            packed.append(_differences(integers, order).view("u1").reshape(-1, 4).T.tobytes())
            encoding.append((order, power))
        encodings.append((len(column), encoding))
    return zlib.compress(b"".join(packed), 9), encodings


def _to_integers(values: np.ndarray, exact: bool) -> tuple[np.ndarray, int | None]:
    """A series (rows,) as int32, and the power of two that it counts."""
    if not exact and np.isfinite(values).all():
        power = int(np.frexp(np.abs(values.astype(float)).max())[1]) - MANTISSA_BITS
        return np.rint(np.ldexp(values.astype(float), -power)).astype("<i4"), power
    own = values.view("<i4")
    return own ^ ((own >> 31) & 0x7FFFFFFF), None  # floats below zero count backwards


def _differences(integers: np.ndarray, order: int) -> np.ndarray:
    """Differences of an order (rows,), uint32."""
    steps = integers.astype("<u4")
    for _ in range(order):
        steps = np.diff(steps, prepend=np.zeros(1, "<u4"))
    signed = steps.view("<i4")
    return ((signed << 1) ^ (signed >> 31)).view("<u4")


def _bit_count(steps: np.ndarray) -> float:
    """About as many as they take."""
    return float(np.log2(1.0 + steps).sum())
