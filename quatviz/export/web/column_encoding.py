"""Compact encoding of float32 columns, based on the small differences of smooth curves.

Each component of a column is encoded as a series of 32-bit integers. They count multiples of a power of two that is
`MANTISSA_BITS` bits below the largest value, far below a pixel of any plot. If every value needs its own precision,
as on a log axis, the integers are the bits of the floats, mapped so that their order is preserved. The encoding
contains differences of order 0 to 3. The lowest bytes of all integers in a series come first, then the next bytes,
so that zlib compresses the many zeros. Browsers decompress zlib themselves; `assets/web/motion.js` decodes the
remainder.
"""

import zlib
from collections.abc import Sequence

import numpy as np

MANTISSA_BITS = 23
_DIFFERENCE_ORDERS = range(4)

ColumnEncoding = list[tuple[int, int | None]]
"""Encoding of a column: for each component, the order of the stored differences and an exponent k.

The integers are multiples of 2^k. If k is None, they are the bits of the floats.
"""


def encode_columns(
    columns: Sequence[tuple[np.ndarray, bool]],
) -> tuple[bytes, list[tuple[int, ColumnEncoding]]]:
    """Encode columns (rows, k) of float32.

    Parameters
    ----------
    columns
        Pairs of a column and a flag that is True to keep all bits of its values.

    Returns
    -------
    bytes
        The compressed columns. Each series is extended by zeros before its first value, and differences are computed
        modulo 2**32. The sign of a difference is in the lowest bit.
    list
        Number of rows and encoding of each column.

    Examples
    --------
    >>> data, encodings = encode_columns([(np.linspace(0.0, 1.0, 1000, dtype="<f4")[:, None], False)])
    >>> encodings, len(data) < 400  # of 4000 bytes
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
    """Convert one component (rows,) of a column to integers. Return them as int32, and the exponent k of their unit 2^k.

    If `exact` is True or a value is not finite, the integers are the bits of the floats, and the exponent is None.
    """
    if not exact and np.isfinite(values).all():
        power = int(np.frexp(np.abs(values.astype(float)).max())[1]) - MANTISSA_BITS
        return np.rint(np.ldexp(values.astype(float), -power)).astype("<i4"), power
    own = values.view("<i4")
    return own ^ ((own >> 31) & 0x7FFFFFFF), None  # negative floats are ordered backwards


def _differences(integers: np.ndarray, order: int) -> np.ndarray:
    """Return the differences of the given order of a series of integers (rows,). They are uint32 with the sign in the lowest
    bit."""
    steps = integers.astype("<u4")
    for _ in range(order):
        steps = np.diff(steps, prepend=np.zeros(1, "<u4"))
    signed = steps.view("<i4")
    return ((signed << 1) ^ (signed >> 31)).view("<u4")


def _bit_count(steps: np.ndarray) -> float:
    """Return the approximate number of bits that are needed to store a series of differences."""
    return float(np.log2(1.0 + steps).sum())
