"""Lagrange's equations in three independent coordinates with omega = S q'."""

from quatviz.physics.kernels.algebra import dot3, times_inertia
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.linear_solve import solve3


@inline
def acceleration(par, s1, s2, s3, moment):
    """Return the solution q'' (3) of S^T J S q'' = S^T moment, with the columns s1, s2, s3 of S; eqs. S2(10, 11)."""
    j1 = times_inertia(par.principal, par.inertia, s1)
    j2 = times_inertia(par.principal, par.inertia, s2)
    j3 = times_inertia(par.principal, par.inertia, s3)
    m12, m13, m23 = dot3(s1, j2), dot3(s1, j3), dot3(s2, j3)
    return solve3(
        (dot3(s1, j1), m12, m13, m12, dot3(s2, j2), m23, m13, m23, dot3(s3, j3)),
        (dot3(s1, moment), dot3(s2, moment), dot3(s3, moment)),
    )
