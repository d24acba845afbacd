"""The ring damper with all its constraints and their reactions."""

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._attitude import ON_GROUP, project
from quatviz.physics.formulations._ring import (
    RingForm,
    RingParameters,
    ring_weight,
    times_ring,
    to_ring,
    to_rotor,
)
from quatviz.physics.kernels.algebra import add3, combined3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.kernels.linear_solve import solve4
from quatviz.physics.loads import body_torque


class RingDamperParameters(RingParameters):
    """As `RingParameters`, for this model's kernels."""


def ring_damper(par, t, y):
    """[J + B^T Jm P B, B^T Jm c; c^T Jm P B, Jm33] [omega'; omega_m3'] = what the help derives."""
    omega, p, beta, spin = y[:3], y[3:7], y[7], y[8]
    beta_rate = spin - omega[2]
    omega_in_ring = to_ring(beta, omega)
    omega_m = (omega_in_ring[0], omega_in_ring[1], spin)
    carried = (beta_rate * omega_m[1], -beta_rate * omega_m[0], 0.0)  # P B' omega
    ring = combined3(1.0, times_ring(par, carried), 1.0, cross(omega_m, times_ring(par, omega_m)))
    ring = combined3(1.0, ring, -1.0, ring_weight(par, p, beta))
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, p, omega))
    rhs = combined3(1.0, moment, -1.0, to_rotor(beta, ring))
    x, y_axis = to_ring(beta, (1.0, 0.0, 0.0)), to_ring(beta, (0.0, 1.0, 0.0))
    c1 = to_rotor(beta, times_ring(par, x))
    c2 = to_rotor(beta, times_ring(par, y_axis))
    c4 = to_rotor(beta, times_ring(par, (0.0, 0.0, 1.0)))
    j = par.inertia
    rates = solve4(
        (
            *(j[0] + c1[0], j[1] + c2[0], j[2], c4[0]),
            *(j[3] + c1[1], j[4] + c2[1], j[5], c4[1]),
            *(j[6] + c1[2], j[7] + c2[2], j[8], c4[2]),
            *(times_ring(par, x)[2], times_ring(par, y_axis)[2], 0.0, par.ring_inertia[2]),
        ),
        (rhs[0], rhs[1], rhs[2], -par.drag * beta_rate - ring[2]),
    )
    return (*rates[:3], *half_LT_times(p, omega), beta_rate, rates[3])


class RingDamper(RingForm):
    """Rotor and ring share their rotation about u and v; the reactions of these two constraints act on both. Energy
    is kept to rounding without damping and lost by C_d R^2 beta'^2 with it; the whole angular momentum is kept where
    there is no gravity. State (omega, p, beta, omega_m3), 9; no singularity; 3 times the cost of `newton_euler` with
    gravity."""

    name = "ring_damper"
    title = "Ring damper, consistent"
    summary = "a rotor with a ring of mercury, derived"
    source = "derived in the help from the energies S3(48-50) and the constraints S3(58, 59)"
    sort_order = 160
    measured = (Performance(None, 275),)
    mutations = (
        Mutation(
            "combined3(1.0, ring, -1.0, ring_weight",
            "combined3(1.0, ring, 1.0, ring_weight",
            detected_by="rings.check_random_states",
        ),
        Mutation("-par.drag * beta_rate", "par.drag * beta_rate", detected_by="rings.check_random_states"),
    )
    parameter_type = RingDamperParameters
    kernels = Kernels(rhs=ring_damper, projection=project, group=ON_GROUP)
