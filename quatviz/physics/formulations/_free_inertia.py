"""Base class of Udwadia and Schutte's 4x4 systems, whose mass matrix contains an arbitrary inertia J0 > 0.
This module defines no formulation."""

from typing import Any

import numpy as np

from quatviz.physics.formulations._lagrange import mass_matrices
from quatviz.physics.formulations._rates import RateForm
from quatviz.physics.mechanics.body import Body


def mass_matrices_with_free(u: np.ndarray, parameters: Any) -> np.ndarray:
    """Return Udwadia and Schutte's mass matrices M_u = 4 E^T diag(J0, J) E (n, 4, 4) [kg m^2] with E = [u^T;
    L], for u (n, 4), in NumPy."""
    return mass_matrices(u, parameters) + 4.0 * parameters.J0 * u[:, :, None] * u[:, None, :]


class FreeInertiaForm(RateForm):
    """A formulation whose mass matrix contains an arbitrary inertia J0 > 0 [kg m^2], the field `J0` of its parameters.

    The default of `J0` is the mean of the body's principal moments. The farther J0 is from these moments, the larger
    is the error: J0 = 1 kg m^2 for a top with 5 kg m^2 gives an error of 3e-4 rad within a few seconds.
    """

    has_free_inertia = True

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        lane_J0 = self.options.J0
        J0 = float(np.trace(body.inertia)) / 3.0 if lane_J0 is None else lane_J0
        return {**super().extra_parameters(body), "J0": J0}

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        return mass_matrices_with_free(states[:, :4], parameters)
