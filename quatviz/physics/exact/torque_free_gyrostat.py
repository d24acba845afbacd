"""The torque-free gyrostat with rotors about any axes, each of constant speed or momentum: the attitude by theta
functions."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import (
    ROUNDING_LIMIT,
    ZERO_LIMIT,
    LinearPhase,
    context,
    cross,
    dot,
    matrix_times,
    to_floats,
    to_multiprecision_vector,
)
from quatviz.physics.exact.base import ExactProblem, ExactSolution
from quatviz.physics.exact.gyrostat import constant_rotors_reason
from quatviz.physics.exact.torque_free import principal_inverses
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import conjugate, from_matrix, multiply, normalize
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.physics.mechanics.rotor_system import RotorSystem

_NEGLIGIBLE_FACTOR = 1e-18
"""Deviation from 1 below which a factor of a theta function is omitted."""


class TorqueFreeGyrostat(ExactSolution):
    r"""Torque-free motion for any inertia J* and any constant stored momentum s: the gyrostat of Zhukovsky and Volterra.

    With A = J*^-1 in principal axes, omega = A (H - s) and H' = H x A (H - s). H moves along the curve in which the
    sphere |H|^2 = h^2 and the ellipsoid (H - s).A (H - s) = 2T intersect. In a space frame whose third axis is H let
    a = e0 + i e3 and b = e1 + i e2 (axes permuted so that the third one is c). Both are elliptic functions of the
    second kind with the same poles,

        a : b = a0 exp(i k t) theta(t - u1) theta(t - u2) : b0 exp(i l t) theta(t - v1) theta(t - v2)

    normalized to |a|^2 + |b|^2 = 1. a is zero where H_3 = -h and H_2 = -i H_1, b where H_3 = h and H_2 = i H_1; each
    pair is the solution of a quadratic equation. The constants a0, b0, k and l follow from the initial state and its
    rate.

    Each zero of a or b is a complex time u (u1, u2, v1 or v2) at which H has one of these values, X. It follows from X
    and the initial value X0. The pencil of the two quadrics contains one quadric through the line from X0 to X, with the
    parameter

        m(X) = ((X0 - s).A (X - s) - 2T)/(X0.X - h^2)    m(X0) = X0'.A X0'/X0'.X0'

    and m'^2 = D(m), where D is the determinant of the pencil, of the fourth degree. Hence u = wp^-1(z) with
    z = (m0' m' + F(m0, m))/(2 (m - m0)^2) by the theorem of Biermann and Weierstrass, where F is the polar form of D.
    """

    name = "torque_free_gyrostat"
    title = "torque-free gyrostat"
    needs = "a body without active loads, rotors of constant speed or momentum, and a motion that is not on the separatrix"
    source = (
        "Zhukovsky 1885; Volterra 1899; Wittenburg, Dynamics of Systems of Rigid Bodies (1977), 4.5; Whittaker and "
        "Watson, 20.6 example 2; zeros of the quaternion derived here"
    )
    conditions = (
        "no active loads; rotors about any axes, each with a constant speed or momentum; any inertia, on either side "
        "of a separatrix"
    )
    functions = "four theta functions for the attitude; the inverse of Weierstrass's elliptic function for their zeros"
    order = 25
    carries_rotors = True

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        speed, momentum = "constant_speed", "constant_momentum"
        askew = Rotor(axis=[0.2, 1.0, 0.4], inertia=0.2, law=speed, speed=12.0)
        wheel = Rotor(axis=[0.0, 0.0, 1.0], law=momentum, momentum=3.0)
        full = [[3.0, 0.2, -0.1], [0.2, 4.0, 0.3], [-0.1, 0.3, 5.0]]
        start = Initial(euler_parameters=[0.8, 0.0, -0.6, 0.0], angular_velocity=[0.7, -0.4, 0.9])
        still = Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.0, 0.0, 0.3])
        return {
            "rotors about general axes": (Body(inertia=full, rotors=[askew, wheel]), start, ()),
            "rotor along a principal axis": (Body(inertia=[3.0, 4.0, 5.0], rotors=[wheel]), start, ()),
            "two equal moments": (Body(inertia=[4.0, 4.0, 5.0], rotors=[askew]), start, ()),
            "rotor that stands still": (
                Body(inertia=[3.0, 4.0, 5.0], rotors=[Rotor(axis=[1, 0, 0], inertia=0.5, law=speed)]),
                start,
                (),
            ),
            "steady rotation": (Body(inertia=[3.0, 4.0, 5.0], rotors=[wheel]), still, ()),
        }

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        reason = constant_rotors_reason(problem)
        if reason:
            return reason
        motion = _Momentum(problem)
        if motion.is_steady:
            return ""
        moments = motion.inverse
        if not any(moments[i] - moments[i + 1] for i in (0, 1)):
            return phrase("all moments of inertia of the body are equal")
        return phrase("the motion is on a separatrix") if motion.curve.is_degenerate else ""

    def __init__(self, problem: ExactProblem) -> None:
        motion = _Momentum(problem)
        self._inverse, self._stored = to_floats(motion.inverse), to_floats(motion.stored)
        self._size = float(motion.size)
        self._axes = np.array([to_floats(row) for row in motion.axes])
        self._order = motion.order
        self._p, self._omega = normalize(problem.p), problem.omega
        self._steady_phase: LinearPhase | None = None
        if motion.is_steady:
            math = context()
            rate = math.sqrt(dot(problem.rate, problem.rate))
            self._spin_axis = to_floats(component / rate if rate else 0 for component in problem.rate)
            self._steady_phase = LinearPhase(rate / (4 * math.pi), math.mpf(0))
            return
        self._spinor = (
            _SpinorComponent(motion, -1, *motion.spinor[0]),
            _SpinorComponent(motion, 1, *motion.spinor[1]),
        )
        self._period_phase = LinearPhase(1 / motion.curve.period, context().mpf(0))
        turned_axes = from_matrix(self._axes)
        self._turn_axes = conjugate(turned_axes)
        start = self._from_start(np.zeros(1))[0]
        self._before = multiply(multiply(to_floats(problem.unit_p), turned_axes), conjugate(start))

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self._steady_phase is not None:
            half = 2.0 * np.pi * self._steady_phase.evaluate(t)[0]
            turn = np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * self._spin_axis), axis=1)
            return multiply(self._p, turn), np.tile(self._omega, (len(t), 1))
        p = self._from_start(t)
        e0, (e1, e2, e3) = p[:, 0], (p[:, 1 + axis] for axis in self._order)
        momentum = np.empty((len(t), 3))
        momentum[:, self._order[0]] = 2.0 * (e1 * e3 - e0 * e2)
        momentum[:, self._order[1]] = 2.0 * (e2 * e3 + e0 * e1)
        momentum[:, self._order[2]] = e0**2 + e3**2 - e1**2 - e2**2
        omega = (self._size * momentum - self._stored) * self._inverse
        return multiply(multiply(self._before, p), self._turn_axes), omega @ self._axes.T

    def _from_start(self, t: np.ndarray) -> np.ndarray:
        """Return the rotation (n, 4) from the principal axes to a frame in which H is fixed along axis c."""
        turn = np.exp(2j * np.pi * self._period_phase.evaluate(t)[0])
        a, b = (component.evaluate(t, turn) for component in self._spinor)
        p = np.empty((len(t), 4))
        for column, part in zip(
            (0, *(1 + axis for axis in self._order)), (a.real, b.real, b.imag, a.imag), strict=True
        ):
            p[:, column] = part
        return p / np.linalg.norm(p, axis=1)[:, None]


class _SpinorComponent:
    """One of the two elliptic functions a and b of the attitude, see `TorqueFreeGyrostat`, as constant exp(i k t)
    theta(t - u1) theta(t - u2).

    The constants follow from the value and the rate of the function at t = 0. `sign` is -1 for the function a,
    which is zero where H_3 = -h, and 1 for b.
    """

    def __init__(self, motion: "_Momentum", sign: int, value: Any, rate: Any) -> None:
        math, curve = context(), motion.curve
        frequency = 2 * math.pi / curve.period
        product, slope, factors = math.mpf(1), math.mpf(0), []
        for zero in motion.zeros(sign):
            factor = math.exp(-1j * frequency * zero)
            theta, log_slope = _theta(factor, curve.nome)
            product, slope = product * theta, slope + 1j * frequency * log_slope
            factors.append(complex(factor))
        self._phase = LinearPhase(math.im(rate / value - slope) / (2 * math.pi), math.mpf(0))
        self._constant, self._factors = complex(value / product), factors
        self._nome = float(curve.nome)

    def evaluate(self, t: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return the component (n,) at times `t` (n,) [s], up to a positive factor common to both components.

        `turn` (n,) is exp(2 pi i t/period).
        """
        value = self._constant * np.exp(2j * np.pi * self._phase.evaluate(t)[0])
        for factor in self._factors:
            x = turn * factor
            size, power = max(abs(factor), 1.0 / abs(factor)), self._nome
            value = value * (1.0 - x)
            while abs(power) * size > _NEGLIGIBLE_FACTOR:
                value = value * ((1.0 - power * x) * (1.0 - power / x))
                power *= self._nome
        return value


