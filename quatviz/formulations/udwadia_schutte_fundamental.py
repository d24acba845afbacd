"""The fundamental equation of constrained motion itself, evaluated numerically."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quatviz.core.integrator_hooks import index3_of
from quatviz.core.kernel import L_times, combined4, dot4, equations, inline, multiplier_of, projection_of
from quatviz.formulations._free_inertia import FreeInertiaForm, impressed, solve_mass
from quatviz.formulations._index3 import problem_of_rates
from quatviz.formulations._lagrange import IDLE_TERMS, LOAD_FORMS, generalised_force
from quatviz.formulations._rates import restore, wanted


class FundamentalParameters(NamedTuple):
    """As the Lagrange forms have them: `free` is J0 [kg m^2], `load_form` 0 torque, 1 split, 2 gradient;
    Baumgarte's alpha and beta [1/s]."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: np.ndarray
    load_form: int
    free: float
    alpha: float
    beta: float


@inline
def solve(par, t, y):
    """u'' (4) and lambda of S4(45). A_u = u^T is one row, so that the Moore-Penrose inverse of A_u M_u^(-1/2) is
    that row over its square, and M_u^(1/2) (A_u M_u^(-1/2))^+ = u / (u^T M_u^-1 u); S4(18)."""
    u, u_rate = y[:4], y[4:]
    Q = impressed(par, u, u_rate)
    if par.loads.shape[0] > 0:
        half = L_times(u, u_rate)
        omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
        Q = combined4(1.0, Q, 1.0, generalised_force(par, t, u, omega))
    free = solve_mass(par, u, Q)
    along = solve_mass(par, u, u)
    coefficient = (wanted(par, u, u_rate) - dot4(u, free)) / dot4(u, along)
    return combined4(1.0, free, coefficient, along), -coefficient


@inline
def own_moment(par):
    return par.free


projection_of(FundamentalParameters)(restore)
index3_of(FundamentalParameters, problem_of_rates(own_moment, takes_4T=False))


@equations(FundamentalParameters)
def udwadia_schutte_fundamental(par, t, y):
    """M_u u'' = Q + M_u^(1/2) (A_u M_u^(-1/2))^+ (b_u - A_u M_u^-1 Q); S4(12, 43-45)."""
    return y[4:] + solve(par, t, y)[0]


@multiplier_of(FundamentalParameters)
def multiplier(par, t, y):
    """The constraint force is -lambda u: S0 has lambda on the left."""
    return solve(par, t, y)[1]


class UdwadiaSchutteFundamental(FreeInertiaForm):
    """First as if all four components were free, with any J0 > 0, then the constraint force of the fundamental
    equation. J0 changes det M_u and the acceleration off the sphere, not the motion on it. With `torque` the
    constraint force is -4T u; an unprojected load, S4(12), adds its idle part. State (u, u'), 8; regular for J0 > 0,
    and most accurate for a J0 like the body's own moments, whose mean it is unless the lane says otherwise; 9 times
    the cost of `newton_euler`."""

    name = "udwadia_schutte_fundamental"
    title = "Udwadia–Schutte, fundamental equation"
    source = "S4(12, 18, 43-45)"
    variants = LOAD_FORMS
    has_multiplier = True
    parameter_type = FundamentalParameters
    index3 = True

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return ("4T", *IDLE_TERMS[LOAD_FORMS.index(self.variant)])

    def further_parameters(self) -> dict[str, Any]:
        return {
            **super().further_parameters(),
            "load_form": LOAD_FORMS.index(self.variant),
        }
