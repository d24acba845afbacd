"""d'Alembert and Lagrange with the full gyroscopic term: the one that leaves lambda to the loads."""

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._index3 import make_index3, mean_moment
from quatviz.physics.formulations._lagrange import LagrangeForm, LagrangeParameters, make_solver
from quatviz.physics.formulations._rates import project
from quatviz.physics.kernels.algebra import L_times, LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline


class LagrangeFullParameters(LagrangeParameters):
    """As `LagrangeParameters`, for this family's kernels."""


@inline
def gyroscopic(par, p, p_rate):
    """8 L^T L L'^T J L p' (4): tangent to the sphere, so that it adds nothing to lambda; S0(23)."""
    v = times_inertia(par.principal, par.inertia, L_times(p, p_rate))
    q = LT_times(p, L_times(p, LT_times(p_rate, v)))
    return (8.0 * q[0], 8.0 * q[1], 8.0 * q[2], 8.0 * q[3])


solve = make_solver(gyroscopic)


def lagrange_full(par, t, y):
    """4 L^T J L p'' + 8 L^T L L'^T J L p' + p lambda = Q, p^T p'' = -p'^T p'; S0(23, 34)."""
    acceleration, _ = solve(par, t, y)
    return y[4:] + acceleration


def multiplier(par, t, y):
    """Lambda [J], the fifth unknown of the same system; S0(34, 39)."""
    return solve(par, t, y)[1]


class LagrangeFull(LagrangeForm):
    """Both terms are multiplied by L^T, so that p^T times the equation is lambda = p^T Q: zero with `torque`, where
    lambda measures only the linear solve. |p| drifts as the help says under *Drift off the sphere*. State (p, p'), 8;
    no singularity; 9 times the cost of `newton_euler`, closed 3.3 times."""

    name = "lagrange_full"
    title = "Lagrange, full"
    summary = "d'Alembert-Lagrange with the whole gyroscopic term"
    source = "S0(23, 34, 38)"
    sort_order = 40
    measured = (
        Performance(175, 190, ("1.2e-11", "2.8e-12", "2.4e-09"), "closed"),
        Performance(493, 460, ("5.5e-11", "3.1e-10", "2.6e-09"), "augmented"),
    )
    mutations = (
        Mutation("return (8.0 * q[0]", "return (4.0 * q[0]"),
        Mutation(
            "s00 * e0 + s01 * e1 + s02 * e2",
            "s00 * e0 - s01 * e1 + s02 * e2",
            file="physics/loads/_rows.py",
        ),
        Mutation("4.0 * dot3(l1, c2)", "4.0 * dot3(l1, c3)", file="physics/formulations/_lagrange.py"),
        Mutation(
            "0.25 * q[2] + p[2] * along",
            "0.25 * q[2] - p[2] * along",
            file="physics/formulations/_lagrange.py",
        ),
    )
    parameter_type = LagrangeFullParameters
    kernels = Kernels(
        rhs=lagrange_full,
        multiplier=multiplier,
        projection=project,
        index3=make_index3(mean_moment, radial_part_removed=True),
    )
    gyroscopic_terms = ()
