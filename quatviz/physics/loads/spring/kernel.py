"""Kernels of the load `spring`."""

import math

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, to_space, torque_of_gradient


@inline
def force(row, t, p):
    """Return f = -k (1 - l0/|r|) r (3) [N, space] with r = c + A u - a, zero if the ends meet, and u (3) [m, body]."""
    u = (row[1], row[2], row[3])
    body_point = to_space(p, u)
    r = (
        body_point[0] - row[4] + row[8],
        body_point[1] - row[5] + row[9],
        body_point[2] - row[6] + row[10],
    )
    length = math.sqrt(dot3(r, r))
    factor = row[0] * (row[7] / length - 1.0) if length > 0.0 else 0.0
    return (factor * r[0], factor * r[1], factor * r[2]), u


@inline
def gradient(row, t, p):
    """Return dV/dp = -f^T d(A u)/dp (4) [J], with A = G L^T."""
    f, u = force(row, t, p)
    return scaled4(-2.0, half_generalized_force(p, u, f))


@inline
def torque(row, t, p, omega):
    """Return n = -1/2 L dV/dp (3) [N m, body]."""
    return torque_of_gradient(p, gradient(row, t, p))
