"""d'Alembert and Lagrange with the full gyroscopic term: the one that leaves lambda to the loads."""

from __future__ import annotations

from quatviz.core.integrator_hooks import index3_of
from quatviz.core.kernel import (
    L_times,
    LT_times,
    equations,
    inline,
    multiplier_of,
    projection_of,
    times_inertia,
)
from quatviz.formulations._index3 import mean_moment, problem_of_rates
from quatviz.formulations._lagrange import LagrangeForm, LagrangeParameters, solution
from quatviz.formulations._rates import restore


class LagrangeFullParameters(LagrangeParameters):
    """As `LagrangeParameters`, for this family's kernels."""


@inline
def gyroscopic(par, p, p_rate):
    """8 L^T L L'^T J L p' (4): tangent to the sphere, so that it adds nothing to lambda; S0(23)."""
    v = times_inertia(par.principal, par.inertia, L_times(p, p_rate))
    q = LT_times(p, L_times(p, LT_times(p_rate, v)))
    return (8.0 * q[0], 8.0 * q[1], 8.0 * q[2], 8.0 * q[3])


solve = solution(gyroscopic)
projection_of(LagrangeFullParameters)(restore)
index3_of(LagrangeFullParameters, problem_of_rates(mean_moment, takes_4T=True))


@equations(LagrangeFullParameters)
def lagrange_full(par, t, y):
    """4 L^T J L p'' + 8 L^T L L'^T J L p' + p lambda = Q, p^T p'' = -p'^T p'; S0(23, 34)."""
    acceleration, _ = solve(par, t, y)
    return y[4:] + acceleration


@multiplier_of(LagrangeFullParameters)
def multiplier(par, t, y):
    return solve(par, t, y)[1]


class LagrangeFull(LagrangeForm):
    """Both terms are multiplied by L^T, so that p^T times the equation is lambda = p^T Q: zero with `torque`, where
    lambda measures only the linear solve. |p| drifts as the help says under *Drift off the sphere*. State (p, p'), 8;
    no singularity; 9 times the cost of `newton_euler`, closed 3.3 times."""

    name = "lagrange_full"
    title = "Lagrange, full"
    source = "S0(23, 34, 38)"
    parameter_type = LagrangeFullParameters
    gyroscopic_terms = ()
