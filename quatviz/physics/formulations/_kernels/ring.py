"""Kernels of both models of the ring damper. Ring axes u, v, w as in `physics.mechanics.ring`."""

import math
from typing import NamedTuple

from quatviz.physics.kernels.algebra import cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads._kernels.packed import PackedLoads


class RingParameters(NamedTuple):
    """The fields of `BodyParameters` and those of the ring.

    `ring_inertia` is J_m as (11, 22, 33, 13); `centre` the center of the arc as (u, w) [m]; `weight` its weight
    [N, space]; `drag` C_d R^2 [N m s]; `beta` [rad] and `spin`, omega_m3 [rad/s], are values at t = 0. Each model
    derives a class of its own.
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
    """Return B v: body to ring components, a rotation about z."""
    c, s = math.cos(beta), math.sin(beta)
    return (c * v[0] + s * v[1], c * v[1] - s * v[0], v[2])


@inline
def to_rotor(beta, v):
    """Return B^T v: ring to body components."""
    return to_ring(-beta, v)


@inline
def times_ring(par, v):
    """Return J_m v, without the zeros of eq. S3(49)."""
    m11, m22, m33, m13 = par.ring_inertia
    return (m11 * v[0] + m13 * v[2], m22 * v[1], m13 * v[0] + m33 * v[2])


@inline
def ring_weight(par, p, beta):
    """Return n_g = m r_c x (B A^T g_c) (3) [N m, ring components]."""
    gravity_force = to_ring(beta, to_body(p, par.weight))
    return cross((par.centre[0], 0.0, par.centre[1]), gravity_force)
