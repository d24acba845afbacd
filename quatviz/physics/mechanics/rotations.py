"""Rotations by Euler parameters (unit quaternions).

`p = [e0, e1, e2, e3]`, scalar first, dimensionless; `A(p)` maps body components to space components, `v_space = A
v_body`. Angles are in radians, `omega` is in body components [rad/s]. Every function takes arrays with leading
batch dimensions, which broadcast: `p (..., 4)`, vectors `(..., 3)`. Equation numbers such as S0(7) are those of
document S0, see `base.citations`. `p` and `-p` are the same attitude.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.deprecation import former_module_name

Array = np.ndarray


def skew(v: ArrayLike) -> Array:
    """Return `v~` (..., 3, 3), the matrix of the cross product: `v~ u = v x u`. The unit is that of v."""
    v1, v2, v3 = _components(v, 3)
    zero = np.zeros_like(v1)
    return _matrix(
        [
            [zero, -v3, v2],
            [v3, zero, -v1],
            [-v2, v1, zero],
        ]
    )


def matrix_G(p: ArrayLike) -> Array:
    """Return `G = [-e, e~ + e0 I]` (..., 3, 4), eq. S0(8): `omega_space = 2 G p'`."""
    e0, e1, e2, e3 = _components(p, 4)
    return _matrix(
        [
            [-e1, e0, -e3, e2],
            [-e2, e3, e0, -e1],
            [-e3, -e2, e1, e0],
        ]
    )


def matrix_L(p: ArrayLike) -> Array:
    """Return `L = [-e, -e~ + e0 I]` (..., 3, 4), eq. S0(9): `omega = 2 L p'`."""
    e0, e1, e2, e3 = _components(p, 4)
    return _matrix(
        [
            [-e1, e0, e3, -e2],
            [-e2, -e3, e0, e1],
            [-e3, e2, -e1, e0],
        ]
    )


def rotation_matrix(p: ArrayLike) -> Array:
    """Return `A = G L^T` (..., 3, 3), eq. S0(7), body to space: homogeneous of degree two in p.

    It is a rotation for unit p, and `|p|^2` times a rotation for other p. Every potential and kernel uses this `A`; for
    the attitude of `p/|p|` use `orientation_matrix`.
    """
    return matrix_G(p) @ np.swapaxes(matrix_L(p), -1, -2)


def orientation_matrix(p: ArrayLike) -> Array:
    """Return the rotation matrix (..., 3, 3), body to space, of `p/|p|`.

    >>> orientation_matrix([0.0, 0.0, 0.0, 2.0]).round(12).tolist()  # half a turn about the third axis
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    return rotation_matrix(normalize(p))


def norm(p: ArrayLike) -> Array:
    """Return `|p|` (...)."""
    return np.linalg.norm(np.asarray(p, dtype=np.float64), axis=-1)


def normalize(p: ArrayLike) -> Array:
    """Return `p/|p|` (..., 4), or NaN for a zero p, which is no attitude."""
    p = np.asarray(p, dtype=np.float64)
    length = norm(p)[..., np.newaxis]
    with np.errstate(invalid="ignore"):
        return p / np.where(length > 0.0, length, np.nan)


