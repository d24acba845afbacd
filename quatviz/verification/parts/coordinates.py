"""Checks of identities of S2: Lagrange's equations in three coordinates are equivalent to Euler's equation,
for every set of coordinates in quatviz."""

from collections.abc import Callable, Mapping

import numpy as np

from quatviz.physics.mechanics.euler_sequences import SEQUENCES, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import (
    Array,
    from_rotation_vector,
    omega_from_rate,
    rotation_matrix,
    skew,
)
from quatviz.verification.arrays import (
    complex_step_derivatives,
    dot,
    partial_derivatives,
    random_inertia,
    stack_columns,
    times,
    transpose,
)
from quatviz.verification.coordinates import (
    MIN_DETERMINANT,
    antisymmetric_slopes,
    columns_of,
    cross_product_columns,
    operator_R,
    random_coordinates,
    rate_matrix,
    rate_of,
    reduced_rate_matrix,
)
from quatviz.verification.parts.base import IdentityVerificationPart


class CoordinateIdentities(IdentityVerificationPart):
    """Checks of eqs. S2(2-24), and of the matrices and derivatives printed in sections 3 to 5 of S2, for the
    twelve Euler sequences and the reduced Euler parameters. Coordinates are ordered as in S2.
    """

    name = "coordinates"
    title = "S2, three coordinates, largest deviation"
    seed = 2
    tolerance = 1e-9

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, Array]:
        groups = {"": _lemma_residuals(random, count)}
        for sequence in SEQUENCES:
            name = "-".join(sequence)
            groups[f" for {name}"] = _sequence_residuals(random, count, sequence)
        groups[" for 3-2-1"].update(_printed_321_residuals(random, count))
        groups[" for 3-1-3"].update(_printed_313_residuals(random, count))
        groups[" for reduced Euler parameters"] = _reduced_residuals(random, count)
        return {
            f"{name}{suffix}": residual
            for suffix, residuals in groups.items()
            for name, residual in residuals.items()
        }


def _lemma_residuals(random: np.random.Generator, count: int) -> dict[str, Array]:
    M, x = random.normal(size=(count, 3, 3)), random.normal(size=(count, 3))
    det = np.linalg.det(M)[:, None, None]
    Mx = skew(times(M, x))
    return {
        "S2(22): A^T (A x)~ A = det A x~": transpose(M) @ Mx @ M - det * skew(x),
        "S2(23): A^T [A2 x A3, ...] = det A I": transpose(M) @ cross_product_columns(M) - det * np.eye(3),
        "S2(24): [A2 x A3, ...] x~ = (A x)~ A": cross_product_columns(M) @ skew(x) - Mx @ M,
    }


def _lagrange_residuals(
    random: np.random.Generator,
    matrix: Callable[[Array], Array],
    q: Array,
    partials: Callable[[Callable[[Array], Array], Array], Array],
) -> dict[str, Array]:
    """Return the residuals of eqs. S2(2) to S2(13) at coordinates q (n, 3). They are computed from the
    kinetic energy alone, which `partials` differentiates numerically."""
    rate, acceleration = random.normal(size=(2, len(q), 3))
    J = random_inertia(random, len(q))
    S, slopes = matrix(q), partials(matrix, q)
    S_rate = rate_of(slopes, rate)
    omega = times(S, rate)
    h = times(J, omega)

    def angular_velocity(state: Array) -> Array:
        return times(matrix(state[:, :3]), state[:, 3:])

    def kinetic(state: Array) -> Array:
        omega = angular_velocity(state)
        return 0.5 * dot(omega, times(J, omega))

    def momentum(state: Array) -> Array:
        return times(transpose(matrix(state[:, :3])) @ J, angular_velocity(state))

    state, state_rate = np.hstack((q, rate)), np.hstack((rate, acceleration))
    by_q, by_rate = np.split(partials(kinetic, state), 2, axis=1)
    momentum_rate = times(partials(momentum, state), state_rate)
    omega_rate = times(partials(angular_velocity, state), state_rate)
    along = partials(lambda s: matrix(q + s * rate), np.zeros((len(q), 1)))[..., 0]
    printed_rate = times(transpose(S) @ J @ S, acceleration) + times(transpose(S) @ J @ S_rate, rate)
    printed_rate += times(transpose(S_rate), h)
    torque = times(J, omega_rate) + np.cross(omega, h)
    forces = np.linalg.solve(transpose(S), (momentum_rate - by_q)[:, :, None])[:, :, 0]
    return {
        "S2(5, 6): dT/dq' = S^T J S q'": by_rate - momentum(state),
        "S2(7): d/dt dT/dq' as printed": momentum_rate - printed_rate,
        "S2(8): dT/dq as printed": by_q - times(transpose(columns_of(slopes, rate)), h),
        "S2(12): omega' = S q'' + S' q'": omega_rate - times(S, acceleration) - times(S_rate, rate),
        "S2(1, 2, 13): S^-T (d/dt dT/dq' - dT/dq) = J omega' + omega x J omega": forces - torque,
        "S2(25): S' = sum of q_i' dS/dq_i": along - S_rate,
    }