def _theta(x: Any, nome: Any) -> tuple[Any, Any]:
    """Return theta(x), which is (1 - x) times the product of (1 - q^n x)(1 - q^n/x) over n >= 1 with q =
    `nome`, and x theta'(x)/theta(x)."""
    math = context()
    value, slope, power = 1 - x, -x / (1 - x), nome
    while abs(power) * max(abs(x), 1 / abs(x)) > math.eps:
        value *= (1 - power * x) * (1 - power / x)
        slope += -power * x / (1 - power * x) + power / x / (1 - power / x)
        power *= nome
    return value, slope


class _Curve(NamedTuple):
    """The elliptic curve y^2 = D(m), where D is the determinant of the pencil of two quadrics; see `TorqueFreeGyrostat`.

    Attributes
    ----------
    quartic
        Coefficients of D, constant term first.
    roots
        Roots e1, e2, e3 of 4 z^3 - g2 z - g3.
    period, height
        Real period [s], and the imaginary part [s] of the complex period.
    shift
        Real part [s] of the complex period: 0, or half of the real period.
    nome
        Square q^2 of the nome, negative if `shift` is not zero.
    is_degenerate
        True if two roots are equal to rounding.
    """

    quartic: list[Any]
    roots: list[Any]
    period: Any
    height: Any
    shift: Any
    nome: Any
    is_degenerate: bool


