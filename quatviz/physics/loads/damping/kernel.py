"""Kernels of the load `damping`."""

from quatviz.physics.kernels.binder import inline


@inline
def drag(row, t, p, omega):
    """n = -c omega."""
    return (-row[0] * omega[0], -row[0] * omega[1], -row[0] * omega[2])
