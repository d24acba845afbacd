"""Kernels that move p apart from what stands beside it."""

import math

from quatviz.physics.kernels.algebra import combined4, dot3, product
from quatviz.physics.kernels.binder import inline


@inline
def apply_rotation_vector(p, theta):
    """p exp(theta) as p + p (exp(theta) - 1): rounding errors of the sum are random, those of a product by the same
    quaternion in every step would add up."""
    square = dot3(theta, theta)
    angle = math.sqrt(square)
    quarter = math.sin(0.25 * angle)
    scale = 0.5 if angle == 0.0 else 2.0 * quarter * math.cos(0.25 * angle) / angle
    change = (-2.0 * quarter * quarter, scale * theta[0], scale * theta[1], scale * theta[2])
    return combined4(1.0, p, 1.0, product(p, change))
