"""Jacobi's theta functions as infinite products in the smaller of two nomes, accurate for every modulus.

Whittaker and Watson, chapter 21. The functions depend on u with quarter periods K and i K'. theta_1 is zero at u = 0,
theta_2 at K, theta_3 at K + i K', theta_4 at i K'. For K' >= K they are products in q = exp(-pi K'/K). Otherwise
Jacobi's imaginary transformation gives products of hyperbolic functions in exp(-pi K/K'). Either nome is below
exp(-pi), so that seven factors give full double precision, up to and including the separatrix, where K is infinite.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.exact._multiprecision import context

_MIN_LOG_TERM = -42.0
"""Natural logarithm of the largest term that is neglected. Such a term does not change 1 in double precision."""
_MAX_PERIOD_RATIO = 400.0
"""Upper limit of the ratio K'/K. At a larger ratio the nome would be zero in double precision anyway."""
_MAX_ARGUMENT = 1e4
_CANCELLATION_LOG = -3.0
"""Natural logarithm of a term x above which 1 - x loses digits and is therefore computed by `expm1`."""


class ThetaValue(NamedTuple):
    """Values (n,) of a complex function of u, and its derivatives (n,) with respect to u."""

    value: np.ndarray
    derivative: np.ndarray

    def multiply(self, other: "ThetaValue") -> "ThetaValue":
        """Return values and derivatives of the product of both functions. The product rule is valid also
        where a factor is zero."""
        return ThetaValue(
            self.value * other.value, self.derivative * other.value + self.value * other.derivative
        )

    def divide(self, other: "ThetaValue") -> "ThetaValue":
        """Return values and derivatives of this function divided by `other`, which has no zeros."""
        quotient = self.value / other.value
        return ThetaValue(quotient, (self.derivative - quotient * other.derivative) / other.value)


