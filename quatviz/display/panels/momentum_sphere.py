"""The angular momentum in body axes: without torque, on a sphere that energy cuts into curves."""

import numpy as np

from quatviz.base.formatting import format_four_digits
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base.globe import VectorGlobe


class MomentumSphere(VectorGlobe):
    """h, on the sphere of |h|."""

    name = "momentum_sphere"
    title = "h on the momentum sphere"
    summary = "the motion as a path: see [phase space](experiments.md#pictures-of-phase-space)"
    unit = "kg m²/s"
    order = 42
    note = "kg m²/s, body"
    quantity = "h"

    def explanation(self, option: str, info: RunInfo) -> str:
        if not info.is_free:
            return tr(
                "Where the length of h changes, the sphere is that of the largest one so far, the outline that of now."
            )
        return tr(
            "h stands still in space; the body carries it along a curve of constant energy on a sphere. "
            "Grey: the curves of other energies; the stronger two circles are the separatrix."
        )

    def surface_parameter(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        return np.linalg.norm(vectors, axis=1)

    def surface_matrix(self, inertia: np.ndarray, size: float) -> np.ndarray:
        return size * np.eye(3)

    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        return size * curve

    def vector_text(self, info: RunInfo, vector: np.ndarray) -> str:
        return tr("|h|  {length} kg m²/s", length=format_four_digits(float(np.linalg.norm(vector))))
