"""Edits of the run as values."""

import numpy as np
import pytest

from quatviz.display.document.edits import drag_vector
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotation_matrix


def test_omega_and_h_are_related_by_the_inertia() -> None:
    J = np.diag([3.0, 2.0, 1.5])
    rotation = rotation_matrix(from_rotation_vector(np.array([0.3, -0.8, 0.5]))[None])[0]
    omega, ring = np.array([0.4, 2.0, -0.1]), np.array([0.0, 0.0, 0.7])
    vectors = {"omega": rotation @ omega, "h": rotation @ (J @ omega + ring), "torque": np.ones(3)}
    wished = np.array([1.0, -0.5, 0.25])
    for name in ("omega", "h"):
        after = drag_vector(J, rotation, vectors, name, wished)
        assert after[name] == pytest.approx(wished)
        assert rotation.T @ after["h"] == pytest.approx(J @ (rotation.T @ after["omega"]) + ring)
        assert after["torque"] == pytest.approx(np.ones(3))
