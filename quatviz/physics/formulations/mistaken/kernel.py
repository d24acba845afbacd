"""Kernels of the formulation `mistaken`: its equations, and the parameters that they read."""

from typing import NamedTuple

from quatviz.physics.formulations._kernels.attitude import project
from quatviz.physics.kernels.algebra import (
    GT_times,
    LT_times,
    add3,
    combined3,
    combined4,
    cross,
    times_inertia,
)
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.loads._kernels.packed import PackedLoads, body_torque


class MistakenParameters(NamedTuple):
    """Parameters of the kernels of `mistaken`: the fields of `BodyParameters`, and the `COEFFICIENTS` of a
    mistake.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    gyroscopic: float
    body: float
    space: float


def mistaken(par, t, y):
    """Return the derivative of the state (omega, p) by J omega' = n - c omega x J omega, p' = a L^T omega + b
    G^T omega.
    """
    omega, p = y[:3], y[3:]
    h = times_inertia(par.principal, par.inertia, omega)
    moment = combined3(par.gyroscopic, cross(h, omega), 0.0, omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, p, omega))
    p_rate = combined4(par.body, LT_times(p, omega), par.space, GT_times(p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment) + p_rate


KERNELS = Kernels(rhs=mistaken, projection=project)
