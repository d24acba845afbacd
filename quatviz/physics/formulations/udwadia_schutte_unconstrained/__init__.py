"""Udwadia and Schutte's intermediate result: the equations before the constraint is imposed."""

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._free_inertia import (
    FreeInertiaForm,
    FreeInertiaParameters,
    solve_mass,
    velocity_terms,
)
from quatviz.physics.kernels.algebra import LT_times, combined4, twice_L_times
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.loads import body_torque


class UnconstrainedParameters(FreeInertiaParameters):
    """As `FreeInertiaParameters`, for this form's kernels; alpha and beta are zero."""


def udwadia_schutte_unconstrained(par, t, y):
    """M_u u'' = -8 E'^T J4 E u' - 4 J0 N(u') u + 2 E1^T n; S4(10, 43)."""
    u, u_rate = y[:4], y[4:]
    Q = velocity_terms(par, u, u_rate)
    if par.loads.present:
        omega = twice_L_times(u, u_rate)
        Q = combined4(1.0, Q, 2.0, LT_times(u, body_torque(par.loads, t, u, omega)))
    return y[4:] + solve_mass(par, u, Q)


class UdwadiaSchutteUnconstrained(FreeInertiaForm):
    """Not the motion of the body: nothing keeps |u| = 1. From the sphere |u|^2 - 1 = T t^2 / J0, and free of torque
    |u| grows like t^(1/4) while u/|u| turns ever more slowly. Shown to see what the constraint is for. State (u, u'),
    8; regular for J0 > 0; 6 times the cost of `newton_euler`."""

    name = "udwadia_schutte_unconstrained"
    title = "Udwadia–Schutte, unconstrained"
    summary = "what comes before the constraint: another motion"
    source = "S4(10)"
    sort_order = 90
    measured = (Performance(320, 323, ("another motion", "another motion", "another motion")),)
    mutations = (
        Mutation(
            "combined4(1.0, Q, 2.0,", "combined4(1.0, Q, -2.0,", detected_by="fundamental.check_off_sphere"
        ),
        Mutation(
            "combined4(-8.0 * par.J0",
            "combined4(-4.0 * par.J0",
            file="physics/formulations/_free_inertia.py",
            detected_by="fundamental.check_off_sphere",
        ),
    )
    yields_motion = False
    stabilisations = ("none",)
    parameter_type = UnconstrainedParameters
    kernels = Kernels(rhs=udwadia_schutte_unconstrained)
