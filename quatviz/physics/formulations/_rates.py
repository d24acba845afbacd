"""Base class of formulations with the state (p, p'). This module defines no formulation."""

from typing import Any, ClassVar

import numpy as np

from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import omega_from_rate, rate_from_omega
from quatviz.physics.mechanics.state import EULER_PARAMETERS, EULER_RATES


class RateForm(Formulation):
    """Base class of formulations with the state (p, p').

    A subclass defines the type of its parameters; if this type has fields in addition to those of
    `RateParameters`, the subclass returns them from `extra_parameters`.
    """

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
