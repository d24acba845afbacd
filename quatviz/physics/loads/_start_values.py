"""First values of a new load, large enough for a visible effect. This module defines no load."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.body import Body

STANDARD_GRAVITY = 9.81
"""Acceleration of gravity near the ground [m/s^2]."""


class MotionScale(NamedTuple):
    """Typical magnitudes of a body and its motion, from which the first values of a new load are derived."""

    body: Body
    moment: float
    """Mean moment of inertia [kg m^2]."""
    rate: float
    """Angular velocity [rad/s] at the start; 1 for a body at rest."""
    length: float
    """Distance [m] from the reference point to the surface, or the mean radius of gyration; 1 if neither is known."""

    @property
    def torque(self) -> float:
        """Typical torque J omega^2 [N m], which changes the motion noticeably while the body turns by one
        radian.
        """
        return self.moment * self.rate**2

    @property
    def force(self) -> float:
        """Force [N] that exerts the typical torque at the typical distance."""
        return self.torque / self.length

    @classmethod
    def from_motion(cls, body: Body, omega: np.ndarray) -> "MotionScale":
        """Return the sizes of a body that starts with the angular velocity omega (3,) [rad/s, body]."""
        moment = float(np.trace(body.inertia)) / 3.0
        rate = float(np.linalg.norm(omega)) or 1.0
        radius_of_gyration = math.sqrt(moment / body.mass) if body.mass else 1.0
        length = radius_of_gyration if body.size is None else 0.5 * float(np.max(body.size))
        return cls(body, moment, rate, length)


def round_to_two_digits(value: float) -> float:
    """Return a value rounded to two significant digits, as a user would type it.

    >>> round_to_two_digits(0.012345), round_to_two_digits(9876.0)
    (0.012, 9900.0)
    """
    return float(f"{value:.2g}")
