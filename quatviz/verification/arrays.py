"""Small matrices in batches, random states, and numerical derivatives: what the identities are written with."""

from collections.abc import Callable
from typing import Any

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_L, normalize, rate_from_omega

DEFAULT_SPACING = 1e-3


def transpose(matrix: np.ndarray) -> np.ndarray:
    """The transposes (n, k, j) of (n, j, k)."""
    return np.swapaxes(matrix, -1, -2)


def times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """`matrix` (..., j, k) times `vector` (..., k)."""
    return (matrix @ vector[..., None])[..., 0]


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a.b (n,) of (n, k)."""
    return np.einsum("...i,...i->...", a, b)


def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a b^T (n, j, k)."""
    return a[..., :, None] * b[..., None, :]


def scale_rows(scalar: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Numbers (n,) times vectors (n, k)."""
    return scalar[..., None] * vector


def stack_columns(*columns: np.ndarray) -> np.ndarray:
    """The matrix (n, j, k) of columns (n, j)."""
    return np.stack(columns, axis=-1)


def random_p(random: np.random.Generator, count: int) -> np.ndarray:
    """Unit Euler parameters (count, 4), uniform over the rotations."""
    return normalize(random.normal(size=(count, 4)))


def random_rate(random: np.random.Generator, p: np.ndarray) -> np.ndarray:
    """p' (n, 4) tangent to the sphere at p, of random angular velocities."""
    return rate_from_omega(p, random.normal(size=(len(p), 3)))


def random_inertia(random: np.random.Generator, count: int) -> np.ndarray:
    """Full inertia matrices (count, 3, 3) of bodies that can exist."""
    squares = random.uniform(0.2, 1.5, (count, 3))
    axes = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    moments = squares.sum(axis=1, keepdims=True) - squares
    inertia = axes @ (moments[:, :, None] * transpose(axes))
    return 0.5 * (inertia + transpose(inertia))


def E4(u: np.ndarray) -> np.ndarray:
    """S4(2): E (n, 4, 4), u^T above L."""
    return np.concatenate((u[:, None, :], matrix_L(u)), axis=1)


def derivative_at_zero(function: Callable[[float], Any], spacing: float = DEFAULT_SPACING) -> Any:
    """The derivative at 0 by a rule of five points: exact, but for rounding, for polynomials up to the fourth degree."""
    difference = function(spacing) - function(-spacing)
    return (8.0 * difference - function(2.0 * spacing) + function(-2.0 * spacing)) / (12.0 * spacing)


def partial_derivatives(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Partial derivatives of `function` of (n, k), as a last axis of length k."""
    axes = np.eye(at.shape[-1])

    def slope(axis: np.ndarray) -> np.ndarray:
        return derivative_at_zero(lambda s: function(at + s * axis))

    return np.stack([slope(axis) for axis in axes], axis=-1)


def complex_step_derivatives(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """The same to rounding, by an imaginary step, for a `function` that takes complex numbers and is analytic."""
    axes = np.eye(at.shape[-1])
    return np.stack([function(at + 1e-30j * axis).imag / 1e-30 for axis in axes], axis=-1)
