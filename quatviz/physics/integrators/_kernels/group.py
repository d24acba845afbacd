"""Kernel that rotates p by a rotation vector, for methods that advance the other components of the state
separately.
"""

import math

from quatviz.physics.kernels.algebra import combined4, dot3, product
from quatviz.physics.kernels.binder import inline


@inline
def apply_rotation_vector(p, theta):
    """Return p exp(theta), computed as p + p (exp(theta) - 1).

    Rounding errors of this sum are random, whereas those of a product with the same quaternion in every step would
    accumulate.
    """
    square = dot3(theta, theta)
    angle = math.sqrt(square)
    quarter = math.sin(0.25 * angle)
    scale = 0.5 if angle == 0.0 else 2.0 * quarter * math.cos(0.25 * angle) / angle
    change = (-2.0 * quarter * quarter, scale * theta[0], scale * theta[1], scale * theta[2])
    return combined4(1.0, p, 1.0, product(p, change))
