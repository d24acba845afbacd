"""Multiprecision arithmetic for the constants of a closed form, and phases that stay accurate at any time.

Near a separatrix, or after a million seconds, a phase depends on digits that are lost if the input is multiplied in
double precision. All constants of a motion are therefore computed with `DIGITS` decimal digits from the given
doubles, which count as exact. Values per sample are computed in double precision.
"""

from collections.abc import Iterable
from threading import local
from typing import Any

import numpy as np

DIGITS = 160
"""Number of decimal digits of all constants.

So many are needed because a double root of a polynomial has only half of the digits, and differences of products of
doubles lose up to a hundred.
"""
ROUNDING_LIMIT = 1e-60
"""Relative magnitude below which a result counts as a rounding error, if its computation includes a square root."""
ZERO_LIMIT = 1e-120
"""Relative magnitude below which a result counts as a rounding error, if its computation includes no square root."""

_SPLITTER = 134217729.0  # 2^27 + 1, Veltkamp's


_thread_data = local()


def context() -> Any:
    """Return mpmath's functions with `DIGITS` digits, in a context that belongs to the current thread.

    mpmath's functions raise the precision for a moment. If threads shared a context, a call in one thread would
    keep the precision that another thread has raised, and the precision would grow with every overlap. mpmath is
    imported only when a motion is solved.
    """
    if not hasattr(_thread_data, "context"):
        from mpmath import MPContext

        _thread_data.context = MPContext()
        _thread_data.context.dps = DIGITS
    return _thread_data.context


def to_multiprecision(value: Any) -> Any:
    """Return a double as the multiprecision number of exactly the same value."""
    return context().mpf(float(value))


def to_multiprecision_vector(values: Iterable[float]) -> list[Any]:
    """Return doubles as multiprecision numbers of exactly the same values."""
    return [to_multiprecision(value) for value in values]


def dot(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Return the scalar product of two vectors."""
    return sum((x * y for x, y in zip(a, b, strict=True)), context().mpf(0))


def cross(a: list[Any], b: list[Any]) -> list[Any]:
    """Return the cross product a x b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def matrix_times(matrix: list[list[Any]], v: list[Any]) -> list[Any]:
    """Return the product of a matrix, given as rows, and a vector."""
    return [dot(row, v) for row in matrix]


def carlson_F(sin: Any, cos2: Any, delta2: Any) -> Any:
    """Return the incomplete elliptic integral F(phi, m) for |phi| up to a quarter turn.

    The arguments are sin phi, cos^2 phi and 1 - m sin^2 phi, each to full precision. The result is sin phi R_F(cos^2
    phi, 1 - m sin^2 phi, 1). Each step of the transformation of Gauss, DLMF 19.22.18, doubles the number of correct
    digits. A step of Carlson's duplication would add only four digits.
    """
    math = context()
    x, y, z = sorted((math.sqrt(abs(cos2)), math.sqrt(abs(delta2)), math.mpf(1)))
    largest = z - y > y - x
    if not largest:
        x, z = z, x  # x and y must be the pair with the smaller distance
    while abs(x - y) > 8 * math.eps * x:
        mean = (x + y) / 2
        greater = (math.sqrt((z + x) * (z + y)) + math.sqrt((z - x) * (z - y))) / 2
        less = z * mean / greater
        x, y, z = (mean, less, greater) if largest else (mean, greater, less)
    return sin * math.elliprc(z * z, x * x)


def complete_K(complement: Any) -> Any:
    """Return the complete elliptic integral K(m), given 1 - m; infinity if 1 - m is 0."""
    math = context()
    return math.pi / (2 * math.agm(1, math.sqrt(complement))) if complement else math.inf


def complete_Pi(n: Any, complement: Any, K: Any) -> Any:
    """Return the complete elliptic integral of the third kind Pi(n, m) from n < 1, 1 - m > 0 and K(m).

    Each step of the arithmetic-geometric mean, DLMF 19.8.6 and 19.8.7, doubles the number of correct digits. A step
    of Carlson's duplication would add only four digits.
    """
    math = context()
    a, g = math.mpf(1), math.sqrt(complement)
    squared, term, total = 1 - n, math.mpf(1), math.mpf(0)
    while abs(term) > math.eps * max(abs(total), 1):
        total += term
        both = a * g
        term *= (squared - both) / (squared + both) / 2
        squared = (squared + both) ** 2 / (4 * squared)
        a, g = (a + g) / 2, math.sqrt(both)
    return K * (1 + n / (1 - n) * total / 2)


class LinearPhase:
    """A phase in periods, `rate` t + `start`, that is accurate at any t.

    `rate` [1/s] and `start` are multiprecision numbers. The product of t with the leading double of the rate is
    computed without rounding, so that whole periods are removed exactly. The remainder is accurate to 1e-16 of a period
    up to 1e15 periods.
    """

    def __init__(self, rate: Any, start: Any) -> None:
        self._rate = float(rate)
        self._rate_rest = float(rate - to_multiprecision(self._rate))
        start_fraction = start - context().nint(start)
        self._start_periods = int(context().nint(start))
        self._start_fraction = float(start_fraction)
        self._start_rest = float(start_fraction - to_multiprecision(self._start_fraction))

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the phase modulo one period (n,), between -1/2 and 1/2, and the number of whole periods (n,)."""
        product, error = _exact_product(t, self._rate)
        periods = np.rint(product)
        fraction, rounding_error = _exact_sum(product - periods, np.full_like(product, self._start_fraction))
        extra_periods = np.rint(fraction)
        remainder = rounding_error + (error + (t * self._rate_rest + self._start_rest))
        fraction = (fraction - extra_periods) + remainder
        return fraction, periods + extra_periods + self._start_periods


def _exact_product(a: np.ndarray, b: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the product a b (n,) and its rounding error (n,), by Dekker's algorithm."""
    product = a * b
    high, low = _split_double(a)
    top, bottom = _split_double(np.array(b))
    return product, ((high * top - product) + high * bottom + low * top) + low * bottom


def _split_double(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def _exact_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum a + b (n,) and its rounding error (n,), by Knuth's algorithm."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def quaternion_product(a: list[Any], b: list[Any]) -> list[Any]:
    """Return the quaternion product a b, scalar first."""
    return [a[0] * b[0] - dot(a[1:], b[1:])] + [
        a[0] * y + b[0] * x + z for x, y, z in zip(a[1:], b[1:], cross(a[1:], b[1:]), strict=True)
    ]


def conjugate(a: list[Any]) -> list[Any]:
    """Return the conjugate of a unit quaternion, which is the inverse rotation."""
    return [a[0], -a[1], -a[2], -a[3]]


def rotation_to_third_axis(v: list[Any]) -> list[Any]:
    """Return the unit quaternion of the shortest rotation that maps the direction of v to the third axis."""
    math = context()
    length = math.sqrt(dot(v, v))
    q = [length + v[2], v[1], -v[0], math.mpf(0)]
    size = math.sqrt(dot(q, q))
    if size < ROUNDING_LIMIT * length:
        return [math.mpf(0), math.mpf(1), math.mpf(0), math.mpf(0)]
    return [component / size for component in q]


def rotate_vector(q: list[Any], v: list[Any]) -> list[Any]:
    """Return v rotated by the unit quaternion q."""
    return quaternion_product(quaternion_product(q, [context().mpf(0), *v]), conjugate(q))[1:]


def to_floats(values: Iterable[Any]) -> np.ndarray:
    """Return the values rounded to doubles."""
    return np.array([float(value) for value in values])