def _general_residuals(random: np.random.Generator, M: Array, slopes: Array) -> dict[str, Array]:
    """Return the residuals of eqs. S2(10) to S2(21) for S(q) (n, 3, 3) and its partial derivatives (n, 3, 3,
    coordinate)."""
    rate, acceleration = random.normal(size=(2, len(M), 3))
    J = random_inertia(random, len(M))
    M_rate, column_rates = rate_of(slopes, rate), columns_of(slopes, rate)
    omega = times(M, rate)
    h = times(J, omega)
    gyroscopic_forces = times(transpose(M_rate), h) - times(transpose(column_rates), h)
    euler = times(J, times(M, acceleration) + times(M_rate, rate)) + np.cross(omega, h)
    lagrange = (
        times(transpose(M) @ J @ M, acceleration) + times(transpose(M) @ J @ M_rate, rate) + gyroscopic_forces
    )
    S1, S2, S3 = np.moveaxis(M, -1, 0)
    d21, d31, d32 = antisymmetric_slopes(slopes)
    det = np.linalg.det(M)[:, None, None]
    return {
        "S2(10-13): Lagrange's left side = S^T (J omega' + omega x J omega)": lagrange
        - times(transpose(M), euler),
        "S2(14, 38): S^-T (...) = omega x J omega": np.linalg.solve(
            transpose(M), gyroscopic_forces[:, :, None]
        )[:, :, 0]
        - np.cross(omega, h),
        "S2(16, 36): S' + (S q')~ S = [dS/dq1 q', ...]": M_rate + skew(omega) @ M - column_rates,
        "S2(17): the same by cross products of columns": M_rate + operator_R(M, rate) - column_rates,
        "S2(18): dS1/dq2 - dS2/dq1 = S1 x S2": d21 - np.cross(S1, S2),
        "S2(19): dS1/dq3 - dS3/dq1 = S1 x S3": d31 - np.cross(S1, S3),
        "S2(20): dS2/dq3 - dS3/dq2 = S2 x S3": d32 - np.cross(S2, S3),
        "S2(21): S^T [...] = det S I": transpose(M) @ stack_columns(d32, -d31, d21) - det * np.eye(3),
    }


def _sequence_residuals(random: np.random.Generator, count: int, sequence: str) -> dict[str, Array]:
    q = random_coordinates(random, count, sequence)
    u, matrix = random.normal(size=(len(q), 3)), rate_matrix(sequence)

    def A(q: Array) -> Array:
        return rotation_matrix(p_from_angles(q[:, ::-1], sequence))

    B2 = partial_derivatives(lambda q: times(A(q), u), q)
    return {
        **_general_residuals(random, matrix(q), partial_derivatives(matrix, q)),
        **_lagrange_residuals(random, matrix, q, partial_derivatives),
        "S0 below (57): B1 = B2": B2 + A(q) @ skew(u) @ matrix(q),
        "det S in closed form": np.linalg.det(matrix(q)) - det_S(q[:, ::-1], sequence),
    }