class _Momentum:
    """The total momentum H of a body with rotors, in principal axes of J*, with constants in multiprecision.

    `inverse`, `axes` and `stored` are in ascending order of the moments. Private attributes and local variables are
    in the order `order`, with axis c last.
    """

    def __init__(self, problem: ExactProblem) -> None:
        system = RotorSystem(problem.body)
        J = [to_multiprecision_vector(row) for row in system.effective_inertia]
        off_diagonal = system.effective_inertia - np.diag(np.diag(system.effective_inertia))
        self.inverse, self.axes = principal_inverses(J, not off_diagonal.any())
        body_stored = to_multiprecision_vector(system.stored_momentum)
        body_momentum = [x + y for x, y in zip(matrix_times(J, problem.rate), body_stored, strict=True)]
        self.stored, momentum = (
            [dot(column, v) for column in zip(*self.axes, strict=True)] for v in (body_stored, body_momentum)
        )
        self.size = context().sqrt(dot(momentum, momentum))
        rate = cross(body_momentum, problem.rate)
        scale = self.size**2 * self.inverse[0]
        self.is_steady = not dot(rate, rate) > (ROUNDING_LIMIT * scale) ** 2
        self.order = self._axis_order(momentum)
        self._A, self._s, self._start = (
            [v[i] for i in self.order] for v in (self.inverse, self.stored, momentum)
        )
        self._omega = self._rate_of(self._start)
        self._twice_T = dot([x - y for x, y in zip(self._start, self._s, strict=True)], self._omega)
        if not self.is_steady:
            self.curve = self._make_curve()
            self._set_start()

    def _axis_order(self, momentum: list[Any]) -> tuple[int, int, int]:
        """Return the three axes in cyclic order. The first two have different moments, and the last one, c, is as far
        from the initial momentum as possible."""
        A = self.inverse
        orders = [((c + 1) % 3, (c + 2) % 3, c) for c in range(3)]
        usable = [order for order in orders if A[order[0]] != A[order[1]]] or orders
        return min(usable, key=lambda order: abs(momentum[order[2]]))

    def _rate_of(self, momentum: list[Any]) -> list[Any]:
        """Return omega = A (H - s) for the momentum H, with the inverse inertia A and the stored momentum
        s."""
        return [A * (x - s) for A, x, s in zip(self._A, momentum, self._s, strict=True)]

    def _make_curve(self) -> _Curve:
        math, A, s = context(), self._A, self._s
        moments = [A_i * s_i for A_i, s_i in zip(A, s, strict=True)]
        linear = [[A_i, math.mpf(-1)] for A_i in A]
        cubic = _polynomial_product(_polynomial_product(linear[0], linear[1]), linear[2])
        D = _polynomial_product(cubic, [dot(moments, s) - self._twice_T, self.size**2])
        for i in range(3):
            square = _polynomial_product(linear[(i + 1) % 3], linear[(i + 2) % 3])
            for power, coefficient in enumerate(square):
                D[power] -= moments[i] ** 2 * coefficient
        a4, a3, a2, a1, a0 = D[0], D[1] / 4, D[2] / 6, D[3] / 4, D[4]
        g2 = a0 * a4 - 4 * a1 * a3 + 3 * a2**2
        g3 = a0 * a2 * a4 + 2 * a1 * a2 * a3 - a2**3 - a0 * a3**2 - a1**2 * a4
        return _make_curve(D, g2, g3)

    def _set_start(self) -> None:
        """Set m(t) and its rate m' at t = 0, and the initial values and rates of the two components of the spinor."""
        math = context()
        w, H = self._omega, self._start
        rate = cross(H, w)
        turn_rate = [A * x for A, x in zip(self._A, rate, strict=True)]
        second = [x + y for x, y in zip(cross(rate, w), cross(H, turn_rate), strict=True)]
        size = dot(rate, rate)
        self._m = dot(rate, turn_rate) / size
        self._m_rate = (dot(turn_rate, second) - self._m * dot(rate, second)) / size
        direction = [x / self.size for x in H]
        a = math.sqrt((1 + direction[2]) / 2)
        b = (direction[0] + 1j * direction[1]) / (2j * a)
        a_rate = (1j * w[2] * a - (w[0] - 1j * w[1]) * b) / 2
        b_rate = ((w[0] + 1j * w[1]) * a - 1j * w[2] * b) / 2
        self.spinor = ((a, a_rate), (b, b_rate))

    def zeros(self, sign: int) -> list[Any]:
        """Return the two complex times [s] at which H_3 = sign h and H_2 = sign i H_1, nearest to the real axis."""
        math, A, s = context(), self._A, self._s
        unit = math.mpc(0, sign)
        square = A[0] - A[1]
        half = A[0] * s[0] + unit * A[1] * s[1]
        last = A[0] * s[0] ** 2 + A[1] * s[1] ** 2 + A[2] * (sign * self.size - s[2]) ** 2 - self._twice_T
        root = math.sqrt(half**2 - square * last)
        far = half + root if abs(half + root) >= abs(half - root) else half - root
        times = []
        for first in (far / square, last / far if far else far):
            time = self._time_of([first, unit * first, sign * self.size])
            rows = math.nint(math.im(time) / self.curve.height)
            times.append(time - rows * math.mpc(self.curve.shift, self.curve.height))
        return times

    def _time_of(self, H: list[Any]) -> Any:
        """Return a complex time [s], modulo periods, at which the momentum has the complex value H."""
        math = context()
        rate = cross(H, self._rate_of(H))
        divisor = dot(self._start, H) - self.size**2
        shifted = [x - s for x, s in zip(H, self._s, strict=True)]
        m = (dot(self._omega, shifted) - self._twice_T) / divisor
        m_rate = (dot(self._omega, rate) - m * dot(self._start, rate)) / divisor
        D, m0, m0_rate = self.curve.quartic, self._m, self._m_rate
        a4, a3, a2, a1, a0 = D[0], D[1] / 4, D[2] / 6, D[3] / 4, D[4]
        polar = (
            a0 * m0**2 * m**2
            + 2 * a1 * m0 * m * (m0 + m)
            + a2 * (m0**2 + 4 * m0 * m + m**2)
            + 2 * a3 * (m0 + m)
            + a4
        )
        polar_slope = 2 * a0 * m0**2 * m + 2 * a1 * m0 * (m0 + 2 * m) + a2 * (4 * m0 + 2 * m) + 2 * a3
        slope = 4 * (a0 * m**3 + 3 * a1 * m**2 + 3 * a2 * m + a3)
        difference = m - m0
        z = (m0_rate * m_rate + polar) / (2 * difference**2)
        z_rate = (m0_rate * slope / 2 + m_rate * polar_slope) / (2 * difference**2)
        z_rate -= 2 * m_rate * z / difference
        distances = [z - root for root in self.curve.roots]
        time = math.elliprf(*distances)
        principal_rate = -2 * math.sqrt(distances[0]) * math.sqrt(distances[1]) * math.sqrt(distances[2])
        return time if math.re(z_rate * math.conj(principal_rate)) > 0 else -time


