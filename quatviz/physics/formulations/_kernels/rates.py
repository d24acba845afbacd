"""Kernels of formulations with the state (p, p')."""

import math
from typing import NamedTuple

from quatviz.physics.kernels.algebra import combined4, dot4, on_sphere, tangent, twice_L_times
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads._kernels.packed import PackedLoads


class RateParameters(NamedTuple):
    """Parameters of the kernels of formulations with the state (p, p'): the fields of `BodyParameters`, and
    Baumgarte's alpha and beta [1/s].

    A formulation without further parameters derives a class of its own, because numba selects the kernels by this
    type.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    alpha: float
    beta: float


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state `y` = (p, p'), with omega = 2 L p' [rad/s, body]."""
    p = y[:4]
    return p, twice_L_times(p, y[4:])


@inline
def project(par, rates, y):
    """Return the state `y` = (p, p') with p scaled to length 1.

    If `rates` is True, p' is also projected so that p.p' = 0.
    """
    p = on_sphere(y[:4])
    return p + (tangent(p, y[4:]) if rates else y[4:])


@inline
def constraint_acceleration(par, p, p_rate):
    """Return the value that p.p'' must have: -p'.p', plus Baumgarte's -2 alpha p.p' - 1/2 beta^2 (p.p - 1), which
    attract p to the sphere."""
    baumgarte_term = 2.0 * par.alpha * dot4(p, p_rate) + 0.5 * par.beta * par.beta * (dot4(p, p) - 1.0)
    return -dot4(p_rate, p_rate) - baumgarte_term


@inline
def keep_constraint(par, h, old, new):
    """Return the state `new`, with p.p and p.p' corrected to their exact values h [s] after `old`.

    By p.p'' = -p'.p', p.p' is constant and p.p grows by 2 h p.p'.

    The equations do not attract p to the sphere: an error of p.p' persists, and an error of p.p grows with time.
    This correction is not a stabilization, since a motion that starts off the sphere stays off it.
    """
    if par.alpha != 0.0 or par.beta != 0.0:
        return new
    rate = dot4(old[:4], old[4:])
    square = dot4(old[:4], old[:4]) + 2.0 * h * rate
    scale = math.sqrt(square / dot4(new[:4], new[:4]))
    p = (scale * new[0], scale * new[1], scale * new[2], scale * new[3])
    # Scaling p alone would change the angular velocity, 2 L p' / p.p, by the error of p.p.
    excess = (rate - scale * dot4(p, new[4:])) / square
    return p + combined4(scale, new[4:], excess, p)
