"""The ring of mercury that turns inside the body: the nutation damper of S3's fourth example."""

import math
from dataclasses import dataclass

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.parameters import Numbers, parameter, validate


@dataclass(frozen=True, eq=False, kw_only=True)
class Ring(ArrayEquality):
    """A thin arc of mercury on a circle about the body's z axis, free to turn by beta about it; S3(48-52, 58).

    The ring axes are u, v, w: w is the body's z axis and u points to the middle of the arc. Inertia and offset
    refer to the body's center of mass, which stays fixed in space.
    """

    mass: float = parameter(unit="kg", above=0, explanation="mass of the arc")
    mean_radius: float = parameter(
        unit="m", above=0, explanation="radius of the circle on which the arc lies"
    )
    offset: float = parameter(
        unit="m", default=0.0, explanation="height of the circle above the center of mass"
    )
    arc_angle: float = parameter(
        unit="rad", above=0, maximum=2.0 * math.pi, explanation="angle that the arc spans"
    )
    damping: float = parameter(
        unit="kg/s", default=0.0, minimum=0, explanation="viscous coefficient C_d: torque C_d R^2 beta'"
    )
    gravity: Numbers = parameter(
        unit="m/s^2", shape=(3,), default=(0.0, 0.0, 0.0), explanation="acceleration of gravity, in space"
    )
    beta: float = parameter(unit="rad", default=0.0, explanation="angle of the arc in the body at t = 0")
    spin: float = parameter(
        unit="rad/s", explanation="angular velocity of the arc about the axis at t = 0, in space: omega_m3"
    )

    def __post_init__(self) -> None:
        validate(self)

    @property
    def centre(self) -> np.ndarray:
        """Center of mass of the arc (3,) [m, ring components]; eq. S3(50)."""
        half = 0.5 * self.arc_angle
        return np.array([self.mean_radius * math.sin(half) / half, 0.0, self.offset])

    @property
    def inertia(self) -> np.ndarray:
        """Inertia J_m (3, 3) [kg m^2, ring components] about the body's center of mass; eq. S3(49)."""
        sine_ratio = math.sin(self.arc_angle) / self.arc_angle
        square, height = self.mean_radius**2, self.offset**2
        product = -self.offset * self.centre[0]
        return self.mass * np.array(
            [
                [0.5 * square * (1.0 - sine_ratio) + height, 0.0, product],
                [0.0, 0.5 * square * (1.0 + sine_ratio) + height, 0.0],
                [product, 0.0, square],
            ]
        )