def _printed_321_residuals(random: np.random.Generator, count: int) -> dict[str, Array]:
    q = random.uniform(-np.pi, np.pi, (count, 3))
    (sf, st, _), (cf, ct, _) = np.sin(q.T), np.cos(q.T)
    zero, ones, matrix = np.zeros(count), np.ones(count), rate_matrix("321")
    S1, S2, S3 = (
        np.stack(column, axis=1) for column in ((ones, zero, zero), (zero, cf, -sf), (-st, sf * ct, cf * ct))
    )
    slopes = partial_derivatives(matrix, q)
    return {
        "S2(39-41): S as printed": matrix(q) - stack_columns(S1, S2, S3),
        "S2(43): -dS2/dq1 as printed": -slopes[:, :, 1, 0] - np.stack((zero, sf, cf), axis=1),
        "S2(43): -dS3/dq1 as printed": -slopes[:, :, 2, 0] - np.stack((zero, -cf * ct, sf * ct), axis=1),
        "S2(43): -dS3/dq2 as printed": -slopes[:, :, 2, 1] - np.stack((ct, sf * st, cf * st), axis=1),
        "S2 below (42): det S = cos Theta": np.linalg.det(matrix(q)) - ct,
    }


def _printed_313_residuals(random: np.random.Generator, count: int) -> dict[str, Array]:
    q = random.uniform(-np.pi, np.pi, (count, 3))
    (ss, st, _), (cs, ct, _) = np.sin(q.T), np.cos(q.T)
    zero, ones, matrix = np.zeros(count), np.ones(count), rate_matrix("313")
    S1, S2, S3 = (
        np.stack(column, axis=1) for column in ((zero, zero, ones), (cs, -ss, zero), (ss * st, cs * st, ct))
    )
    slopes = partial_derivatives(matrix, q)
    return {
        "S2(44-46): S as printed": matrix(q) - stack_columns(S1, S2, S3),
        "S2(48): -dS2/dq1 as printed": -slopes[:, :, 1, 0] - np.stack((ss, cs, zero), axis=1),
        "S2(48): -dS3/dq1 as printed": -slopes[:, :, 2, 0] - np.stack((-cs * st, ss * st, zero), axis=1),
        "S2(48): -dS3/dq2 as printed": -slopes[:, :, 2, 1] - np.stack((-ss * ct, -cs * ct, st), axis=1),
        "S2 below (47): det S = sin Theta": np.linalg.det(matrix(q)) - st,
    }


def _reduced_residuals(random: np.random.Generator, count: int) -> dict[str, Array]:
    axis = random.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    angle = random.uniform(0, 2 * np.arccos(MIN_DETERMINANT), count)[:, None]
    q = np.sin(0.5 * angle) * axis
    q1 = np.cos(0.5 * angle)[:, 0]
    q2, q3, q4 = q.T
    p = np.column_stack((q1, q))
    M, slopes = reduced_rate_matrix(q), complex_step_derivatives(reduced_rate_matrix, q)
    rate = random.normal(size=(count, 3))

    p_rate = np.column_stack((-dot(q, rate) / q1, rate))
    d32, d42, d43 = antisymmetric_slopes(slopes)
    scale = (4 / q1)[:, None]
    N = stack_columns(d43, -d42, d32)
    printed = [scale * np.stack(vector, axis=1) for vector in ((-q3, q2, q1), (-q4, -q1, q2), (q1, -q4, q3))]
    by_rows = q1[:, None, None] * np.eye(3) - skew(q)
    return {
        **_general_residuals(random, M, slopes),
        **_lagrange_residuals(random, reduced_rate_matrix, q, complex_step_derivatives),
        "S2(4, 50): omega = S q'": times(M, rate) - omega_from_rate(p, p_rate),
        "S2(49): q of the eigenaxis and eigenangle": from_rotation_vector(angle * axis) - p,
        "S2(51): as printed": d32 - printed[0],
        "S2(52): as printed": d42 - printed[1],
        "S2(53): as printed": d43 - printed[2],
        "S2(54): M = 4/q1 (q1 I - q~)": N - scale[:, :, None] * by_rows,
        "S2(55): M^T S = 8/q1 I": transpose(N) @ M - 2 * scale[:, :, None] * np.eye(3),
        "S2 below (55): det M = 64/q1^2": np.linalg.det(N) - 64 / q1**2,
        "S2 below (55): det S = 8/q1": np.linalg.det(M) - 8 / q1,
        "S^-1 = 1/2 (q1 I + q~)": np.linalg.inv(M) - 0.5 * (q1[:, None, None] * np.eye(3) + skew(q)),
    }
