"""d'Alembert and Lagrange with the simplified gyroscopic term: one product less, and 4T more in lambda."""

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._index3 import make_index3, mean_moment
from quatviz.physics.formulations._lagrange import LagrangeForm, LagrangeParameters, make_solver
from quatviz.physics.formulations._rates import project
from quatviz.physics.kernels.algebra import L_times, LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline


class LagrangeSimplifiedParameters(LagrangeParameters):
    """As `LagrangeParameters`, for this family's kernels."""


@inline
def gyroscopic(par, p, p_rate):
    """8 L'^T J L p' (4): the full term and a part along p, which lambda takes up; S0(29)."""
    q = LT_times(p_rate, times_inertia(par.principal, par.inertia, L_times(p, p_rate)))
    return (8.0 * q[0], 8.0 * q[1], 8.0 * q[2], 8.0 * q[3])


solve = make_solver(gyroscopic)


def lagrange_simplified(par, t, y):
    """4 L^T J L p'' + 8 L'^T J L p' + p lambda = Q, p^T p'' = -p'^T p'; S0(29, 39)."""
    acceleration, _ = solve(par, t, y)
    return y[4:] + acceleration


def multiplier(par, t, y):
    """Lambda [J], the fifth unknown of the same system; S0(34, 39)."""
    return solve(par, t, y)[1]


class LagrangeSimplified(LagrangeForm):
    """Lower degree in p than `lagrange_full`, the same motion; lambda carries four times the kinetic energy besides
    what the load form adds. |p| drifts as the help says under *Drift off the sphere*. State (p, p'), 8; no singularity;
    9 times the cost of `newton_euler`, closed 2.3 times."""

    name = "lagrange_simplified"
    title = "Lagrange, simplified"
    summary = "the same with a shorter gyroscopic term, and 4T in λ"
    source = "S0(29, 39, 40)"
    sort_order = 50
    measured = (
        Performance(120, 155, ("2.2e-11", "9.7e-13", "2.2e-09"), "closed"),
        Performance(454, 431, ("7.5e-11", "2.7e-10", "1.8e-09"), "augmented"),
    )
    mutations = (Mutation("return (8.0 * q[0]", "return (-8.0 * q[0]"),)
    parameter_type = LagrangeSimplifiedParameters
    kernels = Kernels(
        rhs=lagrange_simplified,
        multiplier=multiplier,
        projection=project,
        index3=make_index3(mean_moment, radial_part_removed=False),
    )
    gyroscopic_terms = ("4T",)
