"""Operations that the identities use: batches of small matrices, random states and numerical derivatives."""

from collections.abc import Callable
from typing import Any

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_L, normalize, rate_from_omega

DEFAULT_SPACING = 1e-3
"""Default distance between the points at which `derivative_at_zero` evaluates its function."""


def transpose(matrix: np.ndarray) -> np.ndarray:
    """Return the transposes (n, k, j) of matrices (n, j, k)."""
    return np.swapaxes(matrix, -1, -2)


def times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the products of matrices (..., j, k) and vectors (..., k)."""
    return (matrix @ vector[..., None])[..., 0]


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the dot products a.b (n,) of vectors (n, k)."""
    return np.einsum("...i,...i->...", a, b)


def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the outer products a b^T (n, j, k)."""
    return a[..., :, None] * b[..., None, :]


def scale_rows(scalar: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return vectors (n, k) multiplied by scalars (n,)."""
    return scalar[..., None] * vector


def stack_columns(*columns: np.ndarray) -> np.ndarray:
    """Return the matrices (n, j, k) whose k columns are the given arrays (n, j)."""
    return np.stack(columns, axis=-1)


def random_p(random: np.random.Generator, count: int) -> np.ndarray:
    """Return random unit Euler parameters (count, 4), uniformly distributed over the rotations."""
    return normalize(random.normal(size=(count, 4)))


def random_rate(random: np.random.Generator, p: np.ndarray) -> np.ndarray:
    """Return p' (n, 4) tangent to the sphere at p, from random angular velocities."""
    return rate_from_omega(p, random.normal(size=(len(p), 3)))


def random_inertia(random: np.random.Generator, count: int) -> np.ndarray:
    """Return random full inertia matrices (count, 3, 3) of physically possible bodies."""
    squares = random.uniform(0.2, 1.5, (count, 3))
    axes = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    moments = squares.sum(axis=1, keepdims=True) - squares
    inertia = axes @ (moments[:, :, None] * transpose(axes))
    return 0.5 * (inertia + transpose(inertia))


def E4(u: np.ndarray) -> np.ndarray:
    """Return the matrix E (n, 4, 4) of eq. S4(2): its first row is u^T, and the other three rows are L(u)."""
    return np.concatenate((u[:, None, :], matrix_L(u)), axis=1)


def derivative_at_zero(function: Callable[[float], Any], spacing: float = DEFAULT_SPACING) -> Any:
    """Return the derivative of a function of one number at 0 by a five-point rule, exact up to rounding for
    polynomials of degree four or less."""
    difference = function(spacing) - function(-spacing)
    return (8.0 * difference - function(2.0 * spacing) + function(-2.0 * spacing)) / (12.0 * spacing)


def partial_derivatives(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Return the partial derivatives of `function` at points (n, k), along a new last axis of length k."""
    axes = np.eye(at.shape[-1])

    def slope(axis: np.ndarray) -> np.ndarray:
        return derivative_at_zero(lambda s: function(at + s * axis))

    return np.stack([slope(axis) for axis in axes], axis=-1)


def complex_step_derivatives(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Return the partial derivatives of an analytic `function` at points (n, k) by complex steps, which cause
    only rounding errors. The function must accept complex numbers.
    """
    axes = np.eye(at.shape[-1])
    return np.stack([function(at + 1e-30j * axis).imag / 1e-30 for axis in axes], axis=-1)
