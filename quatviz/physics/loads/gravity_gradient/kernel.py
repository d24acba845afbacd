"""Kernels of the load `gravity_gradient`."""

import math

from quatviz.physics.kernels.algebra import combined3, cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, times_symmetric


@inline
def centre_to_body(row, t):
    """r (3), a unit vector of space: a, or on a circular orbit a cos n t + b sin n t."""
    a = (row[7], row[8], row[9])
    if row[13] > 0.0:
        return combined3(math.cos(row[13] * t), a, math.sin(row[13] * t), (row[10], row[11], row[12]))
    return a


@inline
def torque(row, t, p, omega):
    """n = 3 mu/R^3 r x J r with r in body components."""
    r = to_body(p, centre_to_body(row, t))
    n = cross(r, times_symmetric(row, 1, r))
    return (row[0] * n[0], row[0] * n[1], row[0] * n[2])


@inline
def gradient(row, t, p):
    """dV/dp of V = 1/2 (3 mu/R^3) r^T J r, homogeneous of degree four."""
    r = centre_to_body(row, t)
    return scaled4(2.0 * row[0], half_generalized_force(p, times_symmetric(row, 1, to_body(p, r)), r))
