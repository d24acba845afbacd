"""Panel of the path of the angular momentum in the body frame; without torque, a curve of constant energy on a sphere."""

import numpy as np

from quatviz.base.formatting import format_four_digits
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base.globe import VectorGlobe


class MomentumSphere(VectorGlobe):
    """Path of h on the sphere of |h|."""

    name = "momentum_sphere"
    title = "h on the momentum sphere"
    summary = "the motion as a path: see [phase space](experiments.md#pictures-of-phase-space)"
    unit = "kg m²/s"
    order = 42
    note = "kg m²/s, body"
    quantity = "h"

    def explanation(self, option: str, info: RunInfo) -> str:
        if not info.is_free:
            return tr("The length of h changes. Sphere: largest |h| so far; outline: |h| at the cursor.")
        return tr(
            "h is constant in space; in the body it moves on a sphere, along a curve of constant energy. "
            "Gray: curves of other energies; the two bolder circles are the separatrix."
        )

    def surface_parameter(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        return np.linalg.norm(vectors, axis=1)

    def surface_matrix(self, inertia: np.ndarray, size: float) -> np.ndarray:
        return size * np.eye(3)

    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        return size * curve

    def vector_text(self, info: RunInfo, vector: np.ndarray) -> str:
        return tr("|h|  {length} kg m²/s", length=format_four_digits(float(np.linalg.norm(vector))))
