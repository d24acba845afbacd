"""Known mistakes in the equations of a rigid body: what each is, where it comes from, and the rates that it gives."""

from abc import ABC
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from quatviz.base.registry import Registry
from quatviz.physics.equations import Point
from quatviz.physics.mechanics.rotations import matrix_G, rotate, rotate_back
from quatviz.physics.mechanics.state import Kind


class Mistake(ABC):
    """One mistake. The contract, from which one can be written:

    1. This module, or an outside package behind an entry point of the group `quatviz.mistakes`, defines a concrete subclass. `name`
       is what it is called, `told` says in a sentence what is written in place of what, `source` where it is met.
    2. `p_rate` (4,) [1/s] and `omega_rate` (3,) [rad/s^2, body] are the rates by the wrong equations at a point, which knows the
       right ones and all that they are made of. What is not overridden is right.
    3. `leaving` is how fast a state leaves its constraint: p'.p' + p.p'' [1/s^2] of a state with EULER_RATES, p'.g + p.g' [J] of
       one with EULER_MOMENTA. It is zero where nothing is wrong. No attitude shows it at once.
    4. `any_factor` says that its difference is known but for a factor, such as a free moment of inertia.
    """

    name: ClassVar[str]
    told: ClassVar[str]
    source: ClassVar[str]
    any_factor: ClassVar[bool] = False

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        """p' (4,) [1/s]."""
        return at.p_rate

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        """omega' (3,) [rad/s^2, body]."""
        return at.omega_rate

    @classmethod
    def leaving(cls, at: Point, kind: Kind) -> float:
        """How fast the constraint on the velocities is left."""
        return 0.0


def _turned(at: Point, moment: np.ndarray) -> np.ndarray:
    """omega' (3,) of a body moment (3,) [N m]."""
    return np.linalg.solve(at.J, moment)


# --- kinematics


class RateInSpace(Mistake):
    name = "rate_in_space"
    told = "p' = ½ Gᵀω with ω in the body: the body rate is taken for the one in space, L for G"
    source = "S0(17) beside S1(5, 6); Sommer et al. 2018, Why and How to Avoid the Flipped Quaternion Multiplication"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        return 0.5 * matrix_G(at.p).T @ at.omega


class NoHalf(Mistake):
    name = "no_half"
    told = "p' = Lᵀω: the half is missing"
    source = "S0(17), where ω = 2 L p'; half the angle is forgotten in teaching"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        return at.L.T @ at.omega


class HalfTwice(Mistake):
    name = "half_twice"
    told = "p' = ¼ Lᵀω: the half is taken twice"
    source = "S0(17), with the half of the product and that of the angle"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        return 0.25 * at.L.T @ at.omega


class RateSign(Mistake):
    name = "rate_sign"
    told = "p' = -½ Lᵀω: the body turns backwards"
    source = (
        "the derivative of the transposed A, A' = -ω~ A, in a program whose A leads from the body to space"
    )

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        return -at.p_rate


class Conjugate(Mistake):
    name = "conjugate"
    told = "p' = -½ Gᵀω: the equation of the conjugate, which leads from space to the body"
    source = "Diebel 2006, Representing Attitude, whose quaternion leads from the world to the body"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        return -0.5 * matrix_G(at.p).T @ at.omega


class ScalarLast(Mistake):
    name = "scalar_last"
    told = "p is read with the scalar last, and is stored with the scalar first"
    source = "S1, which is scalar last, beside S0, S2, S3, S4"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        e, scalar = at.p[:3], at.p[3]
        return 0.5 * np.append(scalar * at.omega + np.cross(e, at.omega), -e @ at.omega)


class RowOfL(Mistake):
    name = "row_of_L"
    told = "the third row of L is (-e3, -e2, -e1, e0): L p is not zero"
    source = "S3(8) as printed"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        L = np.array(at.L)
        L[2, 1] *= -1.0
        return 0.5 * L.T @ at.omega


class RowOfG(Mistake):
    name = "row_of_G"
    told = "the third row of G is (-e3, e2, e1, e0): G p is not zero"
    source = "S3(7) as printed"

    @classmethod
    def p_rate(cls, at: Point) -> np.ndarray:
        G = matrix_G(at.p)
        G[2, 1] *= -1.0
        return 0.5 * G.T @ rotate(at.p, at.omega)


# --- Euler's equation


class NoGyroscopic(Mistake):
    name = "no_gyroscopic"
    told = "J ω' = n: the gyroscopic term ω × Jω is missing"
    source = "engines for games, such as ODE, which switch it off (dBodySetGyroscopicMode)"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque)


class GyroscopicSign(Mistake):
    name = "gyroscopic_sign"
    told = "J ω' = n + ω × Jω: the gyroscopic term has the wrong sign"
    source = "the differences of moments taken in the wrong order in Euler's equations"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque + at.gyroscopic)


class HalfGyroscopic(Mistake):
    name = "half_gyroscopic"
    told = "the gyroscopic term has half its size, such as 4 L'ᵀJLp' for 8"
    source = (
        "S0(29) with one of the two equal halves of Lagrange's equation forgotten, d/dt ∂T/∂p' without -∂T/∂p"
    )

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque - 0.5 * at.gyroscopic)


class TwiceGyroscopic(Mistake):
    name = "twice_gyroscopic"
    told = "the gyroscopic term has twice its size"
    source = "h' = n - ω × h with h' in place of J ω', where J' ω has been added once more"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque - 2.0 * at.gyroscopic)


class NotCyclic(Mistake):
    name = "not_cyclic"
    told = (
        "the second component of ω × Jω has the wrong sign: (J1 - J3) ω1 ω3 is taken with + where - belongs"
    )
    source = "cross products expanded without the minus of the middle column"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque - at.gyroscopic * np.array([1.0, -1.0, 1.0]))