class Theta:
    """Theta functions at u + i eta for real u with |u| <= K and |eta| <= K'. The quarter periods K and K' are given as
    multiprecision numbers.

    Each function is multiplied by a constant that depends on eta, and all of them by a common factor that depends
    on u, to avoid overflow. Only their quotients are meaningful.
    """

    def __init__(self, K: Any, complementary: Any) -> None:
        math = context()
        self.K = float(K)
        self._circular = complementary >= K
        if self._circular:
            complementary = min(complementary, _MAX_PERIOD_RATIO * K)
            self._scale = float(math.pi / (2 * K))
            self._log_nome = float(-math.pi * complementary / K)
            self._drift = 0.0
        else:
            self._scale = float(math.pi / (2 * complementary))
            self._log_nome = float(-math.pi * K / complementary)
            self._drift = float(math.pi / (2 * K * complementary))
        self._cap = float(complementary)

    def theta1(self, u: np.ndarray, eta: float = 0.0) -> ThetaValue:
        """Return values and derivatives (n,) of theta_1 at u + i eta."""
        return self._evaluate(u, eta, 1)

    def theta2(self, u: np.ndarray, eta: float = 0.0) -> ThetaValue:
        """Return values and derivatives (n,) of theta_2 at u + i eta."""
        return self._evaluate(u, eta, 2)

    def theta3(self, u: np.ndarray) -> ThetaValue:
        """Return theta_3(u)."""
        return self._evaluate(u, 0.0, 3)

    def theta4(self, u: np.ndarray) -> ThetaValue:
        """Return values and derivatives (n,) of theta_4 at u. The function has no zero for real u."""
        return self._evaluate(u, 0.0, 4)

    def sn_cn_dn(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return Jacobi's functions sn, cn and dn (n,) for |u| <= K."""
        first, second, third, fourth = self._evaluate_real(u)
        with np.errstate(invalid="ignore"):
            sn, cn, dn = (
                first / fourth / self._at_K,
                second / fourth / self._at_0[0],
                third / fourth / self._at_0[1],
            )
        return sn, cn, dn

    def theta1_value(self, u: np.ndarray, eta: float) -> np.ndarray:
        """Return theta_1(u + i eta) (n,) without its derivative. This takes half the time of `theta1`."""
        eta = self._clip_eta(eta)
        k = self._scale
        # Sine and cosine, or sinh and cosh, of both parts of the argument, without the exponential growth common to all.
        if self._circular:
            along, beside = _scaled_sinh_cosh(k * eta), (np.sin(k * u), np.cos(k * u))
            value = beside[0] * along[1] + 1j * beside[1] * along[0]
            double = 2.0 * beside[0] * beside[1], 1.0 - 2.0 * beside[0] ** 2
            for log_term, sign in self._powers(eta, 1):
                more, less = (
                    sign * np.exp(log_term + direction * 2.0 * k * eta) for direction in (1.0, -1.0)
                )
                even = 1.0 + more * less + (more + less) * double[1]
                value = value * (even - 1j * (more - less) * double[0])
            return value
        along, turn = _scaled_sinh_cosh(k * u), np.exp(1j * k * eta)
        value = along[0] * turn.real + 1j * along[1] * turn.imag
        up, down = self._scaled_exponentials(u)
        for log_term, sign in self._powers(eta, 1):
            size = sign * np.exp(log_term + self._max_exponent)
            value = value * ((1.0 + size * turn**2 * up) * (1.0 + size * turn.conjugate() ** 2 * down))
        drift = self._drift * eta * u
        return value * (np.cos(drift) - 1j * np.sin(drift))

    @cached_property
    def _at_K(self) -> float:
        first, _, _, fourth = self._evaluate_real(np.array([min(self.K, _MAX_ARGUMENT)]))
        return float((first / fourth)[0])

    @cached_property
    def _at_0(self) -> tuple[float, float]:
        _, second, third, fourth = self._evaluate_real(np.zeros(1))
        return float((second / fourth)[0]), float((third / fourth)[0])

    def _clip_eta(self, eta: float) -> float:
        return float(np.clip(eta, -self._cap, self._cap))

    def _evaluate(self, u: np.ndarray, eta: float, index: int) -> ThetaValue:
        eta = self._clip_eta(eta)
        value = self._leading_factor(u, eta, index)
        for exponent, sign, direction in self._exponents(u, eta, index):
            slope = 2.0 * direction * self._half_exponent_rate * sign * np.exp(exponent)
            value = value.multiply(ThetaValue(_factor(exponent, sign), slope))
        return value

    def _evaluate_real(self, u: np.ndarray) -> Iterator[np.ndarray]:
        """Yield theta_1 to theta_4 (n,) at real u, one after another.

        Real arithmetic with few exponentials takes a twentieth of the time of complex arithmetic.
        """
        k = self._scale
        if self._circular:
            sine, cosine = np.sin(k * u), np.cos(k * u)
            double = 2.0 - 4.0 * sine * sine
            for index, value in ((1, sine), (2, cosine), (3, np.ones_like(u)), (4, np.ones_like(u))):
                for log_term, sign in self._powers(0.0, index):
                    term = sign * np.exp(log_term)
                    value = value * (1.0 + term * term + term * double)
                yield value
            return
        sinh, cosh = _scaled_sinh_cosh(k * u)
        plain, (up, down) = np.exp(-abs(k * u)), self._scaled_exponentials(u)
        for index, value in ((1, sinh), (2, plain), (3, plain), (4, cosh)):
            for log_term, sign in self._powers(0.0, index):
                size = log_term + self._max_exponent
                if sign < 0.0 and size > _CANCELLATION_LOG:  # the factor nearly vanishes at one end
                    for direction in (1.0, -1.0):
                        value = value * -np.expm1(log_term + direction * 2.0 * k * u)
                else:
                    term = sign * np.exp(size)
                    value = value * ((1.0 + term * up) * (1.0 + term * down))
            yield value

    def _scaled_exponentials(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return exp(2 k u) and exp(-2 k u) (n,) with k = `_scale`, both divided by exp(2 k K), the largest
        value of either.
        """
        return np.exp(2.0 * self._scale * u - self._max_exponent), np.exp(
            -2.0 * self._scale * u - self._max_exponent
        )

    def _leading_factor(self, u: np.ndarray, eta: float, index: int) -> ThetaValue:
        """Return the factor in front of the infinite product.

        If the functions are circular, this is a sine, a cosine or 1, divided by exp |imaginary part|. If they are
        hyperbolic, it is a hyperbolic function divided by exp |real part|, times the factor of Jacobi's
        transformation.
        """
        k = self._scale
        x, y = k * u, k * eta
        if self._circular:
            if index > 2:
                unity = np.ones_like(u, dtype=complex)
                return ThetaValue(unity, 0.0 * unity)
            sinh, cosh = _scaled_sinh_cosh(y)
            sine = np.sin(x) * cosh + 1j * np.cos(x) * sinh
            cosine = np.cos(x) * cosh - 1j * np.sin(x) * sinh
            return ThetaValue(sine, k * cosine) if index == 1 else ThetaValue(cosine, -k * sine)
        odd, even = _scaled_sinh_cosh(x)
        sinh = odd * np.cos(y) + 1j * even * np.sin(y)
        cosh = even * np.cos(y) + 1j * odd * np.sin(y)
        plain = np.exp(-abs(x)).astype(complex)
        turn = np.exp(-1j * self._drift * eta * u)
        value = {1: ThetaValue(sinh, k * cosh), 4: ThetaValue(cosh, k * sinh)}.get(
            index, ThetaValue(plain, 0.0 * plain)
        )
        return value.multiply(ThetaValue(turn, -1j * self._drift * eta * turn)) if eta else value

    @property
    def _max_exponent(self) -> float:
        """Largest value 2 k K of the exponent 2 k u of hyperbolic functions; k is `_scale`."""
        return 2.0 * self._scale * self.K

    @property
    def _half_exponent_rate(self) -> complex:
        """Derivative of i z with respect to u, where exp(2 i z) and exp(-2 i z) occur in the factors of the infinite
        product.

        It is i k for circular functions and k for hyperbolic ones, with k = `_scale`.
        """
        return self._scale * (1j if self._circular else 1.0)

    def _exponents(self, u: np.ndarray, eta: float, index: int) -> Iterator[tuple[np.ndarray, float, float]]:
        """Yield, for each factor 1 + s nome^n exp(+-2 i z) of the product: the logarithm (n,) of nome^n exp(+-2 i z),
        the sign s, and the sign in front of 2 i z (+1 or -1)."""
        argument = self._half_exponent_rate * (u + 1j * eta)
        for log_term, sign in self._powers(eta, index):
            for direction in (1.0, -1.0):
                yield log_term + 2.0 * direction * argument, sign, direction

    def _powers(self, eta: float, index: int) -> Iterator[tuple[float, float]]:
        """Yield the logarithm of nome^n and the sign of each term that is not negligible.

        n runs over even numbers for the functions with a sine, cosine, sinh or cosh in front of the product, and
        over odd numbers for the others.
        """
        even_indices = (1, 2) if self._circular else (1, 4)
        negative_indices = (1, 4) if self._circular else (1, 2)
        power, sign = (2 if index in even_indices else 1), (-1.0 if index in negative_indices else 1.0)
        reach = 2.0 * self._scale * abs(eta) if self._circular else self._max_exponent
        while np.isfinite(self._log_nome) and power * self._log_nome + reach > _MIN_LOG_TERM:
            yield power * self._log_nome, sign
            power += 2


def _scaled_sinh_cosh(x: Any) -> tuple[Any, Any]:
    """Return sinh x and cosh x, both divided by exp |x|."""
    up, down = np.exp(x - abs(x)), np.exp(-x - abs(x))
    return 0.5 * (up - down), 0.5 * (up + down)


def _factor(exponent: np.ndarray, sign: float) -> np.ndarray:
    """Return 1 + sign exp(exponent), accurate also near zero."""
    return np.asarray(-np.expm1(exponent) if sign < 0.0 else 1.0 + np.exp(exponent))
