"""New name: a load.

The template is a magnet in a field that is constant in space. See `quatviz.physics.loads.base.Load` for everything that a load
must define.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.kernels.algebra import cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotate_back


@inline
def torque(row, t, p, omega):
    """n = m x A^T B."""
    return cross((row[0], row[1], row[2]), to_body(p, (row[3], row[4], row[5])))


@dataclass(frozen=True, eq=False)
class NewName(Load):
    """Torque n = m x B of a magnet, such as a compass needle."""

    name: ClassVar[str] = "new_name"
    torque_kernel = torque
    action_text = "$m \\times A^T B$"
    help = "With damping, a compass needle settles along $B$."

    moment_of_magnet: Numbers = parameter(unit="A m^2", shape=(3,), explanation="m, in body components.")
    field: Numbers = parameter(unit="T", shape=(3,), explanation="B, in space.")

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(moment_of_magnet=[0.3, -0.1, 0.2], field=[0.5, 1.0, -0.7]),)

    @property
    def is_zero(self) -> bool:
        return not np.any(self.moment_of_magnet) or not np.any(self.field)

    def row(self, body: Body) -> tuple[float, ...]:
        return (*map(float, self.moment_of_magnet), *map(float, self.field))

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        return np.cross(self.moment_of_magnet, rotate_back(p, np.tile(self.field, (len(p), 1))))
