"""Kernels of the d'Alembert-Lagrange formulations: construction and solution of the linear system."""

from typing import NamedTuple

from quatviz.physics.formulations._kernels.rates import constraint_acceleration, keep_constraint
from quatviz.physics.kernels.algebra import L_times, LT_times, dot3, dot4, times_inertia, twice_L_times
from quatviz.physics.kernels.binder import Kernel, inline
from quatviz.physics.kernels.linear_solve import solve5
from quatviz.physics.loads._kernels.packed import PackedLoads, generalized_force


class LagrangeParameters(NamedTuple):
    """Parameters of the kernels of the d'Alembert-Lagrange formulations.

    They are the fields of `BodyParameters`, Baumgarte's `alpha` and `beta` [1/s], and `closed`, which is True if
    the linear system is solved by its closed-form inverse. Each formulation derives a class of its own, because
    numba selects the kernels by this type.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    closed: bool
    alpha: float
    beta: float


@inline
def mass_matrix(par, p):
    """Return the upper triangle of 4 L^T J L [kg m^2], row by row (10)."""
    e0, e1, e2, e3 = p
    # l are the four columns of L, and c those of J L.
    l0, l1, l2, l3 = (-e1, -e2, -e3), (e0, -e3, e2), (e3, e0, -e1), (-e2, e1, e0)
    c0 = times_inertia(par.principal, par.inertia, l0)
    c1 = times_inertia(par.principal, par.inertia, l1)
    c2 = times_inertia(par.principal, par.inertia, l2)
    c3 = times_inertia(par.principal, par.inertia, l3)
    m00, m01, m02, m03 = 4.0 * dot3(l0, c0), 4.0 * dot3(l0, c1), 4.0 * dot3(l0, c2), 4.0 * dot3(l0, c3)
    m11, m12, m13 = 4.0 * dot3(l1, c1), 4.0 * dot3(l1, c2), 4.0 * dot3(l1, c3)
    m22, m23, m33 = 4.0 * dot3(l2, c2), 4.0 * dot3(l2, c3), 4.0 * dot3(l3, c3)
    return m00, m01, m02, m03, m11, m12, m13, m22, m23, m33


@inline
def solve_augmented(par, p, along, rhs):
    """Return p'' (4) and lambda from [[4 L^T J L, p], [p^T, 0]] [p''; lambda] = [rhs; along]; eqs. S0(34, 39,
    83). `along` is the required value of p.p'' [1/s^2].
    """
    m00, m01, m02, m03, m11, m12, m13, m22, m23, m33 = mass_matrix(par, p)
    x = solve5(
        (
            *(m00, m01, m02, m03, p[0]),
            *(m01, m11, m12, m13, p[1]),
            *(m02, m12, m22, m23, p[2]),
            *(m03, m13, m23, m33, p[3]),
            *(p[0], p[1], p[2], p[3], 0.0),
        ),
        (rhs[0], rhs[1], rhs[2], rhs[3], along),
    )
    return (x[0], x[1], x[2], x[3]), x[4]


@inline
def solve_closed(par, p, along, rhs):
    """Return p'' = 1/4 L^T J^-1 L rhs + `along` p and lambda = p^T rhs, by the inverse of eq. S0(35), which
    is exact on the sphere. `along` is the required value of p.p'' [1/s^2].
    """
    v = times_inertia(par.principal, par.inverse_inertia, L_times(p, rhs))
    q = LT_times(p, v)
    return (
        0.25 * q[0] + p[0] * along,
        0.25 * q[1] + p[1] * along,
        0.25 * q[2] + p[2] * along,
        0.25 * q[3] + p[3] * along,
    ), dot4(p, rhs)


def make_solver(gyroscopic: Kernel) -> Kernel:
    """Return a kernel `(par, t, y) -> (p'', lambda)` for the formulation whose kernel `gyroscopic(par, p, p')` returns
    the gyroscopic term (4) [J]."""

    @inline
    def solve(par, t, y):
        p, p_rate = y[:4], y[4:]
        g = gyroscopic(par, p, p_rate)
        rhs = (-g[0], -g[1], -g[2], -g[3])
        if par.loads.present:
            omega = twice_L_times(p, p_rate)
            force = generalized_force(par.loads, t, p, omega)
            rhs = (force[0] - g[0], force[1] - g[1], force[2] - g[2], force[3] - g[3])
        along = constraint_acceleration(par, p, p_rate)
        if par.closed:
            return solve_closed(par, p, along, rhs)
        return solve_augmented(par, p, along, rhs)

    return solve


@inline
def keep_constraint_if_solved(par, h, old, new):
    """Return the state `new` corrected by `keep_constraint`, or unchanged if the closed-form inverse is used.

    With that inverse (p.p - 1)'' is about -2 p'.p' (p.p - 1), so that errors of p.p oscillate and need no correction.
    """
    return new if par.closed else keep_constraint(par, h, old, new)
