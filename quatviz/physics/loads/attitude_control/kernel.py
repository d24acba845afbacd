"""Kernels of the load `attitude_control`."""

import math

from quatviz.physics.kernels.algebra import L_times, dot4
from quatviz.physics.kernels.binder import inline


@inline
def torque(row, t, p, omega):
    """Return n = -K sign(q0) q - D omega (3) [N m, body], where (q0, q) is the rotation from the target and q
    = -L(p) target.
    """
    target = (row[2], row[3], row[4], row[5])
    error = L_times(p, target)
    gain = row[0] / math.sqrt(dot4(p, p))
    if dot4(p, target) < 0.0:
        gain = -gain
    return (
        gain * error[0] - row[1] * omega[0],
        gain * error[1] - row[1] * omega[1],
        gain * error[2] - row[1] * omega[2],
    )
