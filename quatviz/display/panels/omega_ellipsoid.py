"""Panel of the path of the angular velocity in the body frame; without torque, a polhode on the energy ellipsoid."""

import numpy as np

from quatviz.base.formatting import format_four_digits
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base.globe import VectorGlobe
from quatviz.physics.geometry.polhodes import principal_moments, velocity_curve


class OmegaEllipsoid(VectorGlobe):
    """Path of ω on the ellipsoid ω·Jω = 2T."""

    name = "omega_ellipsoid"
    title = "ω on the energy ellipsoid"
    summary = "the motion as a path: see [phase space](experiments.md#pictures-of-phase-space)"
    unit = "rad/s"
    order = 32
    note = "rad/s, body"
    quantity = "omega"

    def explanation(self, option: str, info: RunInfo) -> str:
        if not info.is_free:
            return tr("T changes. Ellipsoid ω·Jω = 2T: largest T so far; outline: T at the cursor.")
        return tr(
            "All angular velocities of this energy are on the ellipsoid ω·Jω = 2T; ω moves along the polhode, a curve of "
            "constant |h|. Gray: curves of other |h|; the two bolder curves are the separatrix."
        )

    def surface_parameter(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        return np.sum(vectors * (vectors @ inertia), axis=1)

    def surface_matrix(self, inertia: np.ndarray, size: float) -> np.ndarray:
        moments, axes = principal_moments(inertia)
        return axes * np.sqrt(size / moments)

    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        return np.sqrt(size) * velocity_curve(inertia, curve)

    def vector_text(self, info: RunInfo, vector: np.ndarray) -> str:
        kinetic = 0.5 * float(self.surface_parameter(info.body.inertia, vector[None])[0])
        energy = f"    T  {format_four_digits(kinetic)} J" if not info.body.has_inner_motion else ""
        return f"|ω|  {format_four_digits(float(np.linalg.norm(vector)))} rad/s{energy}"
