"""Checks of S0, sections 4.1 and 4.2: the two matrices B and the two generalized forces of a force at a body
point."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_G, matrix_L, omega_from_rate, rotation_matrix, skew
from quatviz.verification.arrays import (
    derivative_at_zero,
    dot,
    outer,
    partial_derivatives,
    random_inertia,
    random_p,
    random_rate,
    scale_rows,
    times,
    transpose,
)
from quatviz.verification.parts.base import IdentityVerificationPart


class AppliedForce(NamedTuple):
    """A force at a body point: unit p, its tangent rate p', the force f [N, space] and the point u [m, body];
    each (n, k)."""

    p: np.ndarray
    rate: np.ndarray
    f: np.ndarray
    u: np.ndarray

    @classmethod
    def random(cls, random: np.random.Generator, count: int) -> "AppliedForce":
        p = random_p(random, count)
        return cls(p, random_rate(random, p), *random.normal(size=(2, count, 3)))

    @property
    def B1(self) -> np.ndarray:
        """Matrix B1 = -2 A u~ L (n, 3, 4) of eq. S0(51), which gives Q1 = B1^T f."""
        return -2 * rotation_matrix(self.p) @ skew(self.u) @ matrix_L(self.p)

    @property
    def B2(self) -> np.ndarray:
        """Matrix B2 = d(A u)/dp (n, 3, 4) of eq. S0(54), which gives Q2 = B2^T f. It is computed by numerical
        differentiation of A of eq. S0(5)."""
        return partial_derivatives(lambda p: times(_printed_A(p), self.u), self.p)

    @property
    def H(self) -> np.ndarray:
        """Matrix [[0, -u^T], [u, -u~]] (n, 4, 4) of eq. S0(67)."""
        H = np.zeros((len(self.u), 4, 4))
        H[:, 0, 1:], H[:, 1:, 0], H[:, 1:, 1:] = -self.u, self.u, -skew(self.u)
        return H

    @property
    def split(self) -> np.ndarray:
        """Generalized force 2 H^T G^T f (n, 4) [J] of eq. S0(69), equal to Q2 - 2 p u^T f."""
        return 2 * times(transpose(self.H) @ transpose(matrix_G(self.p)), self.f)


class GeneralisedForces(IdentityVerificationPart):
    """Checks of eqs. S0(41) to S0(75). B2 is the numerical derivative of the A of eq. S0(5), independent of
    the formulas that are checked.
    """

    name = "generalised_forces"
    title = "S0 section 4, the generalized forces, largest deviation"
    seed = 4
    tolerance = 1e-11

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        applied = AppliedForce.random(random, count)
        return {
            **_B_residuals(applied),
            **_Q_residuals(applied),
            **_degree_residuals(applied, random),
            **_jacobian_residuals(applied, random),
        }

    def expected_differences(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        applied = AppliedForce.random(random, count)
        Q1, Q2 = times(transpose(applied.B1), applied.f), times(transpose(applied.B2), applied.f)
        torque_jacobians = [_jacobian_of_Q1(applied, p) for p in (applied.p, random_p(random, count))]
        return {
            "S0(57): B1 is not B2": applied.B1 - applied.B2,
            "S0(63): Q1 is not Q2": Q1 - Q2,
            "S0 4.2: dQ1/dp depends on p": torque_jacobians[0] - torque_jacobians[1],
        }


def _printed_A(p: np.ndarray) -> np.ndarray:
    """Return the rotation matrix A (n, 3, 3) of eq. S0(5). Its values off the sphere |p| = 1 define B2."""
    e0, e = p[:, 0], p[:, 1:]
    square = (2 * e0**2 - 1)[:, None, None] * np.eye(3)
    return square + 2 * (outer(e, e) + e0[:, None, None] * skew(e))


def _B_residuals(applied: AppliedForce) -> dict[str, np.ndarray]:
    p, rate, _, u = applied
    G, L, A, H = matrix_G(p), matrix_L(p), rotation_matrix(p), applied.H
    omega = omega_from_rate(p, rate)
    A_rate = derivative_at_zero(lambda s: rotation_matrix(p + s * rate))
    point_rate = times(A_rate, u)
    e0, e = p[:, 0], p[:, 1:]
    first = 2 * scale_rows(e0, u) + np.cross(e, u)
    others = outer(e, u) - e0[:, None, None] * skew(u)
    printed = [2 * np.concatenate((first[:, :, None], part + others), axis=2) for part in _e_u_terms(e, u)]
    return {
        "S0(15): A^T A' = omega~": transpose(A) @ A_rate - skew(omega),
        "S0(48): A' u = -A u~ omega": point_rate + times(A @ skew(u), omega),
        "S0(50, 51): A' u = B1 p'": point_rate - times(applied.B1, rate),
        "S0(53-55): A' u = B2 p'": point_rate - times(applied.B2, rate),
        "S0(64): B2 as expanded": applied.B2 - printed[0],
        "S0(65): y~ z~ = z y^T - (y.z) I": skew(e) @ skew(u)
        - outer(u, e)
        + dot(e, u)[:, None, None] * np.eye(3),
        "S0(66): B2 as rearranged": applied.B2 - printed[1],
        "S0(67): H is skew": H + transpose(H),
        "S0(68): B2 = 2 G H + 2 u p^T": applied.B2 - 2 * G @ H - 2 * outer(u, p),
        "S0(71, 72): L H = -u~ L + u p^T": L @ H + skew(u) @ L - outer(u, p),
        "S0(73): B1 = 2 G L^T L H - 2 G L^T u p^T": applied.B1 - 2 * A @ L @ H + 2 * outer(times(A, u), p),
        "S0(74): B1 = 2 G H - 2 G L^T u p^T": applied.B1 - 2 * G @ H + 2 * outer(times(A, u), p),
    }


def _e_u_terms(e: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the term (e.u) I (n, 3, 3) of eq. S0(64), and the expression u e^T - e~ u~ that replaces it in
    eq. S0(66) because of eq. S0(65)."""
    return dot(e, u)[:, None, None] * np.eye(3), outer(u, e) - skew(e) @ skew(u)


