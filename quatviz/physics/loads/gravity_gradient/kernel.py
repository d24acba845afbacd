"""Kernels of the load `gravity_gradient`.

The numbers of its row are, in this order: the strength 3 mu/a^3 [1/s^2]; J (6) as returned by
`symmetric_components`; two perpendicular unit vectors P (3) and Q (3) [space] in the plane of the orbit; the mean
motion [rad/s], 0 for a fixed direction; the eccentricity; the mean anomaly at t = 0 [rad].
"""

import math

from quatviz.physics.kernels.algebra import combined3, cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, times_symmetric

_TURN = 2.0 * math.pi
_MAX_ITERATIONS = 50
"""Largest number of iterations for Kepler's equation. For e up to 1 - 1e-12 at most 12 are needed."""
_CONVERGED = 1e-15
"""Relative change of the eccentric anomaly below which the iteration ends."""


@inline
def eccentric_anomaly(mean_anomaly, eccentricity):
    """Return E [rad] of Kepler's equation E - e sin E = M for 0 <= e < 1, by Halley's method with Danby's initial
    value."""
    M = mean_anomaly - _TURN * math.floor(mean_anomaly / _TURN + 0.5)
    E = M + math.copysign(0.85 * eccentricity, M)
    for _ in range(_MAX_ITERATIONS):
        sine, cosine = eccentricity * math.sin(E), eccentricity * math.cos(E)
        residual, slope = E - sine - M, 1.0 - cosine
        step = residual / (slope - 0.5 * residual * sine / slope)
        E -= step
        if abs(step) <= _CONVERGED * abs(E):
            break
    return E


@inline
def centre_to_body(row, t):
    """Return (a/R)^3 and the unit vector r (3) [space] from the attracting center to the body at `t` [s]."""
    first, second = (row[7], row[8], row[9]), (row[10], row[11], row[12])
    if row[14] > 0.0:
        e = row[14]
        E = eccentric_anomaly(row[15] + row[13] * t, e)
        cosine, sine = math.cos(E), math.sin(E)
        ratio = 1.0 / (1.0 - e * cosine)
        r = combined3(ratio * (cosine - e), first, ratio * math.sqrt(1.0 - e * e) * sine, second)
        return ratio * ratio * ratio, r
    if row[13] > 0.0:
        return 1.0, combined3(math.cos(row[13] * t), first, math.sin(row[13] * t), second)
    return 1.0, first


@inline
def torque(row, t, p, omega):
    """Return n = 3 mu/R^3 r x J r (3) [N m, body], with r in body components."""
    scale, direction = centre_to_body(row, t)
    r = to_body(p, direction)
    n = cross(r, times_symmetric(row, 1, r))
    strength = scale * row[0]
    return (strength * n[0], strength * n[1], strength * n[2])


@inline
def gradient(row, t, p):
    """Return dV/dp (4) [J] of V = 1/2 (3 mu/R^3) r^T J r, which is homogeneous of degree four in p."""
    scale, r = centre_to_body(row, t)
    return scaled4(2.0 * scale * row[0], half_generalized_force(p, times_symmetric(row, 1, to_body(p, r)), r))
