"""Random states for the property-based tests of the core."""

import numpy as np
from hypothesis import strategies as st


def vectors(size: int, limit: float = 10.0) -> st.SearchStrategy[np.ndarray]:
    """Return a strategy for arrays (size,) with elements between -limit and limit."""
    return st.lists(st.floats(-limit, limit), min_size=size, max_size=size).map(np.array)


quaternions = vectors(4, 1.0).filter(lambda p: np.linalg.norm(p) > 1e-2)
"""Quaternions of any norm above 0.01, because most identities also hold for quaternions that are not unit."""

unit_quaternions = quaternions.map(lambda p: p / np.linalg.norm(p))


def _inertia(spread: np.ndarray, p: np.ndarray, scale: float) -> np.ndarray:
    a, b, c = np.abs(spread) + 0.05
    moments = scale * np.array([b + c, a + c, a + b])
    e0, e = p[0], p[1:]
    skew = np.cross(np.eye(3), e).T
    A = (2 * e0**2 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * skew)
    inertia = A @ np.diag(moments) @ A.T
    return (inertia + inertia.T) / 2


inertias = st.builds(_inertia, vectors(3, 1.0), unit_quaternions, st.floats(0.01, 100.0))
"""Inertia matrices (3, 3) that satisfy the triangle inequality: rotated second moments of mass."""
