"""The 4x4 system of Udwadia and Schutte, with its free moment of inertia J0. Not a formulation."""

from typing import Any

import numpy as np

from quatviz.physics.formulations._lagrange import mass_matrices
from quatviz.physics.formulations._rates import RateForm
from quatviz.physics.mechanics.body import Body


def mass_matrices_with_free(u: np.ndarray, parameters: Any) -> np.ndarray:
    """M_u = 4 E^T J4 E (n, 4, 4) [kg m^2] of u (n, 4), in NumPy."""
    return mass_matrices(u, parameters) + 4.0 * parameters.J0 * u[:, :, None] * u[:, None, :]


class FreeInertiaForm(RateForm):
    """Its parameters have a field `J0`, J0 [kg m^2]. Where the lane says nothing it is the body's mean moment: digits are
    lost in proportion to how far J0 is from the moments, 3e-4 rad with 1 kg m^2 on a top of 5 within a few seconds."""

    has_free_inertia = True

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        lane_J0 = self.options.J0
        J0 = float(np.trace(body.inertia)) / 3.0 if lane_J0 is None else lane_J0
        return {**super().extra_parameters(body), "J0": J0}

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        return mass_matrices_with_free(states[:, :4], parameters)
