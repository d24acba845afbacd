"""Rotation about a principal axis under constant forces or guided springs.

The angle, or for springs twice the angle, satisfies the pendulum equation.
"""

from typing import Any

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import (
    ZERO_LIMIT,
    LinearPhase,
    carlson_F,
    complete_K,
    context,
    cross,
    dot,
    matrix_times,
    rotate_vector,
    rotation_to_third_axis,
    to_floats,
    to_multiprecision,
)
from quatviz.physics.exact._theta import Theta
from quatviz.physics.exact._uniform_field import force_in_body, initial_torque, is_simple
from quatviz.physics.exact.base import SYMMETRY_TOLERANCE, ExactProblem, ExactSolution, load_names
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.mechanics.rotations import multiply


class Pendulum(ExactSolution):
    """The disk of S3 example 1 and every plane pendulum, with V = -S cos(n phi + delta) of the angle phi about a
    principal axis a.

    n = 1 for forces that are constant in space and 2 for guided springs. chi = n phi + delta satisfies
    chi'' = -W^2 sin chi with W = n sqrt(S/J_a), where J_a is the moment of inertia about a. The constant
    k^2 = sin^2(chi/2) + (chi'/2W)^2 determines the motion:

    - k < 1: oscillation, sin(chi/2) = k sn(W t + u0 | k^2);
    - k > 1: rotation, chi/2 = am(k W t + u0 | 1/k^2);
    - k = 1: the separatrix between both.
    """

    name = "pendulum"
    title = "rotation about a principal axis"
    needs = "omega and every torque along one principal axis, and either constant forces or guided springs, not both"
    source = "S3(45, 46); Whittaker, Analytical Dynamics, 44"
    conditions = (
        r"$\omega$ and every torque along one principal axis: the disk of S3 example 1, every physical pendulum; "
        "guided springs or constant forces, not both; oscillation, rotation, and the separatrix between them"
    )
    functions = "sn, cn, dn, am"
    order = 40

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        others = [load for load in problem.loads if not is_simple(load)]
        if others:
            return phrase("these loads act: {loads}", loads=load_names(others))
        axis = _axis(problem)
        if axis is None:
            return phrase("the body is at rest and no load turns it")
        J = matrix_times(problem.inertia, axis)
        cross_product = cross(axis, J)
        if dot(cross_product, cross_product) > (SYMMETRY_TOLERANCE * dot(axis, J)) ** 2:
            return phrase("the body does not start to rotate about a principal axis")
        constant_phasor, spring_phasor = _potential_phasors(problem, axis)
        if constant_phasor is None or spring_phasor is None:
            return phrase("a torque tilts the axis of rotation")
        if constant_phasor and spring_phasor:
            return phrase("constant forces and guided springs act together")
        return ""

    def __init__(self, problem: ExactProblem) -> None:
        math = context()
        axis = _axis(problem)
        assert axis is not None
        constant_phasor, spring_phasor = _potential_phasors(problem, axis)
        self._n = 2 if spring_phasor else 1
        phasor = spring_phasor or constant_phasor or math.mpc(0)
        J = dot(axis, matrix_times(problem.inertia, axis))
        self._axis, self._p = to_floats(axis), to_floats(problem.unit_p)
        self._set_swing(abs(phasor), phasor, self._n**2 * abs(phasor) / J, self._n * dot(axis, problem.rate))
        self._half_at_start = self._swing(np.zeros(1))[0][0]

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half, rate, periods = self._swing(t)
        # Half the angle of the body is chi/2n. It grows by pi/n with every half turn of chi/2.
        angle = (half - self._half_at_start + np.pi * np.mod(periods, 2 * self._n)) / self._n
        turn = np.concatenate((np.cos(angle)[:, None], np.sin(angle)[:, None] * self._axis), axis=1)
        return multiply(self._p, turn), (rate / self._n)[:, None] * self._axis

    def _set_swing(self, size: Any, phasor: Any, W2: Any, rate: Any) -> None:
        """Set motion type, amplitude and phase of chi/2 from the initial state.

        `size` is S [J], `phasor` S exp(i chi(0)) and `W2` the square of W [1/s^2]. `rate` = chi'(0) [rad/s] is not
        negative, since the axis points along omega.
        """
        math = context()
        cos2 = (1 + phasor.real / size) / 2 if size else math.mpf(1)
        sin = math.sqrt(abs(1 - cos2)) * (-1 if phasor.imag < 0 else 1)
        kinetic_fraction = rate**2 / (4 * W2) if size else math.mpf(0)
        k2, complement = 1 - cos2 + kinetic_fraction, cos2 - kinetic_fraction
        self._k = 1.0
        self._theta: Theta | None = None
        self._phase: LinearPhase | None = None
        if not size or (kinetic_fraction < ZERO_LIMIT and min(cos2, 1 - cos2) < ZERO_LIMIT):
            self._motion_type = "uniform"  # no torque, or rest in equilibrium
            self._phase = LinearPhase(rate / (2 * math.pi), math.mpf(0))
            self._rate = float(rate)
            return
        W = math.sqrt(W2)
        if abs(complement) < ZERO_LIMIT:
            self._motion_type = "between"
            self._W = float(W)
            self._start = float(math.asinh(sin / math.sqrt(cos2)))
        elif complement > 0:
            self._motion_type = "swings"
            k = math.sqrt(k2)
            K = complete_K(complement)
            self._theta = Theta(K, complete_K(k2))
            start = carlson_F(sin / k, kinetic_fraction / k2, cos2)
            self._phase = LinearPhase(W / (2 * K), start / (2 * K))
            self._k, self._rate = float(k), float(2 * W * k)
        else:
            self._motion_type = "turns"
            k = math.sqrt(k2)
            K = complete_K(-complement / k2)
            self._theta = Theta(K, complete_K(1 / k2))
            start = carlson_F(sin, cos2, kinetic_fraction / k2)
            self._phase = LinearPhase(W * k / (2 * K), start / (2 * K))
            self._rate = float(2 * W * k)

    def _swing(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return chi/2 (n,) reduced by whole half turns, the rate chi' (n,) [rad/s], and the number (n,) of half
        turns that were removed."""
        zeros = np.zeros(len(t))
        if self._phase is None:
            u = self._W * t + self._start
            sech = 2.0 * np.exp(-abs(u)) / (1.0 + np.exp(-2.0 * abs(u)))
            half = np.arctan2(np.tanh(u), sech)
            return half, 2.0 * self._W * sech, zeros
        fraction, periods = self._phase.evaluate(t)
        if self._theta is None:
            return np.pi * fraction, np.full(len(t), self._rate), periods
        sn, cn, dn = self._theta.sn_cn_dn(2.0 * self._theta.K * fraction)
        if self._motion_type == "swings":
            side = 1.0 - 2.0 * np.mod(periods, 2.0)
            return np.arctan2(side * self._k * sn, dn), self._rate * side * cn, zeros
        return np.arctan2(sn, cn), self._rate * dn, periods


def _axis(problem: ExactProblem) -> list[Any] | None:
    """Return the unit vector [body] along omega or, for a body at rest, along the torque. Return None if both are
    zero."""
    axis = problem.rate if any(problem.rate) else initial_torque(problem)
    size = context().sqrt(dot(axis, axis))
    return [component / size for component in axis] if size else None


def _potential_phasors(problem: ExactProblem, axis: list[Any]) -> tuple[Any, Any]:
    """Return two complex numbers S exp(i delta) [J]: one for all constant forces, one for all guided springs.

    The number is 0 if its loads cancel each other. Both results are None if a torque would tilt the axis.
    """
    math = context()
    turn = rotation_to_third_axis(axis)
    constant_phasor, spring_phasor, constant_scale, spring_scale = (
        math.mpc(0),
        math.mpc(0),
        math.mpf(0),
        math.mpf(0),
    )
    transverse = [math.mpc(0), math.mpc(0)]
    for load in problem.loads:
        (F, f), (U, u) = (_split_components(rotate_vector(turn, v)) for v in force_in_body(problem, load))
        size = math.sqrt((abs(F) ** 2 + f**2) * (abs(U) ** 2 + u**2))
        if type(load) is GuidedSpring:
            has_no_torque_aside = max(abs(F * u), abs(f * U)) <= SYMMETRY_TOLERANCE * size
            does_no_work = max(abs(F * U), abs(f * u)) <= SYMMETRY_TOLERANCE * size
            if not has_no_torque_aside and not does_no_work:
                return None, None
            spring_phasor -= (
                0 if does_no_work else to_multiprecision(load.stiffness) * (math.conj(F) * U) ** 2 / 4
            )
            spring_scale += to_multiprecision(load.stiffness) * size**2
        else:
            constant_phasor += math.conj(F) * U
            transverse[0] += u * F
            transverse[1] += f * U
            constant_scale += size
    if max(map(abs, transverse)) > SYMMETRY_TOLERANCE * constant_scale:
        return None, None
    return (
        constant_phasor if abs(constant_phasor) > SYMMETRY_TOLERANCE * constant_scale else math.mpc(0),
        spring_phasor if abs(spring_phasor) > SYMMETRY_TOLERANCE * spring_scale else math.mpc(0),
    )


def _split_components(v: list[Any]) -> tuple[Any, Any]:
    """Return the components of a vector transverse to the third axis, as one complex number, and its component along
    this axis."""
    return context().mpc(v[0], v[1]), v[2]
