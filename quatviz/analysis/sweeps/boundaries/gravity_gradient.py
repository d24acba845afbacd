"""Boundary in maps: attitude stability of a satellite on a circular orbit."""

import numpy as np

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.stability import gravity_gradient
from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity_gradient import GravityGradient


class DeBraDelp(Boundary):
    """Boundary between bounded and growing librations, see `stability.gravity_gradient`.

    It applies to the attitude with axis 3 along the vertical and axis 2 along the orbit normal.
    """

    name = "gravity_gradient"
    title = "Lagrange and DeBra–Delp regions"
    source = "DeBra and Delp 1961; Hughes, Spacecraft Attitude Dynamics, 9.4"
    measures = ("lyapunov_exponent",)

    @classmethod
    def applies_to(cls, preset: Preset) -> bool:
        if len(preset.loads) != 1 or not isinstance(preset.loads[0], GravityGradient) or preset.events:
            return False
        if preset.body.has_inner_motion:
            return False
        load, J = preset.loads[0], preset.body.inertia
        is_aligned = bool(
            np.allclose(load.direction, (0.0, 0.0, 1.0)) and np.allclose(load.normal, (0.0, 1.0, 0.0))
        )
        return is_aligned and load.orbit == "circular" and not any((J[0, 1], J[0, 2], J[1, 2]))

    @classmethod
    def value(cls, preset: Preset) -> float:
        return float(gravity_gradient(np.diagonal(preset.body.inertia)))
