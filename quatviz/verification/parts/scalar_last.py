"""S1: angular velocity from scalar-last Euler parameters, in the fixed frame and in the body frame."""

import numpy as np

from quatviz.physics.mechanics.rotations import rotation_matrix, skew
from quatviz.physics.mechanics.scalar_last import matrix_E, matrix_E_body, matrix_R, scalar_last_from_first
from quatviz.verification.arrays import along, dot, random_p, random_rate, times, transposed
from quatviz.verification.parts.base import IdentityPart


class ScalarLast(IdentityPart):
    """Every numbered equation of S1, with [R]' by finite differences of the printed [R], not from the matrices."""

    name = "scalar_last"
    title = "S1, scalar last, largest deviation"
    seed = 1

    def residuals(self, random: np.random.Generator, count: int) -> dict[str, np.ndarray]:
        p = random_p(random, count)
        rate = random_rate(random, p)
        eps, eps_rate = scalar_last_from_first(p), scalar_last_from_first(rate)
        R, R_rate = matrix_R(eps), along(lambda s: matrix_R(eps + s * eps_rate))
        E, E_body = matrix_E(eps), matrix_E_body(eps)
        fixed, body = 2 * times(E, eps_rate), 2 * times(E_body, eps_rate)
        omega, omega_body = skew(fixed[:, :3]), skew(body[:, :3])
        zero = np.zeros((count, 1))
        one = np.eye(4)
        return {
            "S1: [R] = A^T": R - transposed(rotation_matrix(p)),
            "S1(1): [R']^T = [omega~] [R]^T": transposed(R_rate) - omega @ transposed(R),
            "S1(2): [omega~] = [R']^T [R]": omega - transposed(R_rate) @ R,
            "S1(3): omega_i by the sums over elements": fixed[:, :3] - _by_elements(transposed(R_rate), R),
            "S1(4): 0 = 2 eps.eps', the last row": fixed[:, 3] - 2 * dot(eps, eps_rate),
            "S1(5): [E] is orthogonal": E @ transposed(E) - one,
            "S1(6): eps' = 1/2 [E]^T omega": 0.5
            * times(transposed(E), np.concatenate((fixed[:, :3], zero), axis=1))
            - eps_rate,
            "S1(7): [R']^T = [R]^T [omega'~]": transposed(R_rate) - transposed(R) @ omega_body,
            "S1(8): [omega'~] = [R] [R']^T": omega_body - R @ transposed(R_rate),
            "S1(9): omega'_i by the sums over elements": body[:, :3] - _by_elements(R, transposed(R_rate)),
            "S1(10): 0 = 2 eps.eps', the last row": body[:, 3] - 2 * dot(eps, eps_rate),
            "S1(11): [E'] is orthogonal": E_body @ transposed(E_body) - one,
            "S1(12): eps' = 1/2 [E']^T omega'": 0.5
            * times(transposed(E_body), np.concatenate((body[:, :3], zero), axis=1))
            - eps_rate,
        }


def _by_elements(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Elements 32, 13 and 21 of the product, as S1(3) and S1(9) write their sums."""
    return np.stack([dot(left[:, i], right[:, :, j]) for i, j in ((2, 1), (0, 2), (1, 0))], axis=1)
