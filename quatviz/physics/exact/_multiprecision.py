"""Arithmetic of many digits for the constants of a closed form, and phases that keep theirs at any time.

A run near a separatrix, or a phase after a million seconds, depends on digits of the input's products that double precision
drops. Everything that is computed once, when a motion is recognised, is therefore computed in `DIGITS` decimal digits from
the doubles given, taken as they are; what is computed per sample is double precision.
"""

from collections.abc import Iterable
from threading import local
from typing import Any

import numpy as np

DIGITS = 160
"""Double roots halve them, and differences of products of doubles have at most a hundred."""
ROUNDING_LIMIT = 1e-60
"""Relative: what is smaller is rounding, also after a square root."""
ZERO_LIMIT = 1e-120
"""The same for what no root was taken of."""

_SPLITTER = 134217729.0  # 2^27 + 1, Veltkamp's


_thread_data = local()


def context() -> Any:
    """mpmath's functions at `DIGITS`, in a context of this thread alone: its functions take more digits for a while, and one that
    ends after another has begun would leave them to both, more with every time. Imported only where a motion is solved."""
    if not hasattr(_thread_data, "context"):
        from mpmath import MPContext

        _thread_data.context = MPContext()
        _thread_data.context.dps = DIGITS
    return _thread_data.context


def to_multiprecision(value: Any) -> Any:
    """A double as it is."""
    return context().mpf(float(value))


def to_multiprecision_vector(values: Iterable[float]) -> list[Any]:
    """Doubles as they are."""
    return [to_multiprecision(value) for value in values]


def dot(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """The sum of products."""
    return sum((x * y for x, y in zip(a, b, strict=True)), context().mpf(0))


def cross(a: list[Any], b: list[Any]) -> list[Any]:
    """a x b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def matrix_times(matrix: list[list[Any]], v: list[Any]) -> list[Any]:
    """The product of a matrix, as rows, and a vector."""
    return [dot(row, v) for row in matrix]


def carlson_F(sin: Any, cos2: Any, delta2: Any) -> Any:
    """The incomplete integral F(phi, m) from sin phi, cos^2 phi and 1 - m sin^2 phi, each with all its digits; |phi| at
    most a quarter turn: sin phi R_F(cos^2 phi, 1 - m sin^2 phi, 1), by the transformation of Gauss, DLMF 19.22.18, which doubles
    the digits with every step where Carlson's duplication adds four."""
    math = context()
    x, y, z = sorted((math.sqrt(abs(cos2)), math.sqrt(abs(delta2)), math.mpf(1)))
    largest = z - y > y - x
    if not largest:
        x, z = z, x  # x and y are the two that are nearer to each other
    while abs(x - y) > 8 * math.eps * x:
        mean = (x + y) / 2
        greater = (math.sqrt((z + x) * (z + y)) + math.sqrt((z - x) * (z - y))) / 2
        less = z * mean / greater
        x, y, z = (mean, less, greater) if largest else (mean, greater, less)
    return sin * math.elliprc(z * z, x * x)


def complete_K(complement: Any) -> Any:
    """K from 1 - m; infinite where that is 0."""
    math = context()
    return math.pi / (2 * math.agm(1, math.sqrt(complement))) if complement else math.inf


def complete_Pi(n: Any, complement: Any, K: Any) -> Any:
    """The integral of the third kind Pi(n, m) from n < 1, 1 - m > 0 and K(m): by arithmetic and geometric means, DLMF 19.8.6 and
    19.8.7, which double the digits with every step where Carlson's duplication adds four."""
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
    """A phase in periods, `rate` t + `start`, that keeps its digits at any t.

    `rate` [1/s] and `start` have many digits. A product of t with the leading double of the rate is made without error,
    so that the whole periods come off exactly; the remainder is good to 1e-16 of a period as long as there are less
    than 1e15 of them.
    """

    def __init__(self, rate: Any, start: Any) -> None:
        self._rate = float(rate)
        self._rate_rest = float(rate - to_multiprecision(self._rate))
        start_fraction = start - context().nint(start)
        self._start_periods = int(context().nint(start))
        self._start_fraction = float(start_fraction)
        self._start_rest = float(start_fraction - to_multiprecision(self._start_fraction))

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The fraction of a period (n,) within half a period, and the whole periods (n,)."""
        product, error = _exact_product(t, self._rate)
        periods = np.rint(product)
        fraction, rounding_error = _exact_sum(product - periods, np.full_like(product, self._start_fraction))
        extra_periods = np.rint(fraction)
        remainder = rounding_error + (error + (t * self._rate_rest + self._start_rest))
        fraction = (fraction - extra_periods) + remainder
        return fraction, periods + extra_periods + self._start_periods


def _exact_product(a: np.ndarray, b: float) -> tuple[np.ndarray, np.ndarray]:
    """a b (n,) and what rounding took from it; Dekker."""
    product = a * b
    high, low = _split_double(a)
    top, bottom = _split_double(np.array(b))
    return product, ((high * top - product) + high * bottom + low * top) + low * bottom


def _split_double(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def _exact_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b (n,) and what rounding took from it; Knuth."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def quaternion_product(a: list[Any], b: list[Any]) -> list[Any]:
    """The quaternion product a b, scalar first."""
    return [a[0] * b[0] - dot(a[1:], b[1:])] + [
        a[0] * y + b[0] * x + z for x, y, z in zip(a[1:], b[1:], cross(a[1:], b[1:]), strict=True)
    ]


def conjugate(a: list[Any]) -> list[Any]:
    """The reverse rotation of a unit quaternion."""
    return [a[0], -a[1], -a[2], -a[3]]


def rotation_to_third_axis(v: list[Any]) -> list[Any]:
    """The unit quaternion of the shortest rotation that takes the direction of v to that of the third axis."""
    math = context()
    length = math.sqrt(dot(v, v))
    q = [length + v[2], v[1], -v[0], math.mpf(0)]
    size = math.sqrt(dot(q, q))
    if size < ROUNDING_LIMIT * length:
        return [math.mpf(0), math.mpf(1), math.mpf(0), math.mpf(0)]
    return [component / size for component in q]


def rotate_vector(q: list[Any], v: list[Any]) -> list[Any]:
    """v rotated by the unit quaternion q."""
    return quaternion_product(quaternion_product(q, [context().mpf(0), *v]), conjugate(q))[1:]


def to_floats(values: Iterable[Any]) -> np.ndarray:
    """Rounded to doubles."""
    return np.array([float(value) for value in values])
