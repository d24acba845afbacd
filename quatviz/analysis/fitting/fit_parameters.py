"""Which numbers are sought, and in which coordinates: plain ones for a covariance, and those in which every step is a body.

The second moments of a mass, Sigma = 1/2 tr(J) I - J, are positive: then J has positive principal moments that keep the triangle
inequality, and the other way round. Sigma = C C^T with C triangular, the logarithms of its diagonal in the place of that, keeps
this in any step; det C = 1 takes the place of the scale, which a free motion does not tell.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import NamedTuple, Self

import numpy as np

from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, orientation_matrix

MIN_RELATIVE_SECOND_MOMENT = 1e-4
"""Of the largest second moment: a start is at least so thick."""
_MAX_COORDINATE = 50.0
"""A step along a coordinate, most of which are logarithms: a search goes as far as numbers do in a direction of which the motion
tells nothing, such as the other moments of a body that turns about one of its principal axes."""
_MIN_RELATIVE_THICKNESS = 1e-14
"""Of the trace: a rod has an inverse all the same."""


class FitOptions(NamedTuple):
    """What is sought beside principal moments and start: turned principal axes; of rates a bias, a scale ("", "common" or "each"),
    a misalignment of their axes with those of the attitudes; a damping; and whether there are attitudes, rates, or both."""

    axes: bool
    bias: bool
    scale: str
    misalignment: bool
    damping: bool
    attitudes: bool
    rates: bool


@dataclass(frozen=True, eq=False)
class FitParameters:
    """All numbers of a motion and its sensor.

    `inertia` (3, 3), of trace 1, in the axes of the recording; start p (4,), omega (3,) [rad/s, body]; what a sensor shows is
    scale * R(misalignment) omega + bias: `bias` (3,) [rad/s], `scale` (3,), `misalignment` (3,) a rotation vector [rad];
    `damping` [1/s] is the torque -damping tr(J) omega.
    """

    inertia: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    bias: np.ndarray
    scale: np.ndarray
    misalignment: np.ndarray
    damping: float

    @classmethod
    def with_ideal_sensor(cls, inertia: np.ndarray, p: np.ndarray, omega: np.ndarray) -> Self:
        """With a sensor that shows what is."""
        return cls(inertia / np.trace(inertia), p, omega, np.zeros(3), np.ones(3), np.zeros(3), 0.0)

    def sensed_rates(self, omega: np.ndarray) -> np.ndarray:
        """What the sensor shows of rates (n, 3) [rad/s]."""
        if self.misalignment.any():
            omega = omega @ orientation_matrix(from_rotation_vector(self.misalignment)).T
        return self.scale * omega + self.bias


class SharedCoordinates(NamedTuple):
    """Numbers that both coordinates have in common, in units in which they are about as large as their effect."""

    options: FitOptions
    speed: float
    """Usual |omega| [rad/s]."""
    duration: float
    """[s]"""

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
        """The guess with numbers that differ by so much, in the order of `names`."""
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
    """The coordinates of a search, in which every step leads to a body: 0 is the guess that it began with."""

    sensor: SharedCoordinates
    origin: FitParameters

    @cached_property
    def _initial_factor(self) -> np.ndarray:
        return _second_moment_factor(self.origin.inertia)

    @property
    def count(self) -> int:
        return (5 if self.sensor.options.axes else 2) + len(self.sensor.names)

    def parameters_at(self, x: np.ndarray) -> FitParameters:
        """The guess (count,) away from the first."""
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
    """C (3, 3), lower triangular, det 1, of an inertia; of one that is too flat, of the nearest that is not."""
    sigma = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    if not np.allclose(sigma, np.diag(np.diag(sigma)), rtol=0.0, atol=1e-15 * np.trace(inertia)):
        values, vectors = np.linalg.eigh(sigma)
        sigma = (vectors * np.maximum(values, MIN_RELATIVE_SECOND_MOMENT * values.max())) @ vectors.T
    else:
        sigma = np.diag(np.maximum(np.diag(sigma), MIN_RELATIVE_SECOND_MOMENT * np.diag(sigma).max()))
    factor = np.linalg.cholesky(sigma)
    return factor / np.prod(np.diag(factor)) ** (1.0 / 3.0)


class CovarianceCoordinates(NamedTuple):
    """Coordinates of a covariance about a guess: two principal moments as shares of the trace, a turn of the principal axes, and
    the sensor's numbers. They know no bounds: an interval may reach to where there is no body."""

    sensor: SharedCoordinates
    center: FitParameters
    moments: np.ndarray
    """(3,), of sum 1."""
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
    """Moments (3,) and axes as columns (3, 3), right-handed and in the order in which they are nearest to the axes of the
    recording; those themselves unless `has_free_axes`."""
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
    """Which column belongs to each row, so that the product of what stands there is the largest."""
    rows = np.arange(3)
    return list(max(permutations(range(3)), key=lambda order: float(size[rows, list(order)].prod())))
