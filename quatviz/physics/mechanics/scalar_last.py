"""S1's convention: Euler parameters with the scalar last, and the matrices that belong to them.

`eps = [eps1, eps2, eps3, eps4] = [e1, e2, e3, e0]`. S1's `[R]` maps space components to body components: it is the
transpose of `A`. The rest of quatviz is scalar first; this module converts data and equations in S1's convention. Every
function takes arrays with leading batch dimensions. The last rows of S1's matrices `[E]` and `[E']` give the rate of the
constraint. Both matrices are orthogonal for unit eps, so that their transposes are their inverses.
"""

import numpy as np
from numpy.typing import ArrayLike

from quatviz.physics.mechanics.rotations import Array


def scalar_last_from_first(p: ArrayLike) -> Array:
    """Return `[e1, e2, e3, e0]` (..., 4) for `[e0, e1, e2, e3]`.

    >>> scalar_last_from_first([1.0, 2.0, 3.0, 4.0]).tolist()
    [2.0, 3.0, 4.0, 1.0]
    """
    return np.roll(_four(p), -1, axis=-1)


def scalar_first_from_last(eps: ArrayLike) -> Array:
    """Return `[e0, e1, e2, e3]` (..., 4) for `[e1, e2, e3, e0]`."""
    return np.roll(_four(eps), 1, axis=-1)


def matrix_R(eps: ArrayLike) -> Array:
    """Return `[R]` (..., 3, 3), the matrix that maps space to body components, entry by entry as S1 expands
    it below eq. (12).
    """
    e1, e2, e3, e4 = np.moveaxis(_four(eps), -1, 0)
    return _matrix(
        [
            [e1**2 - e2**2 - e3**2 + e4**2, 2 * (e1 * e2 + e3 * e4), 2 * (e1 * e3 - e2 * e4)],
            [2 * (e1 * e2 - e3 * e4), -(e1**2) + e2**2 - e3**2 + e4**2, 2 * (e2 * e3 + e1 * e4)],
            [2 * (e1 * e3 + e2 * e4), 2 * (e2 * e3 - e1 * e4), -(e1**2) - e2**2 + e3**2 + e4**2],
        ]
    )


def matrix_E(eps: ArrayLike) -> Array:
    """Return `[E]` (..., 4, 4) of eq. S1(4): `[omega_space, 0] = 2 [E] eps'`."""
    e1, e2, e3, e4 = np.moveaxis(_four(eps), -1, 0)
    return _matrix(
        [
            [e4, -e3, e2, -e1],
            [e3, e4, -e1, -e2],
            [-e2, e1, e4, -e3],
            [e1, e2, e3, e4],
        ]
    )


def matrix_E_body(eps: ArrayLike) -> Array:
    """Return `[E']` (..., 4, 4) of eq. S1(10): `[omega, 0] = 2 [E'] eps'`, with omega in body components."""
    e1, e2, e3, e4 = np.moveaxis(_four(eps), -1, 0)
    return _matrix(
        [
            [e4, e3, -e2, -e1],
            [-e3, e4, e1, -e2],
            [e2, -e1, e4, -e3],
            [e1, e2, e3, e4],
        ]
    )


def _four(values: ArrayLike) -> Array:
    values = np.asarray(values, dtype=np.float64)
    if values.shape[-1:] != (4,):
        raise ValueError(f"expected 4 components on the last axis, got an array of shape {values.shape}")
    return values


def _matrix(rows: list[list[Array]]) -> Array:
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
