"""Kernels of the formulation `hamilton_canonical`: its equations, and the parameters that they read."""

from typing import NamedTuple

from quatviz.physics.formulations._kernels.index3 import mean_moment, momentum_rate, p_rate_from_momenta
from quatviz.physics.kernels.algebra import (
    L_times,
    LT_times,
    combined4,
    dot3,
    dot4,
    on_sphere,
    tangent,
    times_inertia,
)
from quatviz.physics.kernels.binder import Index3Kernels, Kernels, inline
from quatviz.physics.loads._kernels.packed import PackedLoads, generalized_force


class HamiltonCanonicalParameters(NamedTuple):
    """Parameters of the kernels of `hamilton_canonical`: the fields of `BodyParameters`, and `literal`, which
    is True if -dT/dp is taken literally.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    literal: bool


@inline
def solve(par, t, y):
    """Return p' (4), g' (4) and lambda, which follows from the condition p.g' = -p'.g that keeps p.g = 0."""
    g, p = y[:4], y[4:]
    half = L_times(p, g)
    h = (0.5 * half[0], 0.5 * half[1], 0.5 * half[2])
    omega = times_inertia(par.principal, par.inverse_inertia, h)
    q = LT_times(p, omega)
    p_rate = (0.5 * q[0], 0.5 * q[1], 0.5 * q[2], 0.5 * q[3])
    k = LT_times(p_rate, h)
    force = (-2.0 * k[0], -2.0 * k[1], -2.0 * k[2], -2.0 * k[3])
    if par.literal:
        force = combined4(1.0, force, -2.0 * dot3(omega, h), p)
    if par.loads.present:
        force = combined4(1.0, force, 1.0, generalized_force(par.loads, t, p, omega))
    lam = dot4(p, force) + dot4(p_rate, g)
    return p_rate, combined4(1.0, force, -lam, p), lam


def hamilton_canonical(par, t, y):
    """Return the derivative of the state (g, p) by p' = 1/4 L^T J^-1 L g, g' = k - dV/dp + 2 L^T n_nc - p
    lambda, k = -2 L'^T h; eqs. S3(17-20, 31, 36).
    """
    p_rate, g_rate, _ = solve(par, t, y)
    return g_rate + p_rate


def multiplier(par, t, y):
    """Return the lambda [J] that keeps p.g = 0, from the same equations as the derivative."""
    return solve(par, t, y)[2]


def project(par, rates, y):
    """Return the state `y` = (g, p) with p scaled to length 1.

    If `rates` is True, g is also projected so that p.g = 0.
    """
    p = on_sphere(y[4:])
    return (tangent(p, y[:4]) if rates else y[:4]) + p


@inline
def attitude(par, y):
    """Return `(p, omega)` with omega = 1/2 J^-1 L g [rad/s, body]."""
    p = y[4:]
    half = L_times(p, y[:4])
    h = (0.5 * half[0], 0.5 * half[1], 0.5 * half[2])
    return p, times_inertia(par.principal, par.inverse_inertia, h)


@inline
def velocity(par, p, g):
    """Return p' (4) [1/s] for the momenta g (4); see `_kernels.index3`."""
    return p_rate_from_momenta(par, mean_moment(par), p, g)


@inline
def force(par, t, p, g):
    """Return g' (4) [J] without the term -p lambda.

    The equation is S3(20), or S3(22) taken literally if `par.literal` is True.
    """
    return momentum_rate(par, t, p, g, velocity(par, p, g), par.literal)


@inline
def momenta(par, y):
    """Return p (4) and g (4) of the state `y` = (g, p)."""
    return y[4:], y[:4]


@inline
def state(par, p, g):
    """Return the state (g, p) that consists of the given Euler parameters and momenta."""
    return g + p


KERNELS = Kernels(
    rhs=hamilton_canonical,
    multiplier=multiplier,
    projection=project,
    observed=attitude,
    index3=Index3Kernels(momenta, velocity, force, state),
)
