"""Udwadia and Schutte's quaternion equations, in closed form."""

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._rates import RateForm, RateParameters, constraint_acceleration, project
from quatviz.physics.kernels.algebra import LT_times, add3, combined4, cross, times_inertia, twice_L_times
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.loads import body_torque


class UdwadiaSchutteParameters(RateParameters):
    """As `RateParameters`, for this form's kernels."""


def udwadia_schutte(par, t, y):
    """u'' = 1/2 E1^T J^-1 (n - omega x J omega) - (u'.u') u; S4(42), E1 = L."""
    u, u_rate = y[:4], y[4:]
    omega = twice_L_times(u, u_rate)
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, u, omega))
    acceleration = LT_times(u, times_inertia(par.principal, par.inverse_inertia, moment))
    return y[4:] + combined4(0.5, acceleration, constraint_acceleration(par, u, u_rate), u)


class UdwadiaSchutte(RateForm):
    """The fundamental equation of constrained motion worked out: the arbitrary J0 has cancelled, and so has the
    multiplier. An error of |u| oscillates at |omega|/sqrt 2 and stays bounded. State (u, u'), 8; no singularity;
    twice the cost of `newton_euler`, the least of all second-order forms."""

    name = "udwadia_schutte"
    title = "Udwadia–Schutte, closed"
    summary = "fundamental equation, closed form"
    source = "S4(42)"
    sort_order = 70
    measured = (Performance(108, 119, ("1.9e-11", "2.1e-12", "1.5e-09")),)
    mutations = (Mutation("combined4(0.5, acceleration", "combined4(-0.5, acceleration"),)
    parameter_type = UdwadiaSchutteParameters
    kernels = Kernels(rhs=udwadia_schutte, projection=project)
