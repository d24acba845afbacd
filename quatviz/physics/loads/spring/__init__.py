"""A spring between a point of the body and an anchor in space."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, Timed, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.spring.kernel import force, gradient, torque
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix


@dataclass(frozen=True, eq=False)
class Spring(Load):
    """A spring between a body point u and an anchor a in space, with V = 1/2 k (|c + A u - a| - l0)^2.

    c is the center of mass of a free body with a mass, and zero for other bodies.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> spring = qv.Spring(stiffness=4.0, point=[0.0, 0.0, 1.0], anchor=[0.0, 0.0, 3.0], rest_length=1.0)
    >>> spring.bind(body).potential(np.zeros(1), upright).tolist()  # stretched by 1 m [J]
    [2.0]
    """

    name: ClassVar[str] = "spring"
    sort_order = 40
    action_text = "a spring to an anchor"
    potential_text = r"$\tfrac12 k (l - l_0)^2$, $l_0$ at rest"
    torque_kernel = torque
    gradient_kernel = gradient
    application_kernel = force
    position_matters = True
    center_column = 8

    stiffness: Timed = parameter(unit="N/m", minimum=0.0, timed=True, explanation="Force per elongation.")
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Attachment point, in body components.")
    anchor: Numbers = parameter(unit="m", shape=(3,), explanation="Anchor of the other end, in space.")
    rest_length: float = parameter(unit="m", default=0.0, minimum=0.0, explanation="Length without force.")

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        point = [round_to_two_digits(scale.length), 0.0, 0.0]
        stiffness = round_to_two_digits(0.2 * scale.force / scale.length)
        return {"stiffness": stiffness, "point": point, "anchor": [0.0, 2.0 * point[0], 0.0]}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(stiffness=4.0, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0], rest_length=0.8),)

    @property
    def is_zero(self) -> bool:
        return super().is_zero or not np.any(self.point)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        extension = self.body_center + A @ self.point - np.asarray(self.anchor)
        length = np.linalg.norm(extension)
        return np.cross(
            self.point, A.T @ (-self.stiffness * (length - self.rest_length) / length * extension)
        )

    def row(self, body: Body) -> tuple[float, ...]:
        ends = (*map(float, self.point), *map(float, self.anchor))
        return (self.stiffness, *ends, self.rest_length, 0.0, 0.0, 0.0)

    def force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the force -k (|r| - l0) r/|r| (n, 3) [N, space] with r = c + A u - a, and its point u (3,) [m, body].

        The force is zero where both ends of the spring meet.
        """
        r = self._extension(p)
        length = np.linalg.norm(r, axis=-1, keepdims=True)
        relative_elongation = np.where(
            length > 0.0, 1.0 - self.rest_length / np.where(length > 0.0, length, 1.0), 0.0
        )
        return -self.stiffness * relative_elongation * r, np.asarray(self.point)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        length = np.linalg.norm(self._extension(p), axis=-1)
        return 0.5 * self.stiffness * (length - self.rest_length) ** 2

    def _extension(self, p: np.ndarray) -> np.ndarray:
        """Return the vector c + A u - a (n, 3) [m, space] from the anchor to the body point."""
        extension: np.ndarray = self.body_center + rotation_matrix(p) @ self.point - np.asarray(self.anchor)
        return extension
