"""Kernels of the load `guided_spring`."""

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, to_space, torque_of_gradient


@inline
def force(row, t, p):
    """Return the force f = -k (d^T (c + A u)) d (3) [N, space], and its point u (3) [m, body]."""
    u, d, c = (row[1], row[2], row[3]), (row[4], row[5], row[6]), (row[7], row[8], row[9])
    factor = -row[0] * (dot3(d, to_space(p, u)) + dot3(d, c))
    return (factor * d[0], factor * d[1], factor * d[2]), u


@inline
def gradient(row, t, p):
    """Return dV/dp = -f^T d(A u)/dp = k s ds/dp (4) [J] with s = d^T (c + A u); eq. S3(45). V is homogeneous
    of degree four in p if c = 0.
    """
    f, u = force(row, t, p)
    return scaled4(-2.0, half_generalized_force(p, u, f))


@inline
def torque(row, t, p, omega):
    """Return n = -1/2 L dV/dp (3) [N m, body]."""
    return torque_of_gradient(p, gradient(row, t, p))
