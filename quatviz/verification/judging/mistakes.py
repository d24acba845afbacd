"""Known mistakes in the equations of a rigid body. Each has a description, its origin, and the wrong rates
that result from it."""

from abc import ABC
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from quatviz.base.registry import Registry
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.mechanics.rotations import conjugate, matrix_G, rotate, rotate_back
from quatviz.physics.mechanics.state import StateVariable


class Mistake(ABC):
    """Base class of known mistakes.

    The contract, from which a mistake can be written:

    1. This module, or another package behind an entry point of the group `quatviz.mistakes`, defines a concrete
       subclass. `name` identifies it, `summary` says in a sentence what is written in place of the correct
       expression, and `source` says where the mistake occurs.
    2. `p_rate` (4,) [1/s] and `omega_rate` (3,) [rad/s^2, body] return the rates of the wrong equations at a point,
       which provides the correct rates and all their ingredients. Methods that are not overridden return the
       correct rate.
    3. `constraint_violation_rate` is the rate at which a state leaves its constraint: p'.p' + p.p'' [1/s^2] for a state
       with EULER_RATES, p'.g + p.g' [J] for one with EULER_MOMENTA, and zero for correct equations. It affects the
       attitude only later.
    4. `free_factor_kinds` lists the kinds of velocities in the state for which the effect of the mistake contains an
       unknown factor, such as a free moment of inertia. Errors of the rates are then compared up to a factor.
       `in_call_of_loads` is True if the mistake is made in the evaluation of loads: equations that do not read the
       loads cannot have it.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    free_factor_kinds: ClassVar[tuple[StateVariable, ...]] = ()
    in_call_of_loads: ClassVar[bool] = False

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        """Return p' (4,) [1/s] of the wrong equations."""
        return state.p_rate

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        """Return omega' (3,) [rad/s^2, body] of the wrong equations."""
        return state.omega_rate

    @classmethod
    def constraint_violation_rate(cls, state: EvaluationPoint, velocity_kind: StateVariable) -> float:
        """Return the time derivative of the constraint p.p' or p.g in the wrong equations; it should be 0."""
        return 0.0


def _angular_acceleration(state: EvaluationPoint, moment: np.ndarray) -> np.ndarray:
    """Return omega' = J^-1 m (3,) [rad/s^2, body] for the moment m (3,) [N m, body]."""
    return np.linalg.solve(state.J, moment)


# --- kinematics


class RateInSpace(Mistake):
    name = "rate_in_space"
    summary = "p' = ½ Gᵀω with ω in the body: the body rate is used as the space rate, G instead of L"
    source = "S0(17) beside S1(5, 6); Sommer et al. 2018, Why and How to Avoid the Flipped Quaternion Multiplication"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return 0.5 * matrix_G(state.p).T @ state.omega


class NoHalf(Mistake):
    name = "no_half"
    summary = "p' = Lᵀω: the half is missing"
    source = "S0(17), where ω = 2 L p'; the half of the angle is easily forgotten"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return state.L.T @ state.omega


class HalfTwice(Mistake):
    name = "half_twice"
    summary = "p' = ¼ Lᵀω: the half is taken twice"
    source = "S0(17), with the half of the product and that of the angle"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return 0.25 * state.L.T @ state.omega


class RateSign(Mistake):
    name = "rate_sign"
    summary = "p' = -½ Lᵀω: the body turns backwards"
    source = "the derivative of the transposed A, A' = -ω~ A, in a program whose A maps body to space"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return -state.p_rate


class Conjugate(Mistake):
    name = "conjugate"
    summary = "p' = -½ Gᵀω: the equation of the conjugate, which maps space to body"
    source = "Diebel 2006, Representing Attitude, whose quaternion maps the world to the body"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return -0.5 * matrix_G(state.p).T @ state.omega


class ScalarLastOrder(Mistake):
    name = "scalar_last"
    summary = "p is read with the scalar last, and is stored with the scalar first"
    source = "S1, which is scalar last, beside S0, S2, S3, S4"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        e, scalar = state.p[:3], state.p[3]
        return 0.5 * np.append(scalar * state.omega + np.cross(e, state.omega), -e @ state.omega)


class RowOfL(Mistake):
    name = "row_of_L"
    summary = "the third row of L is (-e3, -e2, -e1, e0): L p is not zero"
    source = "S3(8) as printed"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        L = np.array(state.L)
        L[2, 1] *= -1.0
        return 0.5 * L.T @ state.omega


