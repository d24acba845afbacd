"""Kernels of the index-3 problem for formulations with a multiplier.

The motion is advanced in p and the momenta g, and each step determines lambda from the constraint.

The kinetic energy 1/2 p'^T (4 L^T J L) p' has rank 3, so that its momenta alone would not determine p'. With E =
[p^T; L] and J0 > 0, the matrix M = 4 E^T diag(J0, J) E has the inverse 1/4 E^T diag(1/J0, J^-1) E on the sphere,
eqs. S4(8, 13), and g = M p' equals the g of eq. S3(17) wherever p.p' = 0. The motion does not depend on J0, but the
error of a step does, so that J0 should be similar to the body's moments.
"""

from quatviz.physics.kernels.algebra import L_times, LT_times, combined4, dot4, times_inertia, twice_L_times
from quatviz.physics.kernels.binder import Index3Kernels, Kernel, inline
from quatviz.physics.loads._kernels.packed import generalized_force


@inline
def mean_moment(par):
    """Return J0 [kg m^2] for a formulation that has no J0 of its own: the mean of the principal moments."""
    return (par.inertia[0] + par.inertia[4] + par.inertia[8]) / 3.0


@inline
def p_rate_from_momenta(par, J0, p, g):
    """Return p' = M^-1 g (4) [1/s] for unit p, with the matrix M of this module."""
    tangential = LT_times(p, times_inertia(par.principal, par.inverse_inertia, L_times(p, g)))
    return combined4(0.25, tangential, 0.25 * dot4(p, g) / J0, p)


@inline
def momentum_rate(par, t, p, g, v, radial_part_removed):
    """Return g' (4) [J] without the term -p lambda: the generalized force of the loads plus dT/dp.

    `v` = M^-1 g is p'. dT/dp is 4 J0 (p.v) v - 4 L(v)^T J L(p) v; its component along p is removed if
    `radial_part_removed` is True.
    """
    total = combined4(dot4(p, g), v, -1.0, LT_times(v, L_times(p, g)))
    if radial_part_removed:
        total = combined4(1.0, total, -2.0 * dot4(v, g), p)
    if par.loads.present:
        omega = twice_L_times(p, v)
        total = combined4(1.0, total, 1.0, generalized_force(par.loads, t, p, omega))
    return total


def make_index3(J0_of: Kernel, radial_part_removed: bool) -> Index3Kernels:
    """Return the index-3 kernels of formulations with the state (p, p') and a load form.

    `radial_part_removed` is True if the gyroscopic term has no component along p. lambda then lacks the term 4T, which
    Lagrange's own equations give.
    """

    @inline
    def momenta(par, y):
        p, p_rate = y[:4], y[4:]
        tangential = LT_times(p, times_inertia(par.principal, par.inertia, L_times(p, p_rate)))
        return p, combined4(4.0, tangential, 4.0 * J0_of(par) * dot4(p, p_rate), p)

    @inline
    def velocity(par, p, g):
        return p_rate_from_momenta(par, J0_of(par), p, g)

    @inline
    def force(par, t, p, g):
        return momentum_rate(par, t, p, g, velocity(par, p, g), radial_part_removed)

    @inline
    def state(par, p, g):
        return p + velocity(par, p, g)

    return Index3Kernels(momenta, velocity, force, state)