def _Q_residuals(applied: AppliedForce) -> dict[str, np.ndarray]:
    p, rate, f, u = applied
    L, A = matrix_L(p), rotation_matrix(p)
    n = np.cross(u, times(transpose(A), f))
    Q1, Q2 = times(transpose(applied.B1), f), times(transpose(applied.B2), f)
    work = dot(f, times(derivative_at_zero(lambda s: rotation_matrix(p + s * rate)), u))
    LGT_f = times(matrix_L(p) @ transpose(matrix_G(p)), f)
    return {
        "S0(41, 44, 59): Q1 = 2 L^T u~ A^T f": Q1 - 2 * times(transpose(L), n),
        "S0(43, 60): p Q1 = 0": dot(p, Q1),
        "S0(45, 58): Q1 p' = the power of f": dot(Q1, rate) - work,
        "S0(61, 62): Q2 p' = the power of f": dot(Q2, rate) - work,
        "S0(69): Q2 = 2 H^T G^T f + 2 p u^T f": Q2 - applied.split - 2 * scale_rows(dot(u, f), p),
        "S0(70): the idle part of Q2 does no work": dot(Q2 - applied.split, rate),
        "S0(75): Q1 = 2 H^T G^T f - 2 p u^T L G^T f": Q1 - applied.split + 2 * scale_rows(dot(u, LGT_f), p),
        "S0 below (84): L H^T G^T f = n": 0.5 * times(L, applied.split) - n,
    }


def _degree_residuals(applied: AppliedForce, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Check the degrees in p that S0 states. If p and p' are doubled, each right-hand side must grow by the
    factor 2^k, where k is its degree."""
    p, rate, f, u = applied
    J = random_inertia(random, len(p))

    def terms(p: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, ...]:
        L, L_rate = matrix_L(p), matrix_L(rate)
        h = times(J @ L, rate)
        return (
            times(transpose(L) @ L @ transpose(L_rate), h),
            times(L @ transpose(L_rate), h),
            times(transpose(L_rate), h),
            times(transpose(L), np.cross(u, times(transpose(rotation_matrix(p)), f))),
            AppliedForce(p, rate, f, u).split,
        )

    names = ("(23): degree 5", "(25): degree 4", "(29): degree 3", "(59): Q1 cubic", "(69): Q2 linear")
    once, twice = terms(p, rate), terms(2 * p, 2 * rate)
    degrees = (5, 4, 3, 3, 1)
    return {
        f"S0{name} in p": double - 2.0**degree * single
        for name, degree, single, double in zip(names, degrees, once, twice, strict=True)
    }


def _jacobian_of_Q1(applied: AppliedForce, p: np.ndarray) -> np.ndarray:
    """Return dQ1/dp (n, 4, 4) at given p (n, 4), for the force and the body point of `applied`."""
    return partial_derivatives(lambda at: times(transpose(applied._replace(p=at).B1), applied.f), p)


def _jacobian_residuals(applied: AppliedForce, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Check the remark below S0(75): dQ2/dp does not depend on p, so Q2(p + q) = Q2(p) + Q2(q)."""

    def Q2(p: np.ndarray) -> np.ndarray:
        return times(transpose(applied._replace(p=p).B2), applied.f)

    other = random_p(random, len(applied.p))
    size = np.linalg.norm(applied.f, axis=1) * np.linalg.norm(applied.u, axis=1)
    difference = Q2(applied.p + other) - Q2(applied.p) - Q2(other)
    return {"S0 4.2: Q2 is linear, dQ2/dp constant, relative": difference / size[:, None]}