class RowOfG(Mistake):
    name = "row_of_G"
    summary = "the third row of G is (-e3, e2, e1, e0): G p is not zero"
    source = "S3(7) as printed"

    @classmethod
    def p_rate(cls, state: EvaluationPoint) -> np.ndarray:
        G = matrix_G(state.p)
        G[2, 1] *= -1.0
        return 0.5 * G.T @ rotate(state.p, state.omega)


# --- Euler's equation


class NoGyroscopic(Mistake):
    name = "no_gyroscopic"
    summary = "J ω' = n: the gyroscopic term ω × Jω is missing"
    source = "engines for games, such as ODE, which switch it off (dBodySetGyroscopicMode)"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque)


class GyroscopicSign(Mistake):
    name = "gyroscopic_sign"
    summary = "J ω' = n + ω × Jω: the gyroscopic term has the wrong sign"
    source = "the differences of moments taken in the wrong order in Euler's equations"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque + state.gyroscopic)


class HalfGyroscopic(Mistake):
    name = "half_gyroscopic"
    summary = "the gyroscopic term has half its size, such as 4 L'ᵀJLp' for 8"
    source = (
        "S0(29) with one of the two equal halves of Lagrange's equation forgotten, d/dt ∂T/∂p' without -∂T/∂p"
    )

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque - 0.5 * state.gyroscopic)


class TwiceGyroscopic(Mistake):
    name = "twice_gyroscopic"
    summary = "the gyroscopic term has twice its size"
    source = "h' = n - ω × h with h' in place of J ω', where J' ω has been added once more"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque - 2.0 * state.gyroscopic)


class NotCyclic(Mistake):
    name = "not_cyclic"
    summary = "the second component of ω × Jω has the wrong sign: (J1 - J3) ω1 ω3 has + instead of -"
    source = "cross products expanded without the minus of the middle column"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque - state.gyroscopic * np.array([1.0, -1.0, 1.0]))


class InertiaInSpace(Mistake):
    name = "inertia_in_space"
    summary = (
        "J d(ω in space)/dt = n - ω × Jω with all in space except J, which is constant in body axes only"
    )
    source = "Goldstein, Classical Mechanics, 5.5: why Euler's equations are written in body axes"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        omega, torque = rotate(state.p, state.omega), rotate(state.p, state.torque)
        return rotate_back(state.p, _angular_acceleration(state, torque - np.cross(omega, state.J @ omega)))


class SpaceRateInEuler(Mistake):
    name = "space_rate_in_euler"
    summary = "ω × Jω is formed with ω in space, and the rest of Euler's equation in the body"
    source = "sensors and integrators that give the rate in another frame than the equation has"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        omega = rotate(state.p, state.omega)
        return _angular_acceleration(state, state.torque - np.cross(omega, state.J @ omega))


class GForL(Mistake):
    name = "G_for_L"
    summary = "the gyroscopic term of Lagrange's equations has G'ᵀ in place of L'ᵀ"
    source = "S0(23, 29), whose G and L differ in one sign"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, state.torque - 2.0 * state.L @ matrix_G(state.p_rate).T @ state.h)


class NoInverse(Mistake):
    name = "no_inverse"
    summary = "ω' = n - ω × Jω: the division by J is missing"
    source = "rates confused with moments"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return state.torque - state.gyroscopic


class ProductsDropped(Mistake):
    name = "products_dropped"
    summary = "products of inertia are left out: formulas for principal axes, used in other axes"
    source = "Euler's equations as most textbooks print them, used with any axes"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _acceleration_with_inertia(state, np.diag(np.diag(state.J)))


class ProductsSign(Mistake):
    name = "products_sign"
    summary = "products of inertia have the wrong sign, +∫xy dm for -∫xy dm"
    source = "the two conventions of CAD programs and textbooks"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _acceleration_with_inertia(state, 2.0 * np.diag(np.diag(state.J)) - state.J)


def _acceleration_with_inertia(state: EvaluationPoint, J: np.ndarray) -> np.ndarray:
    return np.linalg.solve(J, state.torque - np.cross(state.omega, J @ state.omega))


# --- loads


class TorqueSign(Mistake):
    name = "torque_sign"
    summary = "the torque has the wrong sign, such as f × u for u × f"
    source = "the cross product in the wrong order"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, -state.torque - state.gyroscopic)


class NoTorque(Mistake):
    name = "no_torque"
    summary = "the torque is left out"
    source = "equations of a free body, used under loads"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, -state.gyroscopic)


class HalfTorque(Mistake):
    name = "half_torque"
    summary = "the generalized force is Lᵀn: half of 2 Lᵀn"
    source = "S0 below (79), and ω = 2 L p' without its 2 in the virtual work"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, 0.5 * state.torque - state.gyroscopic)


