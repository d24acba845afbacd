"""A spring whose other end slides on a guide, so that it pulls along a fixed direction only."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, Timed, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.guided_spring.kernel import force, gradient, torque
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix


@dataclass(frozen=True, eq=False)
class GuidedSpring(Load):
    """A spring with V = 1/2 k (d^T (c + A u))^2 for a body point u and a fixed direction d in space; S3 example 1.

    c is the center of mass of a free body with a mass, and zero for other bodies.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> spring = qv.GuidedSpring(stiffness=3.0, point=[0.0, 0.0, 2.0], direction=[0.0, 0.0, 1.0])
    >>> spring.bind(body).potential(np.zeros(1), upright).tolist()  # stretched by 2 m [J]
    [6.0]
    """

    name: ClassVar[str] = "guided_spring"
    sort_order = 50
    action_text = "a spring that slides on a guide"
    potential_text = r"$\tfrac12 k (d \cdot A u)^2$"
    torque_kernel = torque
    gradient_kernel = gradient
    application_kernel = force
    position_matters = True
    center_column = 7

    stiffness: Timed = parameter(unit="N/m", minimum=0.0, timed=True, explanation="Force per elongation.")
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Attachment point, in body components.")
    direction: Numbers = parameter(
        shape=(3,), explanation="Direction of the pull in space; its length scales the elongation."
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        stiffness = round_to_two_digits(0.2 * scale.force / scale.length)
        point = [round_to_two_digits(scale.length), 0.0, 0.0]
        return {"stiffness": stiffness, "point": point, "direction": [0.0, 1.0, 0.0]}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(stiffness=3.0, point=[0.4, 0.1, -0.6], direction=[0.2, 0.9, 0.3]),)

    @property
    def is_zero(self) -> bool:
        return super().is_zero or not np.any(self.point) or not np.any(self.direction)

    @property
    def guide_normal(self) -> np.ndarray | None:
        direction = np.asarray(self.direction, dtype=float)
        length = float(np.linalg.norm(direction))
        return direction / length if length > 0.0 else None

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        direction = np.asarray(self.direction)
        elongation = direction @ (self.body_center + A @ self.point)
        return np.cross(self.point, A.T @ (-self.stiffness * elongation * direction))

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.stiffness, *map(float, self.point), *map(float, self.direction), 0.0, 0.0, 0.0)

    def force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the force -k (d^T (c + A u)) d (n, 3) [N, space], and its point u (3,) [m, body]."""
        direction = np.asarray(self.direction)
        elongation = (self.body_center + rotation_matrix(p) @ self.point) @ direction
        return -self.stiffness * elongation[..., None] * direction, np.asarray(self.point)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        elongation = (self.body_center + rotation_matrix(p) @ self.point) @ np.asarray(self.direction)
        potential: np.ndarray = 0.5 * self.stiffness * elongation**2
        return potential
