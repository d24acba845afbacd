"""Generalized forces of a force that acts at a body point.

The kernels of loads and of load forms use these functions.
"""

import numpy as np

from quatviz.physics.kernels.algebra import GT_times, L_times, LT_times
from quatviz.physics.kernels.binder import inline


@inline
def half_generalized_force(p, u, f):
    """Return H^T G^T f (4) for a force f [N, space] at the body point u [m], with H = [[0, -u^T], [u, -u~]]; S0 4.2.

    Twice the result is the generalized force in the load form `split`, see `LOAD_FORMS`. The result equals half of
    d(u^T A^T f)/dp with A = G L^T.
    """
    a = GT_times(p, f)
    return (
        u[0] * a[1] + u[1] * a[2] + u[2] * a[3],
        -u[0] * a[0] + u[1] * a[3] - u[2] * a[2],
        -u[1] * a[0] + u[2] * a[1] - u[0] * a[3],
        -u[2] * a[0] + u[0] * a[2] - u[1] * a[1],
    )


@inline
def to_space(p, v):
    """Return A v = G L^T v (3) for a vector v (3) in body components.

    Off the sphere it is homogeneous of degree two in p; eq. S0(7).
    """
    q = LT_times(p, v)
    return (
        -p[1] * q[0] + p[0] * q[1] - p[3] * q[2] + p[2] * q[3],
        -p[2] * q[0] + p[3] * q[1] + p[0] * q[2] - p[1] * q[3],
        -p[3] * q[0] - p[2] * q[1] + p[1] * q[2] + p[0] * q[3],
    )


@inline
def torque_of_gradient(p, slope):
    """Return n = -1/2 L dV/dp (3) [N m, body] for the gradient dV/dp (4) [J]."""
    n = L_times(p, slope)
    return (-0.5 * n[0], -0.5 * n[1], -0.5 * n[2])


@inline
def scaled4(a, v):
    """Return a v (4) for a number a and a four-vector v."""
    return (a * v[0], a * v[1], a * v[2], a * v[3])


@inline
def times_symmetric(row, offset, v):
    """Return J v (3).

    The six components of the symmetric J are the numbers of `row` from the index `offset` on, in the order of
    `symmetric_components`.
    """
    j11, j22, j33 = row[offset], row[offset + 1], row[offset + 2]
    j12, j13, j23 = row[offset + 3], row[offset + 4], row[offset + 5]
    return (
        j11 * v[0] + j12 * v[1] + j13 * v[2],
        j12 * v[0] + j22 * v[1] + j23 * v[2],
        j13 * v[0] + j23 * v[1] + j33 * v[2],
    )


def symmetric_components(J: np.ndarray) -> tuple[float, ...]:
    """Return the components 11, 22, 33, 12, 13, 23 of a symmetric matrix J (3, 3), to be stored in the row of
    a load.
    """
    return tuple(float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
