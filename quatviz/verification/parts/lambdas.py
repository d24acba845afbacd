"""Checks of S0, sections 3 and 4.3: p'' and lambda of each augmented system, solved by NumPy at random
states."""

from collections.abc import Mapping

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_L, omega_from_rate, rotation_matrix
from quatviz.verification.arrays import dot, random_inertia, scale_rows, times, transpose
from quatviz.verification.parts.base import IdentityVerificationPart
from quatviz.verification.parts.generalised_forces import AppliedForce

EQUATION_NUMBERS = {
    "full": {"torque": "34, 37, 38", "split": "83, 84", "gradient": "69, 83"},
    "simplified": {"torque": "30, 39, 40", "split": "29, 81", "gradient": "29, 69"},
}
"""Numbers of the checked equations of S0, by gyroscopic term and form of the load."""


class LambdaIdentities(IdentityVerificationPart):
    """Checks of the six combinations of gyroscopic term and load, which share p'' and have six multipliers. No kernel
    is used.
    """

    name = "lambdas"
    title = "S0's multipliers by the augmented systems, largest deviation"
    seed = 34
    tolerance = 1e-10

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        applied = AppliedForce.random(random, count)
        p, rate, f, u = applied
        J = random_inertia(random, count)
        L, L_rate = matrix_L(p), matrix_L(rate)
        bordered = _bordered_matrix(p, 4 * transpose(L) @ J @ L)
        n = np.cross(u, times(transpose(rotation_matrix(p)), f))
        h = times(J @ L, rate)
        full = 8 * times(transpose(L) @ L @ transpose(L_rate), h)
        simplified = 8 * times(transpose(L_rate), h)
        loads = {
            "torque": 2 * times(transpose(L), n),
            "split": applied.split,
            "gradient": times(transpose(applied.B2), f),
        }
        omega = omega_from_rate(p, rate)
        T = 0.5 * dot(omega, times(J, omega))
        load_multiplier = {
            "torque": np.zeros(count),
            "split": 2 * dot(u, times(transpose(rotation_matrix(p)), f)),
        }
        load_multiplier["gradient"] = load_multiplier["split"] + 2 * dot(u, f)
        omega_rate = times(np.linalg.inv(J), n - np.cross(omega, times(J, omega)))
        exact = 0.5 * times(transpose(L), omega_rate) - scale_rows(dot(rate, rate), p)

        results: dict[str, np.ndarray] = {}
        for gyroscopic, term, gyroscopic_multiplier in (
            ("full", full, np.zeros(count)),
            ("simplified", simplified, 4 * T),
        ):
            for load, Q in loads.items():
                right_side = np.concatenate((Q - term, -dot(rate, rate)[:, None]), axis=1)
                solution = np.linalg.solve(bordered, right_side[:, :, None])[:, :, 0]
                name = f"S0({EQUATION_NUMBERS[gyroscopic][load]}): {gyroscopic} with {load}"
                results[f"{name}, p''"] = solution[:, :4] - exact
                results[f"{name}, lambda = {_lambda_text(gyroscopic, load)}"] = (
                    solution[:, 4] - gyroscopic_multiplier - load_multiplier[load]
                )
        projected = 4 * times(J @ L, exact) + 8 * times(L @ transpose(L_rate), h) - 2 * n
        return {
            **results,
            "S0(24): p^T times (23) leaves lambda alone": dot(p, full - loads["torque"]),
            "S0(25, 31): 4 J L p'' + 8 L L'^T J L p' = 2 n": projected,
            "S0(26): omega' = 2 L p''": 2 * times(L, exact) - omega_rate,
            "S0(30): -8 p^T L'^T J L p' = 4T": -dot(p, simplified) - 4 * T,
            "S0(32): without p lambda the matrix has rank 3": np.linalg.svd(
                4 * transpose(L) @ J @ L, compute_uv=False
            )[:, 3],
            "S0(33): p.p'' + p'.p' = 0": dot(p, exact) + dot(rate, rate),
        }


def _bordered_matrix(p: np.ndarray, mass: np.ndarray) -> np.ndarray:
    matrix = np.zeros((len(p), 5, 5))
    matrix[:, :4, :4] = mass
    matrix[:, :4, 4] = matrix[:, 4, :4] = p
    return matrix


def _lambda_text(gyroscopic: str, load: str) -> str:
    terms = ["4T"] if gyroscopic == "simplified" else []
    terms += {"torque": [], "split": ["2u^T A^T f"], "gradient": ["2u^T A^T f", "2u^T f"]}[load]
    return " + ".join(terms) or "0"
