"""Parameters of a fit, in two sets of coordinates: `CovarianceCoordinates` for the covariance, and unconstrained
`SearchCoordinates` for the search.

The second-moment matrix Sigma = 1/2 tr(J) I - J is positive definite if and only if J has positive principal moments
that satisfy the triangle inequality. The search varies the lower triangular factor C of Sigma = C C^T, its diagonal by
logarithms, so that every step leads to a physical body. The condition det C = 1 removes the scale, which a free motion
does not determine.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import NamedTuple, Self

import numpy as np

from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, orientation_matrix

MIN_RELATIVE_SECOND_MOMENT = 1e-4
"""Smallest principal second moment of a body used as a first guess, relative to the largest one."""
_MAX_COORDINATE = 50.0
"""Largest absolute value of a coordinate of the search. Most coordinates are logarithms.

Without a limit, the search would continue forever along directions that the motion does not determine. For example, the
motion of a body that rotates about one principal axis does not depend on the other two moments.
"""
_MIN_RELATIVE_THICKNESS = 1e-14
"""Smallest principal second moment of a body, relative to the sum of its three second moments. With this limit, even a
thin rod has an inverse inertia."""


class FitOptions(NamedTuple):
    """Parameters to fit in addition to principal moments and initial conditions, and the available data."""

    axes: bool
    """True to fit the rotation of the principal axes."""
    bias: bool
    """True to fit a constant bias of the rates."""
    scale: str
    """Scale of the rates: "" (none), "common" to all axes, or "each" axis its own."""
    misalignment: bool
    """True to fit the constant rotation between the axes of the rates and those of the attitudes."""
    damping: bool
    """True to fit a viscous damping."""
    attitudes: bool
    """True if the data contain attitudes."""
    rates: bool
    """True if the data contain rates."""


@dataclass(frozen=True, eq=False)
class FitParameters:
    """Parameters of a motion and its sensor.

    The sensor shows `scale` * R(`misalignment`) omega + `bias`.
    """

    inertia: np.ndarray
    """Inertia (3, 3) of trace 1, in the axes of the recording."""
    p: np.ndarray
    """Initial Euler parameters (4,)."""
    omega: np.ndarray
    """Initial angular velocity (3,) [rad/s, body]."""
    bias: np.ndarray
    """Bias of the rates (3,) [rad/s]."""
    scale: np.ndarray
    """Scale factor of the rates for each axis (3,)."""
    misalignment: np.ndarray
    """Misalignment of the axes of the rates relative to those of the attitudes, as a rotation vector (3,) [rad]."""
    damping: float
    """Damping [1/s]: the torque is -damping tr(J) omega."""

    @classmethod
    def with_ideal_sensor(cls, inertia: np.ndarray, p: np.ndarray, omega: np.ndarray) -> Self:
        """Return parameters with this inertia (3, 3), initial attitude p (4,) and angular velocity omega
        (3,), an ideal sensor, and no damping."""
        return cls(inertia / np.trace(inertia), p, omega, np.zeros(3), np.ones(3), np.zeros(3), 0.0)

    def sensed_rates(self, omega: np.ndarray) -> np.ndarray:
        """Return the rates (n, 3) [rad/s] that the sensor shows for the true rates `omega` (n, 3) [rad/s]."""
        if self.misalignment.any():
            omega = omega @ orientation_matrix(from_rotation_vector(self.misalignment)).T
        return self.scale * omega + self.bias


class SharedCoordinates(NamedTuple):
    """Coordinates that `SearchCoordinates` and `CovarianceCoordinates` share: all except those of the inertia.

    These coordinates are scaled so that equal increments have effects of similar size.
    """

    options: FitOptions
    speed: float
    """Root mean square of |omega| [rad/s]."""
    duration: float
    """Duration of the flight [s]."""

    @property
    def names(self) -> list[str]:
        names = [f"omega{i}" for i in "123"]
        if self.options.attitudes:
            names += [f"turn{i}" for i in "123"]
        if self.options.bias:
            names += [f"bias{i}" for i in "123"]
        names += {"": [], "common": ["scale"], "each": [f"scale{i}" for i in "123"]}[self.options.scale]
        if self.options.misalignment:
            names += [f"misalignment{i}" for i in "123"]
        return names + (["damping"] if self.options.damping else [])

    def displaced(self, guess: FitParameters, increments: np.ndarray) -> FitParameters:
        """Return a copy of the guess with the increments (k,) added, which are in the order of `names`."""
        remaining = list(increments)

        def take(count: int) -> np.ndarray:
            values = np.array(remaining[:count])
            del remaining[:count]
            return values

        omega = guess.omega + self.speed * take(3)
        p = multiply(guess.p, from_rotation_vector(take(3))) if self.options.attitudes else guess.p
        bias = guess.bias + self.speed * take(3) if self.options.bias else guess.bias
        scale_count = {"": 0, "common": 1, "each": 3}[self.options.scale]
        scale = guess.scale * np.exp(take(scale_count)) if scale_count else guess.scale
        misalignment = guess.misalignment + take(3) if self.options.misalignment else guess.misalignment
        damping = abs(guess.damping + take(1)[0] / self.duration) if self.options.damping else guess.damping
        return replace(
            guess, omega=omega, p=p, bias=bias, scale=scale, misalignment=misalignment, damping=float(damping)
        )


@dataclass(frozen=True, eq=False)
class SearchCoordinates:
    """Coordinates of the search, in which every point is a physical body. The origin is the first guess."""

    sensor: SharedCoordinates
    origin: FitParameters

    @cached_property
    def _initial_factor(self) -> np.ndarray:
        return _second_moment_factor(self.origin.inertia)

    @property
    def count(self) -> int:
        return (5 if self.sensor.options.axes else 2) + len(self.sensor.names)

    def parameters_at(self, x: np.ndarray) -> FitParameters:
        """Return the parameters at the coordinates x (count,)."""
        count = 5 if self.sensor.options.axes else 2
        x = np.clip(x, -_MAX_COORDINATE, _MAX_COORDINATE)
        factor = self._initial_factor.copy()
        logs = np.array([x[0], x[1], -x[0] - x[1]])
        factor[np.diag_indices(3)] *= np.exp(logs)
        if count == 5:
            factor[np.tril_indices(3, -1)] += x[2:5]
        sigma = factor @ factor.T
        sigma += _MIN_RELATIVE_THICKNESS * np.trace(sigma) * np.eye(3)
        inertia = np.trace(sigma) * np.eye(3) - sigma
        guess = replace(self.origin, inertia=inertia / np.trace(inertia))
        return self.sensor.displaced(guess, x[count:])


def _second_moment_factor(inertia: np.ndarray) -> np.ndarray:
    """Return the lower triangular factor C (3, 3), with det C = 1, of the second-moment matrix C C^T of an
    inertia. Very flat bodies are thickened first."""
    sigma = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    if not np.allclose(sigma, np.diag(np.diag(sigma)), rtol=0.0, atol=1e-15 * np.trace(inertia)):
        values, vectors = np.linalg.eigh(sigma)
        sigma = (vectors * np.maximum(values, MIN_RELATIVE_SECOND_MOMENT * values.max())) @ vectors.T
    else:
        sigma = np.diag(np.maximum(np.diag(sigma), MIN_RELATIVE_SECOND_MOMENT * np.diag(sigma).max()))
    factor = np.linalg.cholesky(sigma)
    return factor / np.prod(np.diag(factor)) ** (1.0 / 3.0)


class CovarianceCoordinates(NamedTuple):
    """Coordinates of the covariance at a guess: two principal moments as fractions of the trace, a rotation of the
    principal axes, and the coordinates that are shared with the search. They are not bounded, so that an interval may
    include values that no body has."""

    sensor: SharedCoordinates
    center: FitParameters
    moments: np.ndarray
    """Principal moments (3,) with sum 1."""
    frame: np.ndarray
    """Principal axes as columns (3, 3)."""

    @property
    def names(self) -> list[str]:
        axis_names = [f"axes{i}" for i in "123"] if self.sensor.options.axes else []
        return ["moment1", "moment2", *axis_names, *self.sensor.names]

    def parameters_at(self, x: np.ndarray) -> FitParameters:
        moments = self.moments + np.array([x[0], x[1], -x[0] - x[1]])
        frame, count = self.frame, 2
        if self.sensor.options.axes:
            frame, count = frame @ orientation_matrix(from_rotation_vector(x[2:5])), 5
        guess = replace(self.center, inertia=(frame * moments) @ frame.T)
        return self.sensor.displaced(guess, x[count:])


def principal_inertia(inertia: np.ndarray, has_free_axes: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return principal moments (3,) and axes as columns (3, 3), right-handed.

    The principal axes are ordered so that axis i is nearest to axis i of the recording. If `has_free_axes` is
    False, they are the axes of the recording.
    """
    if not has_free_axes:
        return np.diag(inertia).copy(), np.eye(3)
    moments, axes = np.linalg.eigh(inertia)
    order = _axis_order(np.abs(axes))
    moments, axes = moments[order], axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes) < 0.0:
        axes[:, int(np.argmin(np.diag(axes)))] *= -1.0
    return moments, axes


def _axis_order(size: np.ndarray) -> list[int]:
    """Return a permutation of the columns of `size` (3, 3), as one column index for each row. It maximizes the product
    of the selected entries."""
    rows = np.arange(3)
    return list(max(permutations(range(3)), key=lambda order: float(size[rows, list(order)].prod())))
