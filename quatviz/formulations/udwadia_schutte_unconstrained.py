"""Udwadia and Schutte's intermediate result: the equations before the constraint is imposed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quatviz.core.kernel import L_times, LT_times, combined4, equations
from quatviz.core.load_sums import torque
from quatviz.formulations._free_inertia import FreeInertiaForm, impressed, solve_mass


class UnconstrainedParameters(NamedTuple):
    """J and its inverse, row-major (9), whether they are diagonal, the packed loads, and J0 [kg m^2]."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: np.ndarray
    free: float


@equations(UnconstrainedParameters)
def udwadia_schutte_unconstrained(par, t, y):
    """M_u u'' = -8 E'^T J4 E u' - 4 J0 N(u') u + 2 E1^T n; S4(10, 43)."""
    u, u_rate = y[:4], y[4:]
    Q = impressed(par, u, u_rate)
    if par.loads.shape[0] > 0:
        half = L_times(u, u_rate)
        omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
        Q = combined4(1.0, Q, 2.0, LT_times(u, torque(par.loads, t, u, omega)))
    return y[4:] + solve_mass(par, u, Q)


class UdwadiaSchutteUnconstrained(FreeInertiaForm):
    """Not the motion of the body: nothing keeps |u| = 1. From the sphere |u|^2 - 1 = T t^2 / J0, and free of torque
    |u| grows like t^(1/4) while u/|u| turns ever more slowly. Shown to see what the constraint is for. State (u, u'),
    8; regular for J0 > 0; 6 times the cost of `newton_euler`."""

    name = "udwadia_schutte_unconstrained"
    title = "Udwadia–Schutte, unconstrained"
    source = "S4(10)"
    yields_motion = False
    stabilisations = ("none",)
    parameter_type = UnconstrainedParameters

    def further_parameters(self) -> dict[str, Any]:
        return {}
