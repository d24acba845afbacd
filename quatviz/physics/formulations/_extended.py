"""Base class of formulations that append components, such as momenta of rotors or the center of mass, to the state of
another formulation.

This module defines no formulation. Formulations with rotors or with a coupled translation are derived from
`ExtendedForm`.
"""

from typing import Any

import numpy as np

from quatviz.physics.formulations.base import Formulation, SystemTotals


class ExtendedForm(Formulation):
    """Base class of formulations that append components to the state of another, original formulation.

    Each method calls the same method of the original formulation, without the appended components of the state. The
    field `base` of the parameters contains the parameters of the original formulation.
    """

    def __init__(self, base: Formulation) -> None:
        Formulation.__init__(self, base.variant, base.options)
        self._base, self._width = base, len(base.component_names)

    @property
    def supports_index3(self) -> bool:
        return False

    @property
    def has_momentum(self) -> bool:
        return False

    def _of_base(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, Any]:
        """Return the states without the appended components, and the parameters of the original formulation."""
        return states[..., : self._width], parameters.base

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return self._base.observe(*self._of_base(states, parameters))

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        return self._base.constraint_rate(*self._of_base(states, parameters))

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        return self._base.system_matrix(*self._of_base(states, parameters))

    def totals(self, states: np.ndarray, parameters: Any) -> SystemTotals | None:
        return self._base.totals(*self._of_base(states, parameters))

    def extras(self, states: np.ndarray, parameters: Any) -> dict[str, np.ndarray]:
        return self._base.extras(*self._of_base(states, parameters))

    def singularity_limit(self, state: np.ndarray, parameters: Any, dt: float) -> float:
        return self._base.singularity_limit(*self._of_base(state, parameters), dt)

    def closest_approach(self, state: np.ndarray, parameters: Any) -> float:
        return self._base.closest_approach(*self._of_base(state, parameters))

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        return self._base.explain_step_limit(state[: self._width], singularity, dt)

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        return self._base.explain_singularity(state[: self._width], singularity)
