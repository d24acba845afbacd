"""Kernels of the formulation `ring_damper`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.attitude import ON_GROUP, project
from quatviz.physics.formulations._kernels.ring import (
    RingParameters,
    ring_weight,
    times_ring,
    to_ring,
    to_rotor,
)
from quatviz.physics.kernels.algebra import add3, combined3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.kernels.linear_solve import solve4
from quatviz.physics.loads._kernels.packed import body_torque


class RingDamperParameters(RingParameters):
    """Parameters of the kernels of `ring_damper`: the fields of `RingParameters`. numba selects the kernels
    by this type.
    """


def ring_damper(par, t, y):
    """Return the derivative of the state (omega, p, beta, omega_m3), as derived in the help.

    omega' and omega_m3' solve [J + B^T Jm P B, B^T Jm c; c^T Jm P B, Jm33] [omega'; omega_m3'] = rhs, where B maps body
    to ring components, P = diag(1, 1, 0) and c is the unit vector along w.
    """
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


KERNELS = Kernels(rhs=ring_damper, projection=project, group=ON_GROUP)
