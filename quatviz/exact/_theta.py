"""Jacobi's theta functions as products in whichever nome is small, so that no modulus is a bad one.

Whittaker and Watson, chapter 21. Functions of u with quarter periods K and i K': theta_1 is zero at u = 0, theta_2 at K,
theta_3 at K + i K', theta_4 at i K'. With K' >= K they are products in q = exp(-pi K'/K); otherwise Jacobi's imaginary
transformation turns them into products of hyperbolic functions in exp(-pi K/K'). Either nome is below exp(-pi), so that seven
factors give every digit, up to the separatrix, K infinite, itself.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from quatviz.exact._numbers import context

_LEAST = -42.0
"""Logarithm of what no longer counts beside 1."""
_STEEP = 400.0
"""K'/K beyond which nothing is left of the nome."""
_FAR = 1e4


class Value(NamedTuple):
    """A function (n,) and its derivative (n,) with respect to u, complex."""

    of: np.ndarray
    slope: np.ndarray

    def times(self, other: "Value") -> "Value":
        """The product, by the product rule: it divides by nothing that may be zero."""
        return Value(self.of * other.of, self.slope * other.of + self.of * other.slope)

    def over(self, other: "Value") -> "Value":
        """The quotient by what has no zero."""
        quotient = self.of / other.of
        return Value(quotient, (self.slope - quotient * other.slope) / other.of)


class Theta:
    """Theta functions at u + i eta for real u within K of zero, |eta| at most K', from quarter periods with many digits.

    Each is right up to a constant of its own for each eta, and up to a factor that depends on u, the same for all: quotients
    are what they are for.
    """

    def __init__(self, K: Any, complementary: Any) -> None:
        math = context()
        self.K = float(K)
        self._circular = complementary >= K
        if self._circular:
            complementary = min(complementary, _STEEP * K)
            self._scale = float(math.pi / (2 * K))
            self._log_nome = float(-math.pi * complementary / K)
            self._drift = 0.0
        else:
            self._scale = float(math.pi / (2 * complementary))
            self._log_nome = float(-math.pi * K / complementary)
            self._drift = float(math.pi / (2 * K * complementary))
        self._cap = float(complementary)

    def one(self, u: np.ndarray, eta: float = 0.0) -> Value:
        """theta_1."""
        return self._make(u, eta, 1)

    def two(self, u: np.ndarray, eta: float = 0.0) -> Value:
        """theta_2."""
        return self._make(u, eta, 2)

    def three(self, u: np.ndarray) -> Value:
        """theta_3."""
        return self._make(u, 0.0, 3)

    def four(self, u: np.ndarray) -> Value:
        """theta_4, which has no zero here."""
        return self._make(u, 0.0, 4)

    def sn_cn_dn(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Jacobi's functions (n,) for |u| within K."""
        one, two, three, four = (kind(u).of.real for kind in (self.one, self.two, self.three, self.four))
        with np.errstate(invalid="ignore"):
            sn, cn, dn = one / four / self._at_K, two / four / self._at_0[0], three / four / self._at_0[1]
        return sn, cn, dn

    @cached_property
    def _at_K(self) -> float:
        end = np.array([min(self.K, _FAR)])
        return float((self.one(end).of / self.four(end).of).real[0])

    @cached_property
    def _at_0(self) -> tuple[float, float]:
        zero = np.zeros(1)
        two, three = (float((kind(zero).of / self.four(zero).of).real[0]) for kind in (self.two, self.three))
        return two, three

    def _make(self, u: np.ndarray, eta: float, kind: int) -> Value:
        eta = float(np.clip(eta, -self._cap, self._cap))
        value = self._first(u, eta, kind)
        for factor in self._factors(u, eta, kind):
            value = value.times(factor)
        return value

    def _first(self, u: np.ndarray, eta: float, kind: int) -> Value:
        """What stands before the product: sine or cosine, over exp |imaginary part|; or their hyperbolic kin over
        exp |real part|, with the factor that Jacobi's transformation leaves."""
        k = self._scale
        if self._circular:
            x, y = k * u, k * eta
            one = np.ones_like(u, dtype=complex)
            if kind > 2:
                return Value(one, 0.0 * one)
            up = np.exp(1j * x) * np.exp(-y - abs(y))
            down = np.exp(-1j * x) * np.exp(y - abs(y))
            sine, cosine = -0.5j * (up - down), 0.5 * (up + down)
            return Value(sine, k * cosine) if kind == 1 else Value(cosine, -k * sine)
        X, Y = k * u, k * eta
        up = np.exp(X - abs(X)) * np.exp(1j * Y)
        down = np.exp(-X - abs(X)) * np.exp(-1j * Y)
        sinh, cosh = 0.5 * (up - down), 0.5 * (up + down)
        plain = np.exp(-abs(X)).astype(complex)
        turn = np.exp(-1j * self._drift * eta * u)
        value = {1: Value(sinh, k * cosh), 4: Value(cosh, k * sinh)}.get(kind, Value(plain, 0.0 * plain))
        return value.times(Value(turn, -1j * self._drift * eta * turn)) if eta else value

    def _factors(self, u: np.ndarray, eta: float, kind: int) -> Iterator[Value]:
        """1 -+ nome^n exp(+-2 i z), n even where the function is zero at 0 or is its like, odd for the others."""
        half = self._scale * (1j if self._circular else 1.0)
        alike = (1, 2) if self._circular else (1, 4)
        minus = (1, 4) if self._circular else (1, 2)
        power, sign = (2 if kind in alike else 1), (-1.0 if kind in minus else 1.0)
        reach = 2.0 * self._scale * (abs(eta) if self._circular else self.K)
        while np.isfinite(self._log_nome) and power * self._log_nome + reach > _LEAST:
            for way in (1.0, -1.0):
                exponent = power * self._log_nome + 2.0 * way * half * (u + 1j * eta)
                term = np.exp(exponent)
                of = -np.expm1(exponent) if sign < 0 else 1.0 + term
                yield Value(of, sign * 2.0 * way * half * term)
            power += 2
