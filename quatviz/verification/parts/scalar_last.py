"""Checks of S1: angular velocity from scalar-last Euler parameters, in the fixed frame and in the body frame."""

import numpy as np

from quatviz.physics.mechanics.rotations import rotation_matrix, skew
from quatviz.physics.mechanics.scalar_last import matrix_E, matrix_E_body, matrix_R, scalar_last_from_first
from quatviz.verification.arrays import derivative_at_zero, dot, random_p, random_rate, times, transpose
from quatviz.verification.parts.base import IdentityVerificationPart


class ScalarLastIdentities(IdentityVerificationPart):
    """Checks of all numbered equations of S1 and of the two matrix rows that S1 works out."""

    name = "scalar_last"
    title = "S1, scalar last, largest deviation"
    seed = 1

    def residuals(self, random: np.random.Generator, count: int) -> dict[str, np.ndarray]:
        p = random_p(random, count)
        rate = random_rate(random, p)
        eps, eps_rate = scalar_last_from_first(p), scalar_last_from_first(rate)
        R, R_rate = matrix_R(eps), derivative_at_zero(lambda s: matrix_R(eps + s * eps_rate))
        E, E_body = matrix_E(eps), matrix_E_body(eps)
        fixed, body = 2 * times(E, eps_rate), 2 * times(E_body, eps_rate)
        omega, omega_body = skew(fixed[:, :3]), skew(body[:, :3])
        # A rate off the constraint, because on it both sides of the last rows are zero for any factor.
        any_rate = random.normal(size=(count, 4))
        zero = np.zeros((count, 1))
        identity = np.eye(4)
        return {
            "S1: [R] = A^T": R - transpose(rotation_matrix(p)),
            "S1(1): [R']^T = [omega~] [R]^T": transpose(R_rate) - omega @ transpose(R),
            "S1(2): [omega~] = [R']^T [R]": omega - transpose(R_rate) @ R,
            "S1(3): omega_i by the sums over elements": fixed[:, :3] - _element_sums(transpose(R_rate), R),
            "S1(4): 2 eps.eps', the last row": 2 * times(E, any_rate)[:, 3] - 2 * dot(eps, any_rate),
            "S1(5): [E] is orthogonal": E @ transpose(E) - identity,
            "S1(6): eps' = 1/2 [E]^T omega": 0.5
            * times(transpose(E), np.concatenate((fixed[:, :3], zero), axis=1))
            - eps_rate,
            "S1(7): [R']^T = [R]^T [omega'~]": transpose(R_rate) - transpose(R) @ omega_body,
            "S1(8): [omega'~] = [R] [R']^T": omega_body - R @ transpose(R_rate),
            "S1(9): omega'_i by the sums over elements": body[:, :3] - _element_sums(R, transpose(R_rate)),
            "S1(10): 2 eps.eps', the last row": 2 * times(E_body, any_rate)[:, 3] - 2 * dot(eps, any_rate),
            "S1(4, 10): the last rows vanish on the sphere": np.stack((fixed[:, 3], body[:, 3])),
            "S1(11): [E'] is orthogonal": E_body @ transpose(E_body) - identity,
            **_worked_rows(eps, eps_rate),
            "S1(12): eps' = 1/2 [E']^T omega'": 0.5
            * times(transpose(E_body), np.concatenate((body[:, :3], zero), axis=1))
            - eps_rate,
        }


def _element_sums(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the elements 32, 13 and 21 (n, 3) of the products of two matrices (n, 3, 3), written as the sums
    in eqs. S1(3) and S1(9)."""
    return np.stack([dot(first[:, i], second[:, :, j]) for i, j in ((2, 1), (0, 2), (1, 0))], axis=1)


def _worked_rows(eps: np.ndarray, rate: np.ndarray) -> dict[str, np.ndarray]:
    """Return the first rows of eqs. S1(4) and S1(10) as written out in S1 after cancellation, minus the same
    rows computed with matrices.

    The preceding lines of S1 misprint a bracket, see `quatviz verify errata`.
    """
    e1, e2, e3, e4 = eps.T
    d1, d2, d3, d4 = rate.T
    rates = 2 * (d2 * e3 + e2 * d3 + d1 * e4 + e1 * d4)
    fixed = 4 * (e3**2 * e4 * d1 - e3 * e4**2 * d2 + e1**2 * e2 * d3 - e1 * e2**2 * d4)
    fixed += rates * (-(e1**2) + e2**2 - e3**2 + e4**2)
    fixed += 4 * (e1**2 * e4 * d1 - e2**2 * e3 * d2 + e3**2 * e2 * d3 - e1 * e4**2 * d4)
    body = 4 * (e2**2 * e4 * d1 + e1**2 * e3 * d2 - e2 * e4**2 * d3 - e1 * e3**2 * d4)
    body += 4 * (e1**2 * e4 * d1 + e2**2 * e3 * d2 - e2 * e3**2 * d3 - e1 * e4**2 * d4)
    body += rates * (-(e1**2) - e2**2 + e3**2 + e4**2)
    return {
        "S1(4), first row as worked out": fixed - 2 * dot(matrix_E(eps)[:, 0], rate),
        "S1(10), first row as worked out": body - 2 * dot(matrix_E_body(eps)[:, 0], rate),
    }
