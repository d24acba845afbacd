"""Kernels of forms with the state (p, p')."""

from typing import NamedTuple

from quatviz.physics.kernels.algebra import dot4, on_sphere, tangent
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads._kernels.packed import PackedLoads


class RateParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, the packed loads, Baumgarte's
    alpha and beta [1/s]. A form that reads no more extends it by a class of its own."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    alpha: float
    beta: float


@inline
def project(par, rates, y):
    """p on the sphere and, if asked for, p.p' = 0."""
    p = on_sphere(y[:4])
    return p + (tangent(p, y[4:]) if rates else y[4:])


@inline
def constraint_acceleration(par, p, p_rate):
    """What p.p'' is to be: -p'.p', and Baumgarte's -2 alpha p.p' - 1/2 beta^2 (p.p - 1), which pull p to the sphere."""
    baumgarte_term = 2.0 * par.alpha * dot4(p, p_rate) + 0.5 * par.beta * par.beta * (dot4(p, p) - 1.0)
    return -dot4(p_rate, p_rate) - baumgarte_term
