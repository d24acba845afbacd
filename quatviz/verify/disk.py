"""The disk of S3 example 1 by its one angle, without Euler parameters."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

J, STIFFNESS, RADIUS = 2.0, 10.0, 1.0
"""kg m^2, N/m, m: S3 Table 1."""


def one_angle(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle (n,) [rad] and its rate (n,) [rad/s] at times t (n,) [s] from S3(46) with its erratum, from rest at 30
    degrees."""
    angle, rate = solve_ivp(
        lambda t, y: (y[1], -0.5 * STIFFNESS * RADIUS**2 / J * np.sin(2.0 * y[0])),
        (0.0, t[-1]),
        (np.radians(30.0), 0.0),
        method="DOP853",
        t_eval=t,
        rtol=1e-12,
        atol=1e-12,
    ).y
    return angle, rate
