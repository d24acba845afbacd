"""Kernels of the load `damping`."""

import math

from quatviz.physics.kernels.algebra import combined3, dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import times_symmetric


@inline
def drag(row, t, p, omega):
    """Return n = -D omega - q |omega| omega (3) [N m, body], with D in `row[:6]` and q in `row[6]`."""
    speed = math.sqrt(dot3(omega, omega))
    return combined3(-1.0, times_symmetric(row, 0, omega), -row[6] * speed, omega)
