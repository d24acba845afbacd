"""S2: what any three coordinates must fulfil for Lagrange's equations to be Euler's, in all that we have."""

from collections.abc import Callable, Mapping

import numpy as np

from quatviz.physics.mechanics.euler_sequences import SEQUENCES, S, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import (
    Array,
    from_rotation_vector,
    omega_from_rate,
    rotation_matrix,
    skew,
)
from quatviz.verification.arrays import (
    complex_partials,
    dot,
    partials,
    random_inertia,
    stacked,
    times,
    transposed,
)
from quatviz.verification.parts.base import IdentityPart

REGULAR = 0.3
"""States nearer to their singularity than this magnify rounding; the equations hold there as well."""


class Coordinates(IdentityPart):
    """S2(10-24) for the twelve Euler sequences and for the reduced Euler parameters, in S2's order of the
    coordinates; the printed matrices and derivatives of its sections 3 to 5."""

    name = "coordinates"
    title = "S2, three coordinates, largest deviation"
    seed = 2
    tolerance = 1e-9

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, Array]:
        groups = {"": _lemmas(random, count)}
        for sequence in SEQUENCES:
            name = "-".join(sequence)
            groups[f" for {name}"] = _of_sequence(random, count, sequence)
        groups[" for 3-2-1"].update(_printed_321(random, count))
        groups[" for 3-1-3"].update(_printed_313(random, count))
        groups[" for reduced Euler parameters"] = _of_reduced(random, count)
        return {
            f"{name}{of_what}": residual
            for of_what, residuals in groups.items()
            for name, residual in residuals.items()
        }


def _lemmas(random: np.random.Generator, count: int) -> dict[str, Array]:
    M, x = random.normal(size=(count, 3, 3)), random.normal(size=(count, 3))
    det = np.linalg.det(M)[:, None, None]
    Mx = skew(times(M, x))
    return {
        "S2(22): A^T (A x)~ A = det A x~": transposed(M) @ Mx @ M - det * skew(x),
        "S2(23): A^T [A2 x A3, ...] = det A I": transposed(M) @ _crossed(M) - det * np.eye(3),
        "S2(24): [A2 x A3, ...] x~ = (A x)~ A": _crossed(M) @ skew(x) - Mx @ M,
    }


def _crossed(M: Array) -> Array:
    one, two, three = np.moveaxis(M, -1, 0)
    return stacked(np.cross(two, three), np.cross(three, one), np.cross(one, two))


def _general(random: np.random.Generator, M: Array, slopes: Array) -> dict[str, Array]:
    """S2(10) to S2(21) for S(q) (n, 3, 3) and its partial derivatives (n, 3, 3, which coordinate)."""
    rate, acceleration = random.normal(size=(2, len(M), 3))
    J = random_inertia(random, len(M))
    M_rate = np.einsum("nijk,nk->nij", slopes, rate)
    turned = np.einsum("nijk,nj->nik", slopes, rate)  # columns dS/dq_k q'
    omega = times(M, rate)
    h = times(J, omega)
    forces = times(transposed(M_rate), h) - times(transposed(turned), h)
    euler = times(J, times(M, acceleration) + times(M_rate, rate)) + np.cross(omega, h)
    lagrange = times(transposed(M) @ J @ M, acceleration) + times(transposed(M) @ J @ M_rate, rate) + forces
    S1, S2, S3 = np.moveaxis(M, -1, 0)
    d21, d31, d32 = (
        slopes[:, :, column, by] - slopes[:, :, by, column] for column, by in ((0, 1), (0, 2), (1, 2))
    )
    det = np.linalg.det(M)[:, None, None]
    return {
        "S2(10-13): Lagrange's left side = S^T (J omega' + omega x J omega)": lagrange
        - times(transposed(M), euler),
        "S2(14, 38): S^-T (...) = omega x J omega": np.linalg.solve(transposed(M), forces[:, :, None])[
            :, :, 0
        ]
        - np.cross(omega, h),
        "S2(16, 36): S' + (S q')~ S = [dS/dq1 q', ...]": M_rate + skew(omega) @ M - turned,
        "S2(17): the same by cross products of columns": M_rate + _crossed(M) @ skew(rate) - turned,
        "S2(18): dS1/dq2 - dS2/dq1 = S1 x S2": d21 - np.cross(S1, S2),
        "S2(19): dS1/dq3 - dS3/dq1 = S1 x S3": d31 - np.cross(S1, S3),
        "S2(20): dS2/dq3 - dS3/dq2 = S2 x S3": d32 - np.cross(S2, S3),
        "S2(21): S^T [...] = det S I": transposed(M) @ stacked(d32, -d31, d21) - det * np.eye(3),
    }


def _matrix(sequence: str) -> Callable[[Array], Array]:
    """S(q) (n, 3, 3) in S2's order, which lists the angles backwards."""
    return lambda q: S(q[:, ::-1], sequence)[:, :, ::-1]


def _of_sequence(random: np.random.Generator, count: int, sequence: str) -> dict[str, Array]:
    q = random.uniform(-np.pi, np.pi, (4 * count, 3))
    q = q[np.abs(det_S(q, sequence)) > REGULAR][:count]
    u, matrix = random.normal(size=(len(q), 3)), _matrix(sequence)

    def A(q: Array) -> Array:
        return rotation_matrix(p_from_angles(q[:, ::-1], sequence))

    B2 = partials(lambda q: times(A(q), u), q)
    return {
        **_general(random, matrix(q), partials(matrix, q)),
        "S0 below (57): B1 = B2": B2 + A(q) @ skew(u) @ matrix(q),
        "det S in closed form": np.linalg.det(matrix(q)) - det_S(q[:, ::-1], sequence),
    }


