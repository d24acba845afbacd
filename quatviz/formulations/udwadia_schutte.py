"""Udwadia and Schutte's quaternion equations, in closed form."""

from __future__ import annotations

from quatviz.core.kernel import (
    L_times,
    LT_times,
    add3,
    combined4,
    cross,
    equations,
    projection_of,
    times_inertia,
)
from quatviz.core.load_sums import torque
from quatviz.formulations._rates import RateForm, RateParameters, restore, wanted


class UdwadiaSchutteParameters(RateParameters):
    """As `RateParameters`, for this form's kernels."""


projection_of(UdwadiaSchutteParameters)(restore)


@equations(UdwadiaSchutteParameters)
def udwadia_schutte(par, t, y):
    """u'' = 1/2 E1^T J^-1 (n - omega x J omega) - (u'.u') u; S4(42), E1 = L."""
    u, u_rate = y[:4], y[4:]
    half = L_times(u, u_rate)
    omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.shape[0] > 0:
        moment = add3(moment, torque(par.loads, t, u, omega))
    turned = LT_times(u, times_inertia(par.principal, par.inverse_inertia, moment))
    return y[4:] + combined4(0.5, turned, wanted(par, u, u_rate), u)


class UdwadiaSchutte(RateForm):
    """The fundamental equation of constrained motion worked out: the arbitrary J0 has cancelled, and so has the
    multiplier. An error of |u| oscillates at |omega|/sqrt 2 and stays bounded. State (u, u'), 8; no singularity;
    twice the cost of `newton_euler`, the least of all second-order forms."""

    name = "udwadia_schutte"
    title = "Udwadia–Schutte, closed"
    source = "S4(42)"
    parameter_type = UdwadiaSchutteParameters
