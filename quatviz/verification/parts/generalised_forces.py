"""S0 sections 4.1 and 4.2: one force at a body point, two matrices B, two generalised forces, and what they share."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_G, matrix_L, omega_from_rate, rotation_matrix, skew
from quatviz.verification.arrays import (
    along,
    dot,
    outer,
    partials,
    random_inertia,
    random_p,
    random_rate,
    scaled,
    times,
    transposed,
)
from quatviz.verification.parts.base import IdentityPart


class Applied(NamedTuple):
    """Unit p, its tangent rate, a force f [N, space] at the body point u [m]; each (n, k)."""

    p: np.ndarray
    rate: np.ndarray
    f: np.ndarray
    u: np.ndarray

    @classmethod
    def at_random(cls, random: np.random.Generator, count: int) -> "Applied":
        p = random_p(random, count)
        return cls(p, random_rate(random, p), *random.normal(size=(2, count, 3)))

    @property
    def B1(self) -> np.ndarray:
        """S0(51): -2 A u~ L."""
        return -2 * rotation_matrix(self.p) @ skew(self.u) @ matrix_L(self.p)

    @property
    def B2(self) -> np.ndarray:
        """S0(54): d(A u)/dp of the A of S0(5), by differences."""
        return partials(lambda p: times(_printed_A(p), self.u), self.p)

    @property
    def H(self) -> np.ndarray:
        """S0(67): [[0, -u^T], [u, -u~]]."""
        H = np.zeros((len(self.u), 4, 4))
        H[:, 0, 1:], H[:, 1:, 0], H[:, 1:, 1:] = -self.u, self.u, -skew(self.u)
        return H

    @property
    def split(self) -> np.ndarray:
        """2 H^T G^T f (n, 4) [J]; S0(69)."""
        return 2 * times(transposed(self.H) @ transposed(matrix_G(self.p)), self.f)


class GeneralisedForces(IdentityPart):
    """S0(41) to S0(75). B2 is differentiated from the A of S0(5) numerically, never from what it is compared with."""

    name = "generalised_forces"
    title = "S0 section 4, the generalised forces, largest deviation"
    seed = 4
    tolerance = 1e-11

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        given = Applied.at_random(random, count)
        return {**_of_B(given), **_of_Q(given), **_of_degrees(given, random)}

    def differing(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        given = Applied.at_random(random, count)
        Q1, Q2 = times(transposed(given.B1), given.f), times(transposed(given.B2), given.f)
        return {"S0(57): B1 is not B2": given.B1 - given.B2, "S0(63): Q1 is not Q2": Q1 - Q2}


def _printed_A(p: np.ndarray) -> np.ndarray:
    """S0(5), whose extension off the sphere is the one that defines B2."""
    e0, e = p[:, 0], p[:, 1:]
    square = (2 * e0**2 - 1)[:, None, None] * np.eye(3)
    return square + 2 * (outer(e, e) + e0[:, None, None] * skew(e))


def _of_B(given: Applied) -> dict[str, np.ndarray]:
    p, rate, _, u = given
    G, L, A, H = matrix_G(p), matrix_L(p), rotation_matrix(p), given.H
    omega = omega_from_rate(p, rate)
    A_rate = along(lambda s: rotation_matrix(p + s * rate))
    moving = times(A_rate, u)
    e0, e = p[:, 0], p[:, 1:]
    first = 2 * scaled(e0, u) + np.cross(e, u)
    others = outer(e, u) - e0[:, None, None] * skew(u)
    printed = [2 * np.concatenate((first[:, :, None], part + others), axis=2) for part in _e_u(e, u)]
    return {
        "S0(15): A^T A' = omega~": transposed(A) @ A_rate - skew(omega),
        "S0(48): A' u = -A u~ omega": moving + times(A @ skew(u), omega),
        "S0(50, 51): A' u = B1 p'": moving - times(given.B1, rate),
        "S0(53-55): A' u = B2 p'": moving - times(given.B2, rate),
        "S0(64): B2 as expanded": given.B2 - printed[0],
        "S0(65): y~ z~ = z y^T - (y.z) I": skew(e) @ skew(u)
        - outer(u, e)
        + dot(e, u)[:, None, None] * np.eye(3),
        "S0(66): B2 as rearranged": given.B2 - printed[1],
        "S0(67): H is skew": H + transposed(H),
        "S0(68): B2 = 2 G H + 2 u p^T": given.B2 - 2 * G @ H - 2 * outer(u, p),
        "S0(71, 72): L H = -u~ L + u p^T": L @ H + skew(u) @ L - outer(u, p),
        "S0(73): B1 = 2 G L^T L H - 2 G L^T u p^T": given.B1 - 2 * A @ L @ H + 2 * outer(times(A, u), p),
        "S0(74): B1 = 2 G H - 2 G L^T u p^T": given.B1 - 2 * G @ H + 2 * outer(times(A, u), p),
    }


def _e_u(e: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(e.u) I of S0(64), and what S0(65) makes of it in S0(66)."""
    return dot(e, u)[:, None, None] * np.eye(3), outer(u, e) - skew(e) @ skew(u)


def _of_Q(given: Applied) -> dict[str, np.ndarray]:
    p, rate, f, u = given
    L, A = matrix_L(p), rotation_matrix(p)
    n = np.cross(u, times(transposed(A), f))
    Q1, Q2 = times(transposed(given.B1), f), times(transposed(given.B2), f)
    work = dot(f, times(along(lambda s: rotation_matrix(p + s * rate)), u))
    idle = times(matrix_L(p) @ transposed(matrix_G(p)), f)
    return {
        "S0(41, 44, 59): Q1 = 2 L^T u~ A^T f": Q1 - 2 * times(transposed(L), n),
        "S0(43, 60): p Q1 = 0": dot(p, Q1),
        "S0(45, 58): Q1 p' = the power of f": dot(Q1, rate) - work,
        "S0(61, 62): Q2 p' = the power of f": dot(Q2, rate) - work,
        "S0(69): Q2 = 2 H^T G^T f + 2 p u^T f": Q2 - given.split - 2 * scaled(dot(u, f), p),
        "S0(70): the idle part of Q2 does no work": dot(Q2 - given.split, rate),
        "S0(75): Q1 = 2 H^T G^T f - 2 p u^T L G^T f": Q1 - given.split + 2 * scaled(dot(u, idle), p),
        "S0 below (84): L H^T G^T f = n": 0.5 * times(L, given.split) - n,
    }


def _of_degrees(given: Applied, random: np.random.Generator) -> dict[str, np.ndarray]:
    """How each right-hand side scales with (p, p') doubled: S0's degrees five, four and three."""
    p, rate, f, u = given
    J = random_inertia(random, len(p))

    def terms(p: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, ...]:
        L, L_rate = matrix_L(p), matrix_L(rate)
        h = times(J @ L, rate)
        return (
            times(transposed(L) @ L @ transposed(L_rate), h),
            times(L @ transposed(L_rate), h),
            times(transposed(L_rate), h),
            times(transposed(L), np.cross(u, times(transposed(rotation_matrix(p)), f))),
            Applied(p, rate, f, u).split,
        )

    names = ("(23): degree 5", "(25): degree 4", "(29): degree 3", "(59): Q1 cubic", "(69): Q2 linear")
    once, twice = terms(p, rate), terms(2 * p, 2 * rate)
    degrees = (5, 4, 3, 3, 1)
    return {
        f"S0{name} in p": double - 2.0**degree * single
        for name, degree, single, double in zip(names, degrees, once, twice, strict=True)
    }
