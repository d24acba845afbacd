"""Kernels of the load `guided_spring`."""

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, to_space, torque_of_gradient


@inline
def gradient(row, t, p):
    """dV/dp = k s ds/dp with s = d^T A u, homogeneous of degree four; S3(45)."""
    u, d = (row[1], row[2], row[3]), (row[4], row[5], row[6])
    return scaled4(2.0 * row[0] * dot3(d, to_space(p, u)), half_generalized_force(p, u, d))


@inline
def torque(row, t, p, omega):
    """n = -1/2 L dV/dp."""
    return torque_of_gradient(p, gradient(row, t, p))