def conjugate(p: ArrayLike) -> Array:
    """Return `[e0, -e]` (..., 4), the inverse rotation if p is unit."""
    return np.asarray(p, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(pa: ArrayLike, pb: ArrayLike) -> Array:
    """Return the quaternion product (..., 4): `A(multiply(pa, pb)) = A(pa) A(pb)`.

    >>> p = from_rotation_vector([0.0, 0.0, np.pi / 2])  # a quarter turn about the third axis
    >>> multiply(p, p).round(12).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    a0, a1, a2, a3 = _components(pa, 4)
    b0, b1, b2, b3 = _components(pb, 4)
    return stack_components(
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 + a2 * b0 + a3 * b1 - a1 * b3,
        a0 * b3 + a3 * b0 + a1 * b2 - a2 * b1,
    )


def rotate(p: ArrayLike, v_body: ArrayLike) -> Array:
    """Return `v_space` (..., 3), the vector `v_body` (..., 3) rotated by `p/|p|`, in the unit of the vector.

    >>> p = from_rotation_vector([0.0, 0.0, np.pi / 2])  # a quarter turn about the third axis
    >>> rotate(p, [1.0, 0.0, 0.0]).round(12).tolist()
    [0.0, 1.0, 0.0]
    """
    return _rotate_vector(p, v_body, 2.0)


def axis_in_space(p: ArrayLike, axis: int) -> Array:
    """Return the unit vector (..., 3), in space components, of the body axis with index 0, 1 or 2.

    It equals the column `axis` of `orientation_matrix` and takes less time than the whole matrix.

    >>> axis_in_space(from_rotation_vector([0.0, 0.0, np.pi / 2]), 0).round(12).tolist()
    [0.0, 1.0, 0.0]
    """
    e0, *e = _components(normalize(p), 4)
    next_axis, last_axis = (axis + 1) % 3, (axis + 2) % 3
    column = np.empty((*e0.shape, 3))
    column[..., axis] = (
        e0 * e0 + e[axis] * e[axis] - e[next_axis] * e[next_axis] - e[last_axis] * e[last_axis]
    )
    column[..., next_axis] = 2.0 * (e[axis] * e[next_axis] + e0 * e[last_axis])
    column[..., last_axis] = 2.0 * (e[axis] * e[last_axis] - e0 * e[next_axis])
    return column


def rotate_back(p: ArrayLike, v_space: ArrayLike) -> Array:
    """Return `v_body` (..., 3), the vector `v_space` (..., 3) rotated by the inverse of `p/|p|`, in the unit of the
    vector.
    """
    return _rotate_vector(p, v_space, -2.0)


def omega_from_rate(p: ArrayLike, p_rate: ArrayLike) -> Array:
    """Return `omega = 2 L p'` (..., 3) [rad/s, body], eq. S0(17), from `p'` (..., 4) [1/s], as kernels
    compute it.

    For p of another length than 1 the angular velocity of the attitude `p/|p|` is this vector divided by `|p|^2`.

    >>> rate = rate_from_omega([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0])
    >>> omega_from_rate([1.0, 0.0, 0.0, 0.0], rate).tolist()
    [0.0, 0.0, 3.0]
    """
    e0, e1, e2, e3 = _components(p, 4)
    q0, q1, q2, q3 = _components(p_rate, 4)
    return stack_components(
        2.0 * (e0 * q1 - e1 * q0 + e3 * q2 - e2 * q3),
        2.0 * (e0 * q2 - e2 * q0 + e1 * q3 - e3 * q1),
        2.0 * (e0 * q3 - e3 * q0 + e2 * q1 - e1 * q2),
    )


def rate_from_omega(p: ArrayLike, omega: ArrayLike) -> Array:
    """Return `p' = L^T omega / 2` (..., 4) [1/s], eq. S0(17), from `omega` (..., 3) [rad/s, body]."""
    return 0.5 * _apply(np.swapaxes(matrix_L(p), -1, -2), omega)


def relative_angle(pa: ArrayLike, pb: ArrayLike) -> Array:
    """Return the angle (...) [rad], 0 to pi, of the rotation from one attitude to the other.

    The angle is `2 atan2(|vec|, |scalar|)` of the relative quaternion. This is accurate near zero, where the arccosine of
    the scalar product loses half of the digits. It does not depend on the signs and norms of
    `pa` and `pb`.

    >>> p = from_rotation_vector([0.0, 0.0, np.pi / 2])  # a quarter turn about the third axis
    >>> float((relative_angle(p, [-1.0, 0.0, 0.0, 0.0]) / np.pi).round(12))
    0.5
    """
    relative = multiply(conjugate(pa), pb)
    return 2.0 * np.arctan2(norm(relative[..., 1:]), np.abs(relative[..., 0]))


def from_rotation_vector(vector: ArrayLike) -> Array:
    """Return unit p (..., 4) of the rotation about `vector` (..., 3) by an angle equal to its length [rad]."""
    vector = np.asarray(vector, dtype=np.float64)
    half = 0.5 * norm(vector)[..., np.newaxis]
    # NumPy's sinc is sin(pi x) / (pi x), which avoids a division by a small angle.
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1)


def to_rotation_vector(p: ArrayLike) -> Array:
    """Return the shortest rotation vector (..., 3) [rad] of `p/|p|`, of length 0 to pi.

    At half a turn both directions are correct; the direction of the vector part of p is returned.

    >>> to_rotation_vector(from_rotation_vector([0.0, 0.5, 0.0])).round(12).tolist()
    [0.0, 0.5, 0.0]
    """
    p = np.asarray(p, dtype=np.float64)
    p = np.where(p[..., :1] < 0.0, -p, p)
    sine = norm(p[..., 1:])[..., np.newaxis]
    angle = 2.0 * np.arctan2(sine, p[..., :1])
    # Where the sine vanishes the vector does too, and any finite factor gives zero.
    return angle / np.where(sine > 0.0, sine, 1.0) * p[..., 1:]


def from_matrix(A: ArrayLike) -> Array:
    """Return unit p (..., 4), with e0 >= 0, of the rotation matrix `A` (..., 3, 3), body to space.

    By Shepperd's method, the row of `4 p p^T` with the largest diagonal element is normalized, so that no digit is
    lost at any angle.

    >>> from_matrix([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).round(6).tolist()
    [0.707107, 0.0, 0.0, 0.707107]
    """
    A = np.asarray(A, dtype=np.float64)
    a, b, c = A[..., 0, 0], A[..., 1, 1], A[..., 2, 2]
    e01, e02, e03 = A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]
    e12, e13, e23 = A[..., 1, 0] + A[..., 0, 1], A[..., 0, 2] + A[..., 2, 0], A[..., 2, 1] + A[..., 1, 2]
    four_p_pT = _matrix(
        [
            [1.0 + a + b + c, e01, e02, e03],
            [e01, 1.0 + a - b - c, e12, e13],
            [e02, e12, 1.0 - a + b - c, e23],
            [e03, e13, e23, 1.0 - a - b + c],
        ]
    )
    largest = np.argmax(np.diagonal(four_p_pT, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(four_p_pT, largest[..., np.newaxis, np.newaxis], axis=-2)[..., 0, :]
    p = normalize(row)
    return np.where(p[..., :1] < 0.0, -p, p)


def slerp(p0: ArrayLike, p1: ArrayLike, u: ArrayLike) -> Array:
    """Return unit p (..., 4) at the fraction `u` (...) of the shortest rotation from p0 to p1, for display.

    p0 and p1 are unit. The sign of p1 is chosen so that the path on the sphere is the shorter one; the path starts at
    p0.

    >>> p = from_rotation_vector([0.0, 0.0, np.pi / 2])  # a quarter turn about the third axis
    >>> middle = slerp(np.array([1.0, 0.0, 0.0, 0.0]), p, np.array(0.5))
    >>> to_rotation_vector(middle).round(6).tolist()
    [0.0, 0.0, 0.785398]
    """
    p0, p1 = np.asarray(p0, dtype=np.float64), np.asarray(p1, dtype=np.float64)
    u = np.asarray(u, dtype=np.float64)[..., np.newaxis]
    p1 = np.where(_dot(p0, p1)[..., np.newaxis] < 0.0, -p1, p1)
    # The angle on the sphere, at most a quarter turn, follows from its chord. The lower bound avoids a division by zero.
    x = np.maximum(2.0 * np.arcsin(np.minimum(0.5 * norm(p1 - p0), 1.0)), 1e-100)[..., np.newaxis]
    return (np.sin((1.0 - u) * x) * p0 + np.sin(u * x) * p1) / np.sin(x)


def magnify_rotation(reference: Array, p: Array, factor: float) -> tuple[Array, bool]:
    """Return an attitude whose rotation relative to `reference` is magnified, for display.

    Parameters
    ----------
    reference, p
        Unit Euler parameters (4,).
    factor
        Factor on the rotation angle from `reference` to `p`.

    Returns
    -------
    tuple
        Unit Euler parameters (4,) of R_ref exp(factor log(R_ref^T R)), limited to half a turn from `reference`; and
        True if the limit took effect.

    Notes
    -----
    The rotation vector comes from the relative quaternion by the arctangent, so that small rotations keep all their
    digits.
    """
    rotation_vector = factor * to_rotation_vector(multiply(conjugate(reference), p))
    angle = float(np.linalg.norm(rotation_vector))
    if angle > np.pi:
        rotation_vector *= np.pi / angle
    return multiply(reference, from_rotation_vector(rotation_vector)), angle > np.pi


def stack_components(*components: Array) -> Array:
    """Return arrays (...) as the components along a new last axis.

    Each component stays contiguous in memory, which makes code that computes component by component three
    times as fast.
    """
    stacked = np.empty((len(components), *components[0].shape))
    for number, values in enumerate(components):
        stacked[number] = values
    return stacked.transpose(*range(1, stacked.ndim), 0)


def continuous_sign(p: ArrayLike) -> Array:
    """Return the attitudes `p` (n, 4) with signs that never jump from row to row. The first row keeps its sign.

    This is for display only: the signs of integrated states are never changed.

    >>> continuous_sign(np.array([[1.0, 0.0, 0.0, 0.0], [-0.8, -0.6, 0.0, 0.0]])).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.8, 0.6, -0.0, -0.0]]
    """
    p = np.asarray(p, dtype=np.float64)
    flips = np.where(_dot(p[1:], p[:-1]) < 0.0, -1.0, 1.0)
    return p * np.concatenate([np.ones(min(len(p), 1)), np.cumprod(flips)])[:, np.newaxis]


def canonical_sign(p: ArrayLike) -> Array:
    """Return the attitudes `p` (..., 4) with e0 >= 0, and with a positive first nonzero component if e0 is 0.

    Each attitude has exactly one such p, which does not depend on earlier attitudes; along a motion it jumps where
    e0 would change its sign. This is for display only: the signs of integrated states are never changed.
    """
    p = np.asarray(p, dtype=np.float64)
    leading = np.take_along_axis(p, np.argmax(p != 0.0, axis=-1)[..., np.newaxis], axis=-1)
    return np.where(leading < 0.0, 0.0 - p, p)


def _rotate_vector(p: ArrayLike, v: ArrayLike, signed_two: float) -> Array:
    """Return v + 2 (e0 e x v + e x (e x v)) / |p|^2 (..., 3), or the inverse rotation for `signed_two` = -2.

    A rotation matrix for each row would take seven times as long.
    """
    e0, e1, e2, e3 = _components(p, 4)
    v1, v2, v3 = _components(v, 3)
    with np.errstate(invalid="ignore", divide="ignore"):
        square = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
        around, scale = signed_two * e0 / square, 2.0 / square
    w1, w2, w3 = e2 * v3 - e3 * v2, e3 * v1 - e1 * v3, e1 * v2 - e2 * v1
    return stack_components(
        v1 + around * w1 + scale * (e2 * w3 - e3 * w2),
        v2 + around * w2 + scale * (e3 * w1 - e1 * w3),
        v3 + around * w3 + scale * (e1 * w2 - e2 * w1),
    )


def _components(v: ArrayLike, n: int) -> tuple[Array, ...]:
    v = np.asarray(v, dtype=np.float64)
    if v.shape[-1:] != (n,):
        raise ValueError(f"expected {n} components on the last axis, got an array of shape {v.shape}")
    return tuple([v[..., i] for i in range(n)])


def _matrix(rows: list[list[Array]]) -> Array:
    matrix = np.empty((*rows[0][0].shape, len(rows), len(rows[0])))
    for number, row in enumerate(rows):
        for column, values in enumerate(row):
            matrix[..., number, column] = values
    return matrix


def _apply(matrix: Array, v: ArrayLike) -> Array:
    return (matrix @ np.asarray(v, dtype=np.float64)[..., np.newaxis])[..., 0]


def _dot(a: Array, b: Array) -> Array:
    return np.sum(a * b, axis=-1)


_FORMER_NAMES = {"normalise": "normalize", "magnified": "magnify_rotation", "joined": "stack_components"}


def __getattr__(name: str) -> Any:
    return former_module_name(__name__, _FORMER_NAMES, globals(), name)
