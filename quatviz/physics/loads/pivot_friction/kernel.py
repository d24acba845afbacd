"""Kernels of the load `pivot_friction`."""

import math

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline


@inline
def friction(row, t, p, omega):
    """Return n = -(tau/sqrt(omega^2 + epsilon^2) + c) omega (3) [N m, body], with tau, c and epsilon in `row[:3]`."""
    factor = -(row[0] / math.sqrt(dot3(omega, omega) + row[2] * row[2]) + row[1])
    return (factor * omega[0], factor * omega[1], factor * omega[2])
