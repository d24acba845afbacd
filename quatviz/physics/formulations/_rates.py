"""What forms with the state (p, p') share in reading and starting it. Not a formulation."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels.algebra import dot4, on_sphere, tangent
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads import PackedLoads
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import omega_from_rate, rate_from_omega
from quatviz.physics.mechanics.state import EULER_PARAMETERS, EULER_RATES


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


class RateForm(Formulation):
    """State (p, p'). A subclass names the type of its parameters, and adds what that has beyond the fields here."""

    second_order = True
    stabilisations: ClassVar[tuple[str, ...]] = ("none", "renormalise", "project", "baumgarte")
    blocks = (EULER_PARAMETERS, EULER_RATES)

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return {"alpha": self.options.alpha, "beta": self.options.beta}

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((p, rate_from_omega(p, omega)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        p, p_rate = states[:, :4], states[:, 4:]
        return p, omega_from_rate(p, p_rate) / np.einsum("ni,ni->n", p, p)[:, None]

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        return np.einsum("ni,ni->n", states[:, :4], states[:, 4:])
