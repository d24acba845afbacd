"""Checks of kinematic identities at random states."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.mechanics import rotations as r
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, S, angles_from_p, det_S, p_from_angles
from quatviz.verification.arrays import random_inertia, times, transpose
from quatviz.verification.check import Check, check_zero
from quatviz.verification.parts.base import VerificationPart


class Identities(VerificationPart):
    """Checks of S0's equations between G, L, A and the rates, and of the twelve Euler sequences."""

    name = "identities"
    title = "Kinematic identities, largest deviation"

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(20_24)
        n = 100_000 if full else 2_000
        p, q = r.normalize(random.normal(size=(2, n, 4)))
        omega = random.normal(size=(n, 3))
        for name, deviation in {
            **_parameter_residuals(p, q, omega),
            **_bordered_matrix_residuals(random, p),
        }.items():
            yield check_zero(name, deviation, 1e-13, f"identity, {n} random states")
        for sequence in SEQUENCES:
            yield from _check_sequence(sequence, p, omega)


def _parameter_residuals(p: np.ndarray, q: np.ndarray, omega: np.ndarray) -> dict[str, np.ndarray]:
    G, L, A = r.matrix_G(p), r.matrix_L(p), r.rotation_matrix(p)
    rate = r.rate_from_omega(p, omega)
    L_rate = r.matrix_L(rate)
    identity3, identity4 = np.eye(3), np.eye(4)
    e0, e = p[:, 0], p[:, 1:]
    printed = (2 * e0**2 - 1)[:, None, None] * identity3 + 2 * (
        e[:, :, None] * e[:, None, :] + e0[:, None, None] * r.skew(e)
    )
    projector = identity4 - p[:, :, None] * p[:, None, :]
    return {
        "S0(5, 7): (2 e0^2 - 1) I + 2 (e e^T + e0 e~) = G L^T": printed - A,
        "A A^T = I": A @ transpose(A) - identity3,
        "det A = 1": np.linalg.det(A) - 1.0,
        "S0(10): G G^T = I": G @ transpose(G) - identity3,
        "S0(10): L L^T = I": L @ transpose(L) - identity3,
        "S0(11): G^T G = I - p p^T": transpose(G) @ G - projector,
        "S0(11): L^T L = I - p p^T": transpose(L) @ L - projector,
        "S0(12): G p = 0": times(G, p),
        "S0(12): L p = 0": times(L, p),
        "S0(12): L' p' = 0": times(L_rate, rate),
        "S0(16): omega~ = 2 L L'^T": r.skew(omega) - 2 * L @ transpose(L_rate),
        "S0(17): omega = 2 L p'": r.omega_from_rate(p, rate) - omega,
        "S1(5): omega in space = 2 G p' = A omega": 2 * times(G, rate) - times(A, omega),
        "p p' = 0": np.einsum("ni,ni->n", p, rate),
        "A of a product = product of the A": r.rotation_matrix(r.multiply(p, q)) - A @ r.rotation_matrix(q),
        "A of the p that is found from A": r.rotation_matrix(r.from_matrix(A)) - A,
        "A of the rotation vector of p": r.rotation_matrix(r.from_rotation_vector(r.to_rotation_vector(p)))
        - A,
    }


def _bordered_matrix_residuals(random: np.random.Generator, p: np.ndarray) -> dict[str, np.ndarray]:
    """Check that the bordered matrix of the equations for p'' and lambda, multiplied by its inverse in closed
    form, is the identity, for random bodies."""
    J = random_inertia(random, len(p))
    inverse = np.linalg.inv(J)
    L, column = r.matrix_L(p), p[:, :, None]
    corner = np.zeros((len(p), 1, 1))
    matrix = np.block([[4 * transpose(L) @ J @ L, column], [transpose(column), corner]])
    closed = np.block([[transpose(L) @ inverse @ L / 4, column], [transpose(column), corner]])
    return {"S0(34, 35): the bordered matrix times its closed inverse = I": matrix @ closed - np.eye(5)}


def _check_sequence(sequence: str, p: np.ndarray, omega: np.ndarray) -> Iterator[Check]:
    run = f"identity, {len(p)} random states"
    name = "-".join(sequence)
    angles = angles_from_p(p, sequence)
    angle_error = r.relative_angle(p_from_angles(angles, sequence), p)
    regular = np.abs(det_S(angles, sequence)) > 0.1
    angles, rates = angles[regular], omega[regular]
    step = 1e-5
    ahead, behind = (p_from_angles(angles + sign * step * rates, sequence) for sign in (1, -1))
    slope = r.omega_from_rate(0.5 * (ahead + behind), (ahead - behind) / (2 * step))
    error = times(S(angles, sequence), rates) - slope
    determinant_error = np.abs(np.linalg.det(S(angles, sequence))) - np.abs(det_S(angles, sequence))
    for title, error_values, tolerance in (
        ("angles of p stand for p [rad]", angle_error, 1e-7),
        ("omega = S q', by finite differences [rad/s]", error, 1e-7),
        ("det S is cos or sin of the second angle", determinant_error, 1e-13),
    ):
        yield check_zero(f"{name}: {title}", error_values, tolerance, run, f"twelve sequences: {title}")