def _polynomial_product(a: list[Any], b: list[Any]) -> list[Any]:
    """Return the coefficients of a product of polynomials, constant term first."""
    product = [context().mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def _make_curve(quartic: list[Any], g2: Any, g3: Any) -> _Curve:
    """Return the curve with the invariants g2 and g3 and its periods, by the arithmetic-geometric mean."""
    math = context()
    discriminant = g2**3 - 27 * g3**2
    if abs(discriminant) <= ZERO_LIMIT * (abs(g2) ** 3 + 27 * g3**2):
        zero = math.mpf(0)
        return _Curve(quartic, [], zero, zero, zero, zero, True)
    if discriminant > 0:
        radius = math.sqrt(g2 / 3)
        angle = math.atan2(math.sqrt(discriminant), math.sqrt(27) * g3) / 3
        e1, e3, e2 = (radius * math.cos(angle + 2 * math.pi * k / 3) for k in range(3))
        roots = [e1, e2, e3]
        period = math.pi / math.agm(math.sqrt(e1 - e3), math.sqrt(e1 - e2))
        height = math.pi / math.agm(math.sqrt(e1 - e3), math.sqrt(e2 - e3))
        nome = math.exp(-2 * math.pi * height / period)
        return _Curve(quartic, roots, period, height, math.mpf(0), nome, False)
    radical = math.sqrt(-discriminant / 1728)
    first = g3 / 8 + (radical if g3 >= 0 else -radical)
    u = math.cbrt(abs(first)) * (1 if first > 0 else -1)
    v = g2 / (12 * u)
    real, imaginary = u + v, math.sqrt(3) / 2 * (u - v)
    roots = [real, math.mpc(-real / 2, imaginary), math.mpc(-real / 2, -imaginary)]
    distance = math.sqrt(3 * real**2 - g2 / 4)  # from the real root to the others
    double = 2 * math.sqrt(distance)
    period = 2 * math.pi / math.agm(double, math.sqrt(2 * distance + 3 * real))
    height = math.pi / math.agm(double, math.sqrt(2 * distance - 3 * real))
    nome = -math.exp(-2 * math.pi * height / period)
    return _Curve(quartic, roots, period, height, period / 2, nome, False)