class TwiceTorque(Mistake):
    name = "twice_torque"
    summary = "the torque has twice its size, such as 4 Lᵀn for 2 Lᵀn"
    source = "a generalized force that is multiplied by the 2 of ω = 2 L p' once more"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, 2.0 * state.torque - state.gyroscopic)


class TransposedAttitude(Mistake):
    name = "transposed_attitude"
    summary = "n = u × A f for u × Aᵀf: the force is turned the wrong way"
    source = "S1, whose R is A transposed, beside S0"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(
            state, _torque_with_rotation(state, lambda f: rotate(state.p, f)) - state.gyroscopic
        )


class ForceNotTurned(Mistake):
    name = "force_not_turned"
    summary = "n = u × f with u in the body and f in space: the force is not turned at all"
    source = "vectors multiplied by components, whatever their frames"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, _torque_with_rotation(state, lambda f: f) - state.gyroscopic)


class TorqueInSpace(Mistake):
    name = "torque_in_space"
    summary = "the torque in space, A n, is used in an equation in the body"
    source = "u × f formed in space and used in Euler's equation as it is"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, rotate(state.p, state.torque) - state.gyroscopic)


class TorqueInBody(Mistake):
    name = "torque_in_body"
    summary = "the torque in the body, n, is used in an equation in space, or 2 Gᵀn for 2 Lᵀn"
    source = "h' = n in space with a torque that has never been turned there"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, rotate_back(state.p, state.torque) - state.gyroscopic)


def _torque_with_rotation(
    state: EvaluationPoint, mistaken_to_body: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return the torque of the loads n (3,) [N m, body], with each force transformed from space to the body by
    `mistaken_to_body` instead of the correct rotation."""
    right, wrong = (
        sum((np.cross(u, to_body(f)) for f, u in state.forces), np.zeros(3))
        for to_body in (lambda f: rotate_back(state.p, f), mistaken_to_body)
    )
    return state.torque - right + wrong


class TorqueTurnedTwice(Mistake):
    name = "torque_turned_twice"
    summary = "Aᵀn for A n in an equation in space: the torque is turned the wrong way"
    source = "h' = A n in space with S1's R, which is A transposed"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        torque = rotate_back(state.p, rotate_back(state.p, state.torque))
        return _angular_acceleration(state, torque - state.gyroscopic)


class LoadAtConjugate(Mistake):
    name = "load_at_conjugate"
    in_call_of_loads = True
    summary = "the loads are evaluated at the conjugate of p: they see A transposed"
    source = "Diebel 2006, whose quaternion maps the world to the body, beside loads that expect p"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        torque = replace(state, u=conjugate(state.p)).torque
        return _angular_acceleration(state, torque - state.gyroscopic)


class LoadRateInSpace(Mistake):
    name = "load_rate_in_space"
    in_call_of_loads = True
    summary = "the loads are evaluated with ω in space: damping acts on other components"
    source = "states that contain ω in space, passed to loads that expect the body rate"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        torque = replace(state, omega=rotate(state.p, state.omega)).torque
        return _angular_acceleration(state, torque - state.gyroscopic)


class LoadAtStart(Mistake):
    name = "load_at_start"
    in_call_of_loads = True
    summary = "the loads are evaluated at t = 0: they do not change with time"
    source = "right-hand sides without t, written for loads that are constant"

    @classmethod
    def omega_rate(cls, state: EvaluationPoint) -> np.ndarray:
        return _angular_acceleration(state, replace(state, t=0.0).torque - state.gyroscopic)


# --- the constraint


class ConstraintOnce(Mistake):
    name = "constraint_once"
    summary = "pᵀp'' = 0: the constraint's second derivative lacks -p'ᵀp'"
    source = "S0(33) with its right side left out; S4(13) beside S4(42)"

    @classmethod
    def constraint_violation_rate(cls, state: EvaluationPoint, velocity_kind: StateVariable) -> float:
        return float(state.p_rate @ state.p_rate) if velocity_kind is StateVariable.EULER_RATES else 0.0


class Dropped4T(Mistake):
    name = "dropped_4T"
    summary = "λ lacks its 4T, or has 2T instead: the constraint is violated at a rate proportional to T"
    source = "S0's introduction and S4 below (20), 2 ωᵀJω called twice the kinetic energy; S3(23, 74)"
    free_factor_kinds = (StateVariable.EULER_RATES,)

    @classmethod
    def constraint_violation_rate(cls, state: EvaluationPoint, velocity_kind: StateVariable) -> float:
        return 4.0 * state.T


MISTAKES: Registry[type[Mistake]] = Registry(__name__, Mistake)
"""Known mistakes by name."""