def _printed_321(random: np.random.Generator, count: int) -> dict[str, Array]:
    q = random.uniform(-np.pi, np.pi, (count, 3))
    (sf, st, _), (cf, ct, _) = np.sin(q.T), np.cos(q.T)
    zero, one, matrix = np.zeros(count), np.ones(count), _matrix("321")
    S1, S2, S3 = (
        np.stack(column, axis=1) for column in ((one, zero, zero), (zero, cf, -sf), (-st, sf * ct, cf * ct))
    )
    slopes = partials(matrix, q)
    return {
        "S2(39-41): S as printed": matrix(q) - stacked(S1, S2, S3),
        "S2(43): -dS2/dq1 as printed": -slopes[:, :, 1, 0] - np.stack((zero, sf, cf), axis=1),
        "S2(43): -dS3/dq1 as printed": -slopes[:, :, 2, 0] - np.stack((zero, -cf * ct, sf * ct), axis=1),
        "S2(43): -dS3/dq2 as printed": -slopes[:, :, 2, 1] - np.stack((ct, sf * st, cf * st), axis=1),
        "S2 below (42): det S = cos Theta": np.linalg.det(matrix(q)) - ct,
    }


def _printed_313(random: np.random.Generator, count: int) -> dict[str, Array]:
    q = random.uniform(-np.pi, np.pi, (count, 3))
    (ss, st, _), (cs, ct, _) = np.sin(q.T), np.cos(q.T)
    zero, one, matrix = np.zeros(count), np.ones(count), _matrix("313")
    S1, S2, S3 = (
        np.stack(column, axis=1) for column in ((zero, zero, one), (cs, -ss, zero), (ss * st, cs * st, ct))
    )
    slopes = partials(matrix, q)
    return {
        "S2(44-46): S as printed": matrix(q) - stacked(S1, S2, S3),
        "S2(48): -dS2/dq1 as printed": -slopes[:, :, 1, 0] - np.stack((ss, cs, zero), axis=1),
        "S2(48): -dS3/dq1 as printed": -slopes[:, :, 2, 0] - np.stack((-cs * st, ss * st, zero), axis=1),
        "S2(48): -dS3/dq2 as printed": -slopes[:, :, 2, 1] - np.stack((-ss * ct, -cs * ct, st), axis=1),
        "S2 below (47): det S = sin Theta": np.linalg.det(matrix(q)) - st,
    }


def _reduced(q: Array) -> Array:
    """S2(50)."""
    q1 = np.sqrt(1 - dot(q, q))
    q2, q3, q4 = q.T
    rows = (
        (q1 + q2**2 / q1, q4 + q2 * q3 / q1, -q3 + q2 * q4 / q1),
        (-q4 + q2 * q3 / q1, q1 + q3**2 / q1, q2 + q3 * q4 / q1),
        (q3 + q2 * q4 / q1, -q2 + q3 * q4 / q1, q1 + q4**2 / q1),
    )
    return 2 * np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _of_reduced(random: np.random.Generator, count: int) -> dict[str, Array]:
    axis = random.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    angle = random.uniform(0, 2 * np.arccos(REGULAR), count)[:, None]
    q = np.sin(0.5 * angle) * axis
    q1 = np.cos(0.5 * angle)[:, 0]
    q2, q3, q4 = q.T
    p = np.column_stack((q1, q))
    M, slopes = _reduced(q), complex_partials(_reduced, q)
    rate = random.normal(size=(count, 3))

    p_rate = np.column_stack((-dot(q, rate) / q1, rate))
    d32, d42, d43 = (
        slopes[:, :, column, by] - slopes[:, :, by, column] for column, by in ((0, 1), (0, 2), (1, 2))
    )
    scale = (4 / q1)[:, None]
    N = stacked(d43, -d42, d32)
    printed = [scale * np.stack(vector, axis=1) for vector in ((-q3, q2, q1), (-q4, -q1, q2), (q1, -q4, q3))]
    by_rows = q1[:, None, None] * np.eye(3) - skew(q)
    return {
        **_general(random, M, slopes),
        "S2(4, 50): omega = S q'": times(M, rate) - omega_from_rate(p, p_rate),
        "S2(49): q of the eigenaxis and eigenangle": from_rotation_vector(angle * axis) - p,
        "S2(51): as printed": d32 - printed[0],
        "S2(52): as printed": d42 - printed[1],
        "S2(53): as printed": d43 - printed[2],
        "S2(54): M = 4/q1 (q1 I - q~)": N - scale[:, :, None] * by_rows,
        "S2(55): M^T S = 8/q1 I": transposed(N) @ M - 2 * scale[:, :, None] * np.eye(3),
        "S2 below (55): det M = 64/q1^2": np.linalg.det(N) - 64 / q1**2,
        "S2 below (55): det S = 8/q1": np.linalg.det(M) - 8 / q1,
        "S^-1 = 1/2 (q1 I + q~)": np.linalg.inv(M) - 0.5 * (q1[:, None, None] * np.eye(3) + skew(q)),
    }
