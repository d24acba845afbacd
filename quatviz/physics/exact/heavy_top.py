"""The symmetric heavy top, in theta functions of the phase of its nutation."""

from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import (
    ROUNDING_LIMIT,
    LinearPhase,
    carlson_F,
    complete_K,
    conjugate,
    context,
    dot,
    matrix_times,
    quaternion_product,
    rotate_vector,
    rotation_to_third_axis,
    to_floats,
)
from quatviz.physics.exact._theta import Theta, ThetaValue
from quatviz.physics.exact._uniform_field import UniformField, find_uniform_field
from quatviz.physics.exact.base import SYMMETRY_TOLERANCE, ExactProblem, ExactSolution, load_names
from quatviz.physics.mechanics.rotations import multiply, rotate_back

_MIN_RELATIVE_MOMENT = 1e-40
"""Smallest supported moment of the force, relative to the kinetic energy.

Below this value the largest root of the cubic is so large that the other roots lose their digits.
"""
_DOUBLE_ROOT_LIMIT = 1e-75
"""Distance of two roots, relative to the distance of the smallest from the largest root, below which they count as
equal.

A double root is accurate to half of the digits only.
"""


class HeavyTop(ExactSolution):
    """A symmetric body under a constant force that acts on its axis of symmetry: Lagrange's top.

    Special cases are the spherical pendulum and the plane pendulum of a symmetric body. Every nutation is covered, from
    any initial point: looping, cusped, wavy, steady, and the asymptotic rise to the vertical.

    Frames: the third body axis points from the pivot to the point of application of the force, the third space axis
    against the force. J1 and J3 are the moments of inertia transverse to the third body axis and along it. M [N m] is the
    magnitude of the force times the distance of its point of application from the pivot. h3 and h_z are the components
    of h along the third body axis and the third space axis.

    The cosine z of the tilt oscillates between the roots z1 and z2 of Lagrange's cubic, z1 <= z2 <= 1 <= z3:
    z = z1 + (z2 - z1) sn^2 u with u = Omega t + u0, Omega^2 = M (z3 - z1)/(2 J1) and the parameter
    m = (z2 - z1)/(z3 - z1). Klein's parameters A = e0 + i e3 and B = e1 + i e2 are

        A = a exp(i lambda_a t) theta_1(u + i eta_a)/theta_4(u)    sn^2(eta_a | 1 - m) = (1 + z1)/(1 + z2)
        B = b exp(i lambda_b t) theta_2(u + i eta_b)/theta_4(u)    dn^2(eta_b | 1 - m) = (z2 - z1)/(1 - z1)

    with constants a and b. A or B passes through zero where the axis passes through the vertical, without a singularity.
    With s = sgn(h_z + h3), the mean <> over a nutation and the quarter period K, eta_a has the sign of -s, and

        lambda_a = h3/2 (1/J3 - 1/J1) + (h_z + h3)/(2 J1) <1/(1 + z)> - s pi Omega/(2 K)

    lambda_a is the mean of (phi' + psi')/2, with the angles phi of precession and psi of spin, minus the mean rate of the
    argument of theta_1. lambda_b and the sign of eta_b follow from (phi' - psi')/2 in the same way, with -h3 for h3 and -z
    for z.
    """

    name = "heavy_top"
    title = "symmetric heavy top"
    needs = "a symmetric body under one force that is constant in space and acts on the axis of symmetry"
    source = "Klein, Sommerfeld, Theorie des Kreisels, VI; Whittaker, Analytical Dynamics, 71"
    conditions = (
        "a body that is symmetric about the line from the pivot to the point of the force, under gravity or forces"
        " that are constant in space; any initial state: loops, cusps, waves, steady precession, passage through the "
        "vertical, asymptotic rise; the spherical pendulum"
    )
    functions = "theta functions for Klein's parameters"
    order = 30

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        field = find_uniform_field(problem)
        if field is None:
            return phrase("these loads act: {loads}", loads=load_names(problem.loads))
        if field.is_zero:
            return phrase("no force that is constant in space exerts a moment")
        if dot(field.moment, field.moment) < (_MIN_RELATIVE_MOMENT * dot(problem.rate, problem.h)) ** 2:
            return phrase(
                "the moment of the force is less than {weak:g} times the kinetic energy",
                weak=_MIN_RELATIVE_MOMENT,
            )
        J1, J3, axis = _moments(problem, field)
        asymmetry = [
            J - (J1 * (i == j) + (J3 - J1) * axis[i] * axis[j])
            for i, row in enumerate(problem.inertia)
            for j, J in enumerate(row)
        ]
        if max(map(abs, asymmetry)) > SYMMETRY_TOLERANCE * max(J1, J3):
            return phrase("the body is not symmetric about the line from the pivot to the force")
        return ""

    def __init__(self, problem: ExactProblem) -> None:
        math = context()
        field = find_uniform_field(problem)
        assert field is not None
        J1, J3, axis = _moments(problem, field)
        body_turn, space_turn = rotation_to_third_axis(axis), rotation_to_third_axis(field.up)
        e0, e1, e2, e3 = quaternion_product(
            quaternion_product(space_turn, problem.unit_p), conjugate(body_turn)
        )
        rate = rotate_vector(body_turn, problem.rate)
        A, B, w = math.mpc(e0, e3), math.mpc(e1, e2), math.mpc(rate[0], rate[1])
        side = 2j * math.conj(A) * B  # components of the vertical transverse to the axis
        z = e0**2 + e3**2 - e1**2 - e2**2
        h3 = J3 * rate[2]
        h_z = J1 * (math.conj(w) * side).real + h3 * z
        M = math.sqrt(dot(field.moment, field.moment))
        nutation = _Nutation.from_start(z, (math.conj(side) * w).imag, M / J1, abs(w) ** 2, h3 / J1, h_z / J1)
        self._set_phase(nutation)
        kappa = h3 * (1 / J3 - 1 / J1) / 2
        size = abs(h3) + J1 * abs(w) + math.sqrt(M * J1)
        sum_, difference = _zero_if_rounding(h_z + h3, h_z - h3, size)
        own = 1j * rate[2] / 2
        plus, minus = sum_ / (2 * J1), difference / (2 * J1)
        self._a = self._fit_parameter(nutation, 1, kappa, plus, A, own * A - B * math.conj(w) / 2)
        self._b = self._fit_parameter(nutation, -1, -kappa, minus, B, A * w / 2 - own * B)
        self._sum = float(self._a.rate + self._b.rate)
        self._spin = float(rate[2])
        self._before = to_floats(conjugate(space_turn))
        self._after = to_floats(body_turn)

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u, side = self._reduced_argument(t)
        A, B = (parameter.evaluate(t, u, side, self._theta) for parameter in (self._a, self._b))
        # 2 (A* B' - B A'*): the common part of both rates is added up first, so that a fast spin loses no digits.
        w = 2j * self._sum * A.value.conj() * B.value
        w += 2.0 * self._Omega * (A.value.conj() * B.derivative - B.value * A.derivative.conj())
        p = np.stack((A.value.real, B.value.real, B.value.imag, A.value.imag), axis=1)
        omega = np.stack((w.real, w.imag, np.full(len(t), self._spin)), axis=1)
        p = multiply(multiply(self._before, p), self._after)
        return p, rotate_back(self._after, omega)

    def _set_phase(self, nutation: "_Nutation") -> None:
        self._Omega = float(nutation.Omega)
        self._start = float(nutation.start)
        self._theta: Theta | None = None
        self._phase: LinearPhase | None = None
        if nutation.m is not None:
            self._theta = Theta(nutation.K, nutation.cap)
            if nutation.complement:
                self._phase = LinearPhase(
                    nutation.Omega / (2 * nutation.K), nutation.start / (2 * nutation.K)
                )

    def _reduced_argument(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return u reduced to |u| <= K, and the sign (n,) by which the removed half periods multiply both Klein
        parameters."""
        if self._theta is None or self._phase is None:
            return self._Omega * t + self._start, np.ones(len(t))
        fraction, periods = self._phase.evaluate(t)
        return 2.0 * self._theta.K * fraction, 1.0 - 2.0 * np.mod(periods, 2.0)

    def _fit_parameter(
        self, nutation: "_Nutation", sign: int, kappa: Any, secular_rate: Any, value: Any, slope: Any
    ) -> "_KleinParameter":
        """Return Klein's parameter A (`sign` 1) or B (`sign` -1).

        The argument of the parameter changes at the rate `kappa` + `secular_rate`/(1 + `sign` z). The factor `scale`
        is fitted to the `value` and the time derivative `slope` of the parameter at t = 0.
        """
        rate = kappa + (secular_rate * nutation.mean(sign) if secular_rate else 0)
        eta = nutation.eta(sign) if secular_rate else nutation.eta_upright(sign)
        sigma = -1 if secular_rate > 0 else 1 if eta else 0
        rate += sigma * nutation.mean_phase_rate
        turning = LinearPhase(rate / (2 * context().pi), context().mpf(0))
        unscaled = _KleinParameter(sign, float(sigma * eta), rate, turning, 1.0)
        # The derivative without the secular factor determines the scale where the value is zero, and helps elsewhere.
        required = np.array([complex(value), complex((slope - 1j * rate * value) / nutation.Omega)])
        u, side = self._reduced_argument(np.zeros(1))
        start = unscaled.evaluate(np.zeros(1), u, side, self._theta)
        unscaled_values = np.array([start.value[0], start.derivative[0]])
        return unscaled._replace(
            scale=complex(np.vdot(unscaled_values, required) / np.vdot(unscaled_values, unscaled_values))
        )


class _KleinParameter(NamedTuple):
    """Klein's parameter scale exp(i rate t) theta_k(u + i eta)/theta_4(u), with k = 1 for A and k = 2 for B.

    Without theta functions it is scale exp(i rate t).
    """

    sign: int
    eta: float
    rate: Any
    phase: LinearPhase
    scale: complex

    def evaluate(self, t: np.ndarray, u: np.ndarray, side: np.ndarray, theta: Theta | None) -> ThetaValue:
        """Return the values (n,) of the parameter at times t (n,) [s], and their derivatives (n,) with respect
        to u.

        `u` (n,) and the sign `side` (n,) are the two results of `HeavyTop._reduced_argument`. The derivative
        treats exp(i rate t) as constant.
        """
        fraction, _ = self.phase.evaluate(t)
        turn = self.scale * side * np.exp(2j * np.pi * fraction)
        if theta is None:
            return ThetaValue(turn, np.zeros_like(turn))
        theta_function = theta.theta1 if self.sign > 0 else theta.theta2
        shape = theta_function(u, self.eta).divide(theta.theta4(u))
        return ThetaValue(turn * shape.value, turn * shape.derivative)


class _Nutation(NamedTuple):
    """Constants of a nutation, which follow from the roots of Lagrange's cubic."""

    roots: tuple[Any, Any, Any]
    Omega: Any
    start: Any
    m: Any
    """Parameter m of the elliptic functions, or None if the tilt is constant."""
    complement: Any
    K: Any
    cap: Any
    z: Any

    @classmethod
    def from_start(cls, z: Any, fall: Any, M: Any, w2: Any, h3: Any, h_z: Any) -> "_Nutation":
        """Compute the constants of a nutation from its initial values.

        z is the cosine of the tilt and `fall` its rate; w2 is the square of the transverse angular velocity.
        M is the moment of the force, h3 and h_z are the momenta about the body's axis and about the vertical,
        all three divided by the transverse moment of inertia J1.
        """
        math = context()
        total, slope = w2 + 2 * M * z, 2 * M
        roots = _roots([-(total + h3**2) / slope, (2 * h3 * h_z - slope) / slope, (total - h_z**2) / slope])
        z1, z2, z3 = max(roots[0], -1), min(roots[1], 1), max(roots[2], 1)
        Omega = math.sqrt(slope * (z3 - z1)) / 2
        if z2 - z1 < ROUNDING_LIMIT:
            return cls((z1, z2, z3), Omega, math.mpf(0), None, math.mpf(1), math.pi / 2, math.inf, z)
        m, complement = (z2 - z1) / (z3 - z1), (z3 - z2) / (z3 - z1)
        complement = math.mpf(0) if complement < _DOUBLE_ROOT_LIMIT else complement
        parts = ((z - z1) / (z2 - z1), (z2 - z) / (z2 - z1), (z3 - z) / (z3 - z1))
        sin2, cos2, delta2 = (min(max(part, math.mpf(0)), math.mpf(1)) for part in parts)
        start = carlson_F(math.sqrt(sin2), cos2, delta2)
        K, cap = complete_K(complement), complete_K(m)
        return cls((z1, z2, z3), Omega, start if fall >= 0 else -start, m, complement, K, cap, z)

    @property
    def mean_phase_rate(self) -> Any:
        """Mean rate [rad/s] of the complex argument of theta_1(u - i eta) for eta > 0, while u grows at the rate
        Omega."""
        return self.Omega * context().pi / (2 * self.K) if self.m is not None else 0

    def mean(self, sign: int) -> Any:
        """Return the mean of 1/(1 + sign z) over a nutation. For the given `sign` the denominator must never vanish."""
        math = context()
        z1, z2, _ = self.roots
        if self.m is None:
            return 1 / (1 + sign * self.z)
        if not self.complement:
            return 1 / (1 + sign * z2)
        low, high = 1 + sign * z1, 1 + sign * z2
        third = self.K + (low - high) / (3 * low) * math.elliprj(0, self.complement, 1, high / low)
        return third / (low * self.K)

    def eta_upright(self, sign: int) -> Any:
        """Return `eta(sign)` for a top whose axis passes through the vertical.

        A root of the cubic is then exactly -`sign`. The result is K' if this root is z3, otherwise 0. With eta = K',
        theta_2(u + i eta) of the parameter B equals theta_3(u) up to a phase factor.
        """
        _, z2, z3 = self.roots
        return self.cap if self.m is not None and sign < 0 and z3 - 1 < 1 - z2 else context().mpf(0)

    def eta(self, sign: int) -> Any:
        """Return eta, the imaginary part of the argument at which 1 + `sign` z is zero.

        This argument is u = i eta for the parameter A (`sign` 1), and u = K + i eta for B (`sign` -1).
        """
        math = context()
        z1, z2, z3 = self.roots
        if self.m is None:
            return math.mpf(0)
        if sign > 0:
            sn2, cn2 = (1 + z1) / (1 + z2), (z2 - z1) / (1 + z2)
            dn2 = cn2 * (1 + z3) / (z3 - z1)
        elif not self.complement:
            return math.mpf(0)
        else:
            sn2 = (1 - z2) * (z3 - z1) / ((1 - z1) * (z3 - z2))
            cn2 = (z3 - 1) * (z2 - z1) / ((1 - z1) * (z3 - z2))
            dn2 = (z2 - z1) / (1 - z1)
        return carlson_F(math.sqrt(sn2), cn2, dn2) if cn2 or dn2 else self.cap


def _moments(problem: ExactProblem, field: UniformField) -> tuple[Any, Any, list[Any]]:
    """Return the moments of inertia J1 and J3, transverse to and along the line from the pivot to the point of
    application of the force, and the unit direction of this line in the body."""
    size = context().sqrt(dot(field.moment, field.moment))
    axis = [component / size for component in field.moment]
    J3 = dot(axis, matrix_times(problem.inertia, axis))
    return (sum(problem.inertia[i][i] for i in range(3)) - J3) / 2, J3, axis


def _zero_if_rounding(sum_: Any, difference: Any, size: Any) -> tuple[Any, Any]:
    """Return h_z + h3 (`sum_`) and h_z - h3 (`difference`), each replaced by zero if it is only a rounding error
    relative to `size`.

    If one of the two is exactly zero, the axis of the top passes through the vertical.
    """
    sum_, difference = (0 if abs(part) <= ROUNDING_LIMIT * size else part for part in (sum_, difference))
    return sum_, difference


def _roots(coefficients: list[Any]) -> tuple[Any, Any, Any]:
    """Return the three real roots, ascending, of z^3 + b z^2 + c z + d.

    The largest root, which may be very large, is computed by Viete's formula, the others from their sum and product.
    """
    math = context()
    b, c, d = coefficients
    root = math.sqrt(max(b**2 / 9 - c / 3, math.mpf(0)))
    r = (9 * b * c - 2 * b**3 - 27 * d) / 54
    cosine = min(max(r / root**3, math.mpf(-1)), math.mpf(1)) if root else math.mpf(1)
    largest = 2 * root * math.cos(math.acos(cosine) / 3) - b / 3
    middle = (-b - largest) / 2
    apart = math.sqrt(max(middle**2 + d / largest, math.mpf(0)))
    return middle - apart, middle + apart, largest
