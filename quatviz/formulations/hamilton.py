"""Hamilton's equations with the angular momentum in body components."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatviz.core.body import Body
from quatviz.core.forces import torque_of_gradient
from quatviz.core.integrator_hooks import Group, group_of
from quatviz.core.kernel import (
    add3,
    cross,
    equations,
    half_LT_times,
    inline,
    on_sphere,
    projection_of,
    times_inertia,
)
from quatviz.core.load_sums import potential_gradient, torque_without_potential
from quatviz.core.loads.base import Load
from quatviz.formulations._body_parameters import BodyParameters, packed
from quatviz.formulations.base import Formulation


class HamiltonParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@equations(HamiltonParameters)
def hamilton(par, t, y):
    """h' = -omega x h - 1/2 L dV/dp + n_nc, p' = 1/2 L^T J^-1 h; S3(42, 44)."""
    h, p = y[:3], y[3:]
    omega = times_inertia(par.principal, par.inverse_inertia, h)
    h_rate = cross(h, omega)
    if par.loads.shape[0] > 0:
        h_rate = add3(h_rate, torque_of_gradient(p, potential_gradient(par.loads, t, p)))
        h_rate = add3(h_rate, torque_without_potential(par.loads, t, p, omega))
    return h_rate + half_LT_times(p, omega)


@inline
def attitude(par, y):
    return y[3:], times_inertia(par.principal, par.inverse_inertia, y[:3])


@inline
def turned(par, y, p):
    return y[:3] + p


group_of(HamiltonParameters, Group(attitude, turned))


@projection_of(HamiltonParameters)
def restore(par, rates, y):
    return y[:3] + on_sphere(y[3:])


class Hamilton(Formulation):
    """Hamilton's canonical equations after the singular momentum conjugate to p is replaced by h = J omega, which
    eliminates the multiplier. Potential loads enter by their gradient, all others as torques. State (h, p), 7; no
    singularity; 1.4 times the cost of `newton_euler`."""

    name = "hamilton"
    title = "Hamilton, reduced to h"
    source = "S3(42, 44)"
    on_group = True
    stabilisations = ("none", "renormalise", "project")

    @property
    def state(self) -> tuple[str, ...]:
        return ("h1", "h2", "h3", "e0", "e1", "e2", "e3")

    def parameters(self, body: Body, loads: Sequence[Load]) -> HamiltonParameters:
        return HamiltonParameters(**packed(body, loads))

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: HamiltonParameters) -> np.ndarray:
        return np.concatenate((np.reshape(parameters.inertia, (3, 3)) @ omega, p))

    def observe(self, states: np.ndarray, parameters: HamiltonParameters) -> tuple[np.ndarray, np.ndarray]:
        inverse_inertia = np.reshape(parameters.inverse_inertia, (3, 3))
        return states[:, 3:], states[:, :3] @ inverse_inertia.T
