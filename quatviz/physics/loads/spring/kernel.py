"""Kernels of the load `spring`."""

import math

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, to_space, torque_of_gradient


@inline
def gradient(row, t, p):
    """dV/dp = k (1 - l0/|r|) r^T dr/dp with r = A u - a. Where the ends meet the pull has no direction: zero."""
    u = (row[1], row[2], row[3])
    body_point = to_space(p, u)
    r = (body_point[0] - row[4], body_point[1] - row[5], body_point[2] - row[6])
    length = math.sqrt(dot3(r, r))
    force_per_length = row[0] * (1.0 - row[7] / length) if length > 0.0 else 0.0
    return scaled4(2.0 * force_per_length, half_generalized_force(p, u, r))


@inline
def torque(row, t, p, omega):
    """n = -1/2 L dV/dp."""
    return torque_of_gradient(p, gradient(row, t, p))
