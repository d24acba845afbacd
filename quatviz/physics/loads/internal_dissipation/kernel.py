"""Kernels of the load `internal_dissipation`."""

from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import times_symmetric


@inline
def torque(row, t, p, omega):
    """Return n = -c (omega - h (h.omega)/(h.h)) (3) [N m, body] with h = J omega."""
    h = times_symmetric(row, 1, omega)
    h_squared = dot3(h, h)
    projection = dot3(h, omega) / h_squared if h_squared > 0.0 else 0.0
    return (
        -row[0] * (omega[0] - projection * h[0]),
        -row[0] * (omega[1] - projection * h[1]),
        -row[0] * (omega[2] - projection * h[2]),
    )
