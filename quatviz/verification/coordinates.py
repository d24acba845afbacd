"""Matrices of the paper S2 for three rotation coordinates q, ordered as in the paper: S(q) with omega = S q',
and the operators L and R.

`slopes` (n, 3, 3, 3) are the partial derivatives of S; the last axis numbers the coordinates.
"""

from collections.abc import Callable

import numpy as np

from quatviz.physics.mechanics.euler_sequences import S, det_S
from quatviz.physics.mechanics.rotations import Array, skew
from quatviz.verification.arrays import dot, stack_columns

MIN_DETERMINANT = 0.3
"""Smallest |det S| of a checked state. The equations hold closer to the singularity too, but rounding errors grow
there.
"""


def rate_matrix(sequence: str) -> Callable[[Array], Array]:
    """Return the function that maps angles q (n, 3) to S(q) (n, 3, 3) for an Euler sequence. The angles have
    the order of S2, which is the reverse of the order of rotation."""
    return lambda q: S(q[:, ::-1], sequence)[:, :, ::-1]


def reduced_rate_matrix(q: Array) -> Array:
    """Return S(q) (n, 3, 3) of eq. S2(50) for the last three Euler parameters q (n, 3), if the first one is
    positive.

    Complex q are allowed.
    """
    q1 = np.sqrt(1 - dot(q, q))
    q2, q3, q4 = q.T
    rows = (
        (q1 + q2**2 / q1, q4 + q2 * q3 / q1, -q3 + q2 * q4 / q1),
        (-q4 + q2 * q3 / q1, q1 + q3**2 / q1, q2 + q3 * q4 / q1),
        (q3 + q2 * q4 / q1, -q2 + q3 * q4 / q1, q1 + q4**2 / q1),
    )
    return 2 * np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def random_coordinates(random: np.random.Generator, count: int, sequence: str) -> Array:
    """Return at most `count` random angles (n, 3) [rad] in the order of S2 that are far from the singularity of the
    sequence.
    """
    q = random.uniform(-np.pi, np.pi, (4 * count, 3))
    return q[np.abs(det_S(q, sequence)) > MIN_DETERMINANT][:count]


def cross_product_columns(M: Array) -> Array:
    """Return the cross products [A2 x A3, A3 x A1, A1 x A2] (n, 3, 3) of the columns of a matrix A (n, 3, 3),
    eq. S2(23)."""
    first, second, third = np.moveaxis(M, -1, 0)
    return stack_columns(np.cross(second, third), np.cross(third, first), np.cross(first, second))


def rate_of(slopes: Array, x: Array) -> Array:
    """Return the time derivative of S for q' = x, which is the sum of x_i dS/dq_i (n, 3, 3), eq. S2(25). `slopes` are
    dS/dq, and x is (n, 3)."""
    return np.einsum("nijk,nk->nij", slopes, x)


def columns_of(slopes: Array, x: Array) -> Array:
    """Return the matrix with the columns dS/dq1 x, dS/dq2 x and dS/dq3 x (n, 3, 3), for slopes dS/dq and x
    (n, 3)."""
    return np.einsum("nijk,nj->nik", slopes, x)


def operator_L(slopes: Array, x: Array) -> Array:
    """Return the operator L(x) (n, 3, 3) of eq. S2(27), for slopes dS/dq and x (n, 3)."""
    return columns_of(slopes, x) - rate_of(slopes, x)


def operator_R(S: Array, x: Array) -> Array:
    """Return the operator R(x) (n, 3, 3) of eq. S2(28), for S (n, 3, 3) and x (n, 3)."""
    return cross_product_columns(S) @ skew(x)


def antisymmetric_slopes(slopes: Array) -> tuple[Array, Array, Array]:
    """Return dS1/dq2 - dS2/dq1, dS1/dq3 - dS3/dq1 and dS2/dq3 - dS3/dq2, each (n, 3), for the columns S1, S2,
    S3 of S: the left sides of eqs. S2(18-20)."""
    d21, d31, d32 = (
        slopes[:, :, column, by] - slopes[:, :, by, column] for column, by in ((0, 1), (0, 2), (1, 2))
    )
    return d21, d31, d32
