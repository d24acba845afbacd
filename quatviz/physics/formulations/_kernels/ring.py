"""Kernels that both models of the ring damper use.

`physics.mechanics.ring` defines the ring axes u, v, w.
"""

import math
from typing import NamedTuple

from quatviz.physics.kernels.algebra import cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads._kernels.packed import PackedLoads


class RingParameters(NamedTuple):
    """Parameters of the kernels of the ring damper: the fields of `BodyParameters` and those of the ring, whose axes
    are u, v, w.

    `ring_inertia` is J_m as its elements (11, 22, 33, 13) [kg m^2]; `centre` has the components (u, w) [m] of the
    arc's center of mass; `weight` is the weight of the arc (3) [N, space]; `drag` is C_d R^2 [N m s].
    `beta` [rad] and `spin`, which is omega_m3 [rad/s], are the values at t = 0. Each of the two models derives a class
    of its own, because numba selects the kernels by this type.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    ring_inertia: tuple[float, float, float, float]
    centre: tuple[float, float]
    weight: tuple[float, float, float]
    drag: float
    beta: float
    spin: float


@inline
def to_ring(beta, v):
    """Return B v (3): convert a vector from body to ring components, which are rotated by `beta` about z."""
    c, s = math.cos(beta), math.sin(beta)
    return (c * v[0] + s * v[1], c * v[1] - s * v[0], v[2])


@inline
def to_rotor(beta, v):
    """Return B^T v (3): convert a vector from ring to body components."""
    return to_ring(-beta, v)


@inline
def times_ring(par, v):
    """Return J_m v (3). The elements of J_m that are zero by eq. S3(49) are skipped."""
    m11, m22, m33, m13 = par.ring_inertia
    return (m11 * v[0] + m13 * v[2], m22 * v[1], m13 * v[0] + m33 * v[2])


@inline
def ring_weight(par, p, beta):
    """Return n_g = m r_c x (B A^T g_c) (3) [N m, ring components]."""
    gravity_force = to_ring(beta, to_body(p, par.weight))
    return cross((par.centre[0], 0.0, par.centre[1]), gravity_force)
