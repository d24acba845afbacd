"""Torque-free motion: h by Jacobi's elliptic functions, the attitude by a theta function."""

from typing import Any

import numpy as np
from scipy.special import ellipkm1

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import (
    ROUNDING_LIMIT,
    ZERO_LIMIT,
    LinearPhase,
    carlson_F,
    complete_K,
    complete_Pi,
    context,
    cross,
    dot,
    to_floats,
)
from quatviz.physics.exact._theta import Theta
from quatviz.physics.exact.base import ExactProblem, ExactSolution, load_names
from quatviz.physics.mechanics.rotations import conjugate, from_matrix, multiply


class TorqueFree(ExactSolution):
    """Torque-free motion for any moments of inertia, on both sides of the separatrix and on it.

    Let A_i = 1/J_i be the inverse principal moments and e = 2T/h^2. h circles one principal axis c: the axis of the
    largest A_i if e exceeds the middle value A_2, otherwise the axis of the smallest A_i. Axis b has the middle A_i, and
    a is the remaining axis. The components of h in units of |h| are, with the sign s of h_c and elliptic functions of the
    parameter m,

        h_a = alpha cn u    h_b = s beta sn u    h_c = s gamma dn u    u = nu t + u0
        alpha^2 = (e - A_c)/(A_a - A_c)    beta^2 = (e - A_c)/(A_b - A_c)    gamma^2 = (A_a - e)/(A_a - A_c)
        nu = |h| gamma sqrt((A_b - A_c)(A_a - A_c))    m = (A_a - A_b)(e - A_c)/((A_b - A_c)(A_a - e))

    The attitude is a rotation by an angle psi about h after the shortest rotation from h to s c, which has no singularity
    on this side of the separatrix. Since psi' = |h| (A_c + (e - A_c)/(1 + gamma dn u)), exp(i psi/2) is exp(i mu t),
    with a constant rate mu, times the direction of theta_1(u + i eta) for the quarter periods K and 2 K', where
    dn(i eta) = -1/gamma.
    """

    name = "torque_free"
    title = "torque-free motion"
    needs = "a body without active loads"
    source = "Jacobi 1850; Whittaker, Analytical Dynamics, 69; psi' of the shortest rotation derived here"
    conditions = "no active loads; any inertia, also a full matrix; either side of the separatrix, the separatrix itself"
    functions = "Jacobi's sn, cn, dn for $h$; a theta function for the turn about $h$"
    order = 20

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        return phrase("these loads act: {loads}", loads=load_names(problem.loads)) if problem.loads else ""

    def __init__(self, problem: ExactProblem) -> None:
        math = context()
        inverse, axes = principal_inverses(problem.inertia, problem.body.is_principal)
        h = [dot((row[i] for row in axes), problem.h) for i in range(3)]
        size = math.sqrt(dot(h, h))
        h = [component / size for component in h]
        excess = (inverse[0] - inverse[1]) * h[0] ** 2 - (inverse[1] - inverse[2]) * h[2] ** 2
        larger = max((inverse[0] - inverse[1]) * h[0] ** 2, (inverse[1] - inverse[2]) * h[2] ** 2)
        self._on_separatrix = abs(excess) <= ZERO_LIMIT * larger
        self._axis_order = (2, 1, 0) if excess > 0 else (0, 1, 2)
        self._size = float(size)
        self._inverse = to_floats(inverse)
        self._set_constants(h, size, inverse)
        self._axes = np.array([to_floats(row) for row in axes])
        turned_axes = from_matrix(self._axes)
        self._turn_axes = conjugate(turned_axes)
        zero = np.zeros(1)
        self._before = multiply(
            multiply(to_floats(problem.unit_p), turned_axes), conjugate(self._from_start(zero)[0][0])
        )

    def _set_constants(self, h: list[Any], size: Any, inverse: list[Any]) -> None:
        math = context()
        a, b, c = self._axis_order
        A_a, A_b, A_c = (inverse[i] for i in self._axis_order)
        # `above` and `below` are sums of terms of equal sign, so that no digits cancel.
        above = (A_a - A_c) * h[a] ** 2 + (A_b - A_c) * h[b] ** 2  # e - A_c
        below = (A_a - A_b) * h[b] ** 2 + (A_a - A_c) * h[c] ** 2  # A_a - e
        beyond = (A_a - A_b) * h[a] ** 2 - (A_b - A_c) * h[c] ** 2  # e - A_b, of the sign of A_c - A_b
        alpha, beta = math.sqrt(above / (A_a - A_c)), math.sqrt(above / (A_b - A_c))
        gamma = math.sqrt(below / (A_a - A_c))
        nu = size * gamma * math.sqrt((A_b - A_c) * (A_a - A_c))
        sign = -1 if h[c] < 0 else 1
        turn = -1 if self._on_separatrix and h[a] < 0 else 1
        complement = 0 if self._on_separatrix else -(A_a - A_c) * beyond / ((A_b - A_c) * below)
        m = (A_a - A_b) * above / ((A_b - A_c) * below)
        K, cap = complete_K(complement), complete_K(m)
        sn, cn = sign * turn * h[b] / beta, turn * h[a] / alpha
        start = carlson_F(sn, cn**2, (h[c] / gamma) ** 2)
        if cn < 0:
            start = 2 * K - start
        low = carlson_F(alpha / beta, (A_a - A_b) / (A_a - A_c), (A_a - A_b) / below)
        eta = 2 * cap - low if m else cap
        if self._on_separatrix:
            mean, wind = size * A_b, math.mpf(0)
        else:
            mean = size * (A_c + above * _mean_reciprocal(alpha, beta, gamma, m, complement, K))
            wind = nu * math.pi / (2 * K)
        self._sigma = 1.0 if A_b > A_c else -1.0
        self._signs = (float(turn), float(sign * turn), float(sign))
        self._amplitudes = tuple(map(float, (alpha, beta, gamma)))
        self._jacobi, self._psi = Theta(K, cap), Theta(K, 2 * cap)
        self._eta = float(eta)
        self._secular_phase = LinearPhase((mean / 2 + self._sigma * wind) / (2 * math.pi), math.mpf(0))
        self._nu, self._start = float(nu), float(start)
        self._phase = None if self._on_separatrix else LinearPhase(nu / (2 * K), start / (2 * K))

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        p, h = self._from_start(t)
        return (
            multiply(multiply(self._before, p), self._turn_axes),
            (self._size * h * self._inverse) @ self._axes.T,
        )

    def _from_start(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays for times (n,) [s]: the rotation (n, 4) from the principal axes to a frame in
        which h is fixed, and h/|h| (n, 3) in principal axes.
        """
        u, side = self._reduced_argument(t)
        c = self._axis_order[2]
        h = np.empty((len(t), 3))
        values = self._jacobi.sn_cn_dn(u)
        for axis, sign, size, value in zip(
            self._axis_order,
            self._signs,
            self._amplitudes,
            (side * values[1], side * values[0], values[2]),
            strict=True,
        ):
            h[:, axis] = sign * size * value
        psi = self._psi.theta1_value(u, self._sigma * self._eta) * side
        fraction, _ = self._secular_phase.evaluate(t)
        psi = np.exp(2j * np.pi * fraction) * psi / abs(psi)
        pole = self._signs[2]
        turn = np.zeros((len(t), 4))
        turn[:, 0], turn[:, 1 + c] = psi.real, pole * psi.imag
        swing = np.zeros((len(t), 4))
        swing[:, 0] = 1.0 + pole * h[:, c]
        swing[:, 1 + (c + 1) % 3], swing[:, 1 + (c + 2) % 3] = (
            pole * h[:, (c + 2) % 3],
            -pole * h[:, (c + 1) % 3],
        )
        return multiply(turn, swing / np.linalg.norm(swing, axis=1)[:, None]), h

    def _reduced_argument(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return u reduced to |u| <= K, and the sign (n,) of sn and cn that results from the removed half periods."""
        if self._phase is None:
            return self._nu * t + self._start, np.ones(len(t))
        fraction, periods = self._phase.evaluate(t)
        return 2.0 * self._jacobi.K * fraction, 1.0 - 2.0 * np.mod(periods, 2.0)


def half_period(inertia: np.ndarray, omega: np.ndarray) -> float:
    """Return the time [s] in which h makes half a revolution about its axis in the body, 2 K(m)/nu.

    Parameters
    ----------
    inertia
        Symmetric positive definite matrix J (3, 3) [kg m^2].
    omega
        Angular velocity (3,) [rad/s, body].

    Returns
    -------
    float
        The half period. For an unstable spin it is the time between flips, since the component about the middle axis
        changes its sign. It is infinite on the separatrix, and NaN if h does not move around an axis.

    Notes
    -----
    The formula is that of `TorqueFree`, evaluated in double precision.

    Examples
    --------
    >>> round(half_period(np.diag([1.0, 2.0, 3.0]), np.array([0.001, 2.0, 0.0])), 6)
    15.566281
    """
    moments, axes = np.linalg.eigh(inertia)
    h = axes.T @ (inertia @ omega)
    size = float(np.linalg.norm(h))
    if not size > 0.0:
        return np.nan
    A, h = 1.0 / moments, h / size
    excess = (A[0] - A[1]) * h[0] ** 2 - (A[1] - A[2]) * h[2] ** 2
    a, b, c = (2, 1, 0) if excess > 0.0 else (0, 1, 2)
    below = (A[a] - A[b]) * h[b] ** 2 + (A[a] - A[c]) * h[c] ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        complement = abs(excess) * (A[a] - A[c]) / ((A[b] - A[c]) * below)
        nu = size * np.sqrt(below * (A[b] - A[c]))
        return float(2.0 * ellipkm1(abs(complement)) / nu)


def principal_inverses(J: list[list[Any]], is_diagonal: bool) -> tuple[list[Any], list[list[Any]]]:
    """Return 1/J [1/(kg m^2)] in descending order, and the principal axes as columns of a right-handed matrix, for the
    multiprecision rows of an inertia."""
    math = context()
    if is_diagonal:
        order = sorted(range(3), key=lambda i: J[i][i])
        moments = [J[i][i] for i in order]
        axes = [[math.mpf(int(order[column] == row)) for column in range(3)] for row in range(3)]
    else:
        values, vectors = math.eigsy(math.matrix(J))
        moments = [values[i] for i in range(3)]
        axes = [[vectors[row, column] for column in range(3)] for row in range(3)]
    for i in (1, 2):
        if moments[i] - moments[i - 1] <= ROUNDING_LIMIT * moments[i]:
            moments[i] = moments[i - 1]
    if dot(cross(axes[0], axes[1]), axes[2]) < 0:
        axes = [[row[0], row[1], -row[2]] for row in axes]
    return [1 / moment for moment in moments], axes


def _mean_reciprocal(alpha: Any, beta: Any, gamma: Any, m: Any, complement: Any, K: Any) -> Any:
    """Return the mean of 1/(1 + gamma dn u) as the sum of a complete elliptic integral of the third kind and an
    elementary term."""
    math = context()
    below = -((gamma / alpha) ** 2) * m
    third = complete_Pi(below, complement, K)
    return (third / alpha**2 - gamma * math.pi / (2 * alpha * beta)) / K
