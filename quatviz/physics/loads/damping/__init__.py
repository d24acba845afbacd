"""Drag on the rotation: viscous, isotropic or not, and quadratic."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Numbers, Timed, parameter, quote_value
from quatviz.physics.kernels.forces import symmetric_components
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping.kernel import drag
from quatviz.physics.mechanics.body import Body, as_matrix

_RELATIVE_TOLERANCE = 1e-12
"""Largest asymmetry and smallest eigenvalue, relative to the largest element, that count as rounding errors."""


@dataclass(frozen=True, eq=False)
class Damping(Load):
    """A torque against the angular velocity, n = -c omega - D omega - q |omega| omega. It can only reduce the energy.

    A viscous fluid such as oil exerts a torque proportional to omega. A fluid that resists by its inertia, such as
    air around a paddle, exerts a torque that grows with the square of omega. The three terms are added.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> drag = qv.Damping(coefficient=0.25).bind(body)
    >>> drag.torque(np.zeros(1), upright, np.array([[0.0, 0.0, 3.0]])).tolist()  # [N m, body]
    [[0.0, 0.0, -0.75]]
    >>> paddles = qv.Damping(matrix=[0.0, 0.0, 0.2], quadratic=0.1).bind(body)  # a matrix by its diagonal
    >>> paddles.torque(np.zeros(1), upright, np.array([[0.0, 0.0, 3.0]])).round(12).tolist()
    [[0.0, 0.0, -1.5]]
    """

    name: ClassVar[str] = "damping"
    sort_order = 60
    action_text = r"$-c\,\omega - D\,\omega - q\,\lvert\omega\rvert\,\omega$"
    torque_kernel = drag
    linear_fields: ClassVar[tuple[str, ...]] = ("matrix",)

    coefficient: Timed = parameter(
        unit="N m s",
        default=0.0,
        minimum=0.0,
        timed=True,
        explanation="c: torque per angular velocity, the same about every axis.",
    )
    matrix: Numbers = parameter(
        unit="N m s",
        shape=(3, 3),
        default=None,
        symbols="D₁ D₂ D₃",
        explanation="D: torque per angular velocity in body components; a symmetric matrix, or three numbers for its diagonal",
    )
    quadratic: Timed = parameter(
        unit="N m s^2",
        default=0.0,
        minimum=0.0,
        timed=True,
        explanation="q: torque per square of the angular velocity.",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", as_matrix(self.matrix))
        super().__post_init__()
        if self.matrix is not None:
            self._refuse_driving_matrix()

    def _refuse_driving_matrix(self) -> None:
        """Refuse a matrix that is not symmetric, or that would add energy to the body for some direction of
        omega.
        """
        limit = _RELATIVE_TOLERANCE * np.abs(self.matrix).max()
        if not np.allclose(self.matrix, self.matrix.T, rtol=0.0, atol=limit):
            raise self._matrix_error(
                "a symmetric matrix", "write the same number on both sides of the diagonal"
            )
        if np.linalg.eigvalsh(self.matrix)[0] < -limit:
            raise self._matrix_error(
                "a matrix that removes energy in every direction: no eigenvalue below 0", "check signs"
            )

    def _matrix_error(self, expected: str, remedy: str) -> InputError:
        return InputError(
            "Damping.matrix",
            expected=phrase(expected),
            found=quote_value(self.matrix),
            remedy=remedy,
            key="matrix",
        )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        return {"coefficient": round_to_two_digits(0.05 * scale.moment * scale.rate)}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (
            cls(coefficient=0.2),
            cls(matrix=[[0.3, 0.1, -0.05], [0.1, 0.2, 0.04], [-0.05, 0.04, 0.1]], quadratic=0.15),
        )

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        linear = self.coefficient * np.eye(3) + (0.0 if self.matrix is None else self.matrix)
        return -linear @ omega - self.quadratic * np.sqrt(omega @ omega) * omega

    def row(self, body: Body) -> tuple[float, ...]:
        return (*symmetric_components(self._linear), self.quadratic)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        speed = np.linalg.norm(omega, axis=-1, keepdims=True)
        return -omega @ self._linear - self.quadratic * speed * omega

    @property
    def _linear(self) -> np.ndarray:
        """Linear drag matrix c I + D (3, 3) [N m s]."""
        matrix = np.zeros((3, 3)) if self.matrix is None else self.matrix
        total: np.ndarray = self.coefficient * np.eye(3) + matrix
        return total