class InertiaInSpace(Mistake):
    name = "inertia_in_space"
    told = "J d(ω in space)/dt = n - ω × Jω with all in space but J: the moments of the body axes do not stay there"
    source = "Goldstein, Classical Mechanics, 5.5: why Euler's equations are written in body axes"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        omega, torque = rotate(at.p, at.omega), rotate(at.p, at.torque)
        return rotate_back(at.p, _turned(at, torque - np.cross(omega, at.J @ omega)))


class SpaceRateInEuler(Mistake):
    name = "space_rate_in_euler"
    told = "ω × Jω is formed with ω in space, and the rest of Euler's equation in the body"
    source = "sensors and integrators that give the rate in another frame than the equation has"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        omega = rotate(at.p, at.omega)
        return _turned(at, at.torque - np.cross(omega, at.J @ omega))


class GForL(Mistake):
    name = "G_for_L"
    told = "the gyroscopic term of Lagrange's equations has G'ᵀ in place of L'ᵀ"
    source = "S0(23, 29), whose G and L differ in one sign"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, at.torque - 2.0 * at.L @ matrix_G(at.p_rate).T @ at.h)


class NoInverse(Mistake):
    name = "no_inverse"
    told = "ω' = n - ω × Jω: J is not divided by"
    source = "rates and moments taken for one another"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return at.torque - at.gyroscopic


class ProductsDropped(Mistake):
    name = "products_dropped"
    told = "products of inertia are left out: formulas for principal axes in axes that are not"
    source = "Euler's equations as most textbooks print them, used with any axes"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _with_inertia(at, np.diag(np.diag(at.J)))


class ProductsSign(Mistake):
    name = "products_sign"
    told = "products of inertia have the wrong sign, +∫xy dm for -∫xy dm"
    source = "the two conventions of CAD programs and textbooks"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _with_inertia(at, 2.0 * np.diag(np.diag(at.J)) - at.J)


def _with_inertia(at: Point, J: np.ndarray) -> np.ndarray:
    return np.linalg.solve(J, at.torque - np.cross(at.omega, J @ at.omega))


# --- loads


class TorqueSign(Mistake):
    name = "torque_sign"
    told = "the torque has the wrong sign, such as f × u for u × f"
    source = "the cross product in the wrong order"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, -at.torque - at.gyroscopic)


class NoTorque(Mistake):
    name = "no_torque"
    told = "the torque is left out"
    source = "equations of a free body, used under loads"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, -at.gyroscopic)


class HalfTorque(Mistake):
    name = "half_torque"
    told = "the generalised force is Lᵀn: half of 2 Lᵀn"
    source = "S0 below (79), and ω = 2 L p' without its 2 in the virtual work"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, 0.5 * at.torque - at.gyroscopic)


class TwiceTorque(Mistake):
    name = "twice_torque"
    told = "the torque has twice its size, such as 4 Lᵀn for 2 Lᵀn"
    source = "a generalised force that is multiplied by the 2 of ω = 2 L p' once more"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, 2.0 * at.torque - at.gyroscopic)


class TransposedAttitude(Mistake):
    name = "transposed_attitude"
    told = "n = u × A f for u × Aᵀf: the force is turned the wrong way"
    source = "S1, whose R is A transposed, beside S0"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, _moment(at, lambda f: rotate(at.p, f)) - at.gyroscopic)


class ForceNotTurned(Mistake):
    name = "force_not_turned"
    told = "n = u × f with u in the body and f in space: the force is not turned at all"
    source = "vectors multiplied by components, whatever their frames"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, _moment(at, lambda f: f) - at.gyroscopic)


class TorqueInSpace(Mistake):
    name = "torque_in_space"
    told = "the torque in space, A n, stands in an equation in the body"
    source = "u × f formed in space and used in Euler's equation as it is"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, rotate(at.p, at.torque) - at.gyroscopic)


class TorqueInBody(Mistake):
    name = "torque_in_body"
    told = "the torque in the body, n, stands in an equation in space, or 2 Gᵀn for 2 Lᵀn"
    source = "h' = n in space with a torque that has never been turned there"

    @classmethod
    def omega_rate(cls, at: Point) -> np.ndarray:
        return _turned(at, rotate_back(at.p, at.torque) - at.gyroscopic)


def _moment(at: Point, turn: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """n (3,) [N m] with every force [N, space] turned into the body in this way."""
    right, wrong = (
        sum((np.cross(u, way(f)) for f, u in at.forces), np.zeros(3))
        for way in (lambda f: rotate_back(at.p, f), turn)
    )
    return at.torque - right + wrong


# --- the constraint


class ConstraintOnce(Mistake):
    name = "constraint_once"
    told = "pᵀp'' = 0: the constraint's second derivative lacks -p'ᵀp'"
    source = "S0(33) with its right side left out; S4(13) beside S4(42)"

    @classmethod
    def leaving(cls, at: Point, kind: Kind) -> float:
        return float(at.p_rate @ at.p_rate) if kind is Kind.EULER_RATES else 0.0


class Dropped4T(Mistake):
    name = "dropped_4T"
    told = "λ lacks its 4T, or has 2T for it: the state leaves the constraint as fast as T says"
    source = "S0's introduction and S4 below (20), 2 ωᵀJω called twice the kinetic energy; S3(23, 74)"
    any_factor = True

    @classmethod
    def leaving(cls, at: Point, kind: Kind) -> float:
        return 4.0 * at.T


MISTAKES: Registry[type[Mistake]] = Registry(__name__, Mistake)
"""Every known mistake by its name."""
