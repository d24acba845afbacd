"""The d'Alembert-Lagrange equations projected on the tangent space: three equations and the constraint, without a
multiplier."""

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._rates import RateForm
from quatviz.physics.formulations.lagrange_projected.kernel import (
    KERNELS,
    LagrangeProjectedParameters,
)
from quatviz.physics.mechanics.rotations import matrix_L


class LagrangeProjected(RateForm):
    """Lagrange's equations multiplied by L, and the constraint.

    The product with L removes lambda because L p = 0 and leaves three equations; the second derivative of the
    constraint is the fourth. An error of |p| grows linearly, as in the augmented forms. State (p, p'), 8; no
    singularity.
    """

    name = "lagrange_projected"
    title = "Lagrange, projected"
    family = "Lagrange, Euler parameters"
    summary = "Lagrange's equations projected so that λ is eliminated"
    source = "S0(25, 33)"
    sort_order = 60
    measured = (Performance(274, 255, ("5.5e-11", "3.1e-10", "2.0e-09")),)
    parameter_type = LagrangeProjectedParameters
    supports_rotors = True
    kernels = KERNELS

    def system_matrix(self, states: np.ndarray, parameters: LagrangeProjectedParameters) -> np.ndarray:
        p = states[:, :4]
        upper = np.reshape(parameters.inertia, (3, 3)) @ matrix_L(p)
        return np.concatenate((upper, p[:, None, :]), axis=1)
