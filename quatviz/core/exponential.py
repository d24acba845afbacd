"""The exponential map of rotations and the product of quaternions, for kernels."""

from __future__ import annotations

import math

from quatviz.core.kernel import dot3, inline


@inline
def exponential(theta):
    """p (4) of the rotation vector theta (3) [rad]; the series keeps all digits near zero."""
    square = dot3(theta, theta)
    if square < 1e-4:
        scale = 0.5 * (1.0 - square / 24.0 * (1.0 - square / 80.0))
        return (
            1.0 - square / 8.0 * (1.0 - square / 48.0),
            scale * theta[0],
            scale * theta[1],
            scale * theta[2],
        )
    angle = math.sqrt(square)
    scale = math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), scale * theta[0], scale * theta[1], scale * theta[2])


@inline
def product(p, q):
    """The quaternion product p q: first q, then p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )
