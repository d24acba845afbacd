"""Kernels of Udwadia and Schutte's 4x4 system, whose mass matrix contains an arbitrary inertia J0 > 0."""

from typing import NamedTuple

from quatviz.physics.formulations._kernels.lagrange import mass_matrix
from quatviz.physics.kernels.algebra import L_times, LT_times, combined4, dot4, times_inertia
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.linear_solve import solve4
from quatviz.physics.loads._kernels.packed import PackedLoads


class FreeInertiaParameters(NamedTuple):
    """Parameters of kernels whose mass matrix contains J0: the fields of `BodyParameters`, Baumgarte's alpha and beta
    [1/s], and J0 [kg m^2].

    Each formulation derives a class of its own, because numba selects the kernels by this type.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    alpha: float
    beta: float
    J0: float


@inline
def velocity_terms(par, u, u_rate):
    """Return the terms -8 E'^T J4 E u' - 4 J0 N(u') u (4) [J] of eq. S4(44), which do not depend on the load,
    with J4 = diag(J0, J), E = [u^T; L] and N(u') = u'.u'."""
    g = LT_times(u_rate, times_inertia(par.principal, par.inertia, L_times(u, u_rate)))
    J0_terms = combined4(-8.0 * par.J0 * dot4(u, u_rate), u_rate, -4.0 * par.J0 * dot4(u_rate, u_rate), u)
    return combined4(1.0, J0_terms, -8.0, g)


@inline
def solve_mass(par, u, rhs):
    """Return M_u^-1 rhs (4) with M_u = 4 E^T J4 E = 4 L^T J L + 4 J0 u u^T.

    The system is solved by elimination, which does not require |u| = 1.
    """
    m00, m01, m02, m03, m11, m12, m13, m22, m23, m33 = mass_matrix(par, u)
    f = 4.0 * par.J0
    m01, m02, m03 = m01 + f * u[0] * u[1], m02 + f * u[0] * u[2], m03 + f * u[0] * u[3]
    m12, m13, m23 = m12 + f * u[1] * u[2], m13 + f * u[1] * u[3], m23 + f * u[2] * u[3]
    return solve4(
        (
            *(m00 + f * u[0] * u[0], m01, m02, m03),
            *(m01, m11 + f * u[1] * u[1], m12, m13),
            *(m02, m12, m22 + f * u[2] * u[2], m23),
            *(m03, m13, m23, m33 + f * u[3] * u[3]),
        ),
        rhs,
    )
