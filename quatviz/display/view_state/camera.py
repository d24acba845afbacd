"""The camera: where it looks and from which side. A turntable with space z up."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quatviz.files.schema import Plain, number, refusal, said, some
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotate

FIELD_OF_VIEW = np.radians(34.0)
_POLE = 0.995
_OFF_POLE = 1e-3
"""As near as it may stand to the vertical, where right and left would be lost."""

_FARTHEST = 1e4
"""Body radii beyond which nobody has put a camera."""


def spread(aspect: float) -> float:
    """Sine of half the angle that a view sees whole: in its height, or in its width where that is less."""
    return float(np.sin(np.arctan(np.tan(FIELD_OF_VIEW / 2) * min(1.0, aspect))))


_three = some(number, (3,), "three numbers")


@dataclass(frozen=True)
class Stance(Plain):
    """Where a camera stands, whatever the size of its view: in the camera's own frame, lengths in body radii."""

    target: tuple[float, float, float] = said(_three, (0.0, 0.0, 0.0))
    """What it looks at."""
    back: tuple[float, float, float] = said(_three, (0.0, -1.0, 0.0))
    """The unit vector from there to the eye."""
    shown: float = said(number, 2.0)
    """Radius of the sphere around the target that is seen whole."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(abs(value) < _FARTHEST for value in self.target):
            raise refusal("target", "numbers below ten thousand", list(self.target))
        if not abs(math.hypot(*self.back) - 1.0) < 1e-3:
            raise refusal("back", "a vector of length one", list(self.back))
        if not 0.0 < self.shown < _FARTHEST:
            raise refusal("shown", "a number above zero, below ten thousand", self.shown)

    def towards(self, goal: "Stance", share: float) -> "Stance":
        """A share of the way to another, begun and ended gently; along a great circle where the direction turns."""
        part = share * share * (3.0 - 2.0 * share)
        target, back = (np.array((getattr(self, name), getattr(goal, name))) for name in ("target", "back"))
        angle = float(np.arccos(np.clip(back[0] @ back[1], -1.0, 1.0)))
        if 1e-6 < angle < np.pi - 1e-3:
            way = (np.sin((1 - part) * angle) * back[0] + np.sin(part * angle) * back[1]) / np.sin(angle)
        else:
            way = back[int(part > 0.5)]
        x, y, z = (target[0] + part * (target[1] - target[0])).tolist()
        u, v, w = (way / np.linalg.norm(way)).tolist()
        return Stance((x, y, z), (u, v, w), self.shown * (goal.shown / self.shown) ** part)


class Camera:
    """`target` (3,), `back` (3,) the unit vector from there to the eye, `distance`: no angles are kept."""

    def __init__(self) -> None:
        self.target = np.zeros(3)
        self.back = _unit(np.array([1.0, -0.62, 0.48]))
        self.distance = 8.0
        self.frame = np.eye(3)
        """Rotation to space (3, 3) of the frame in which it stands, with its target and its directions."""

    def fit(self, centre: np.ndarray, radius: float, aspect: float) -> None:
        """Show a sphere around `centre` whole."""
        self.target = np.array(centre, float)
        self.distance = radius / spread(aspect)

    def follow(self, other: "Camera") -> None:
        """Look from where `other` does, in this camera's own frame."""
        self.target, self.back, self.distance = other.target.copy(), other.back.copy(), other.distance

    def reshape(self, before: float, after: float) -> None:
        """Show as much around the target as before, in a view whose aspect has changed."""
        self.distance *= spread(before) / spread(after)

    def stance(self, aspect: float) -> Stance:
        """Where it stands, in a view of this aspect; to nine digits, which no eye tells from more."""
        numbers = (*self.target.tolist(), *self.back.tolist(), self.distance * spread(aspect))
        x, y, z, u, v, w, shown = (float(f"{number:.9g}") for number in numbers)
        return Stance((x, y, z), (u, v, w), shown)

    def stand(self, stance: Stance, aspect: float) -> None:
        """Stand as `stance` says, in a view of this aspect."""
        self.target = np.array(stance.target)
        self.look_from(np.array(stance.back))
        self.distance = stance.shown / spread(aspect)

    def orbit(self, right: float, up: float) -> None:
        """Turn about space z by `right` [rad] and over the top by `up` [rad], short of the poles."""
        turned = rotate(from_rotation_vector([0.0, 0.0, -right]), self.back)
        tilted = rotate(from_rotation_vector(-up * self._axes(turned)[0]), turned)
        # From above, where a named direction has led, only away from the pole, and not over it.
        inside = abs(tilted[2]) < max(_POLE, abs(turned[2])) and tilted[:2] @ turned[:2] > 0
        self.back = _unit(tilted if inside else turned)

    def look_from(self, back: np.ndarray) -> None:
        """Stand in this direction (3,) from the target, in the camera's own frame; x is to the right at a pole."""
        back = _unit(np.asarray(back, float))
        self.back = (
            back if np.hypot(*back[:2]) > 0.99 * _OFF_POLE else _unit(np.array([0, -_OFF_POLE, back[2]]))
        )

    def pan(self, right: float, up: float) -> None:
        """Move what is looked at, in heights of the view."""
        x, y = self._axes(self.back)
        height = 2 * self.distance * np.tan(FIELD_OF_VIEW / 2)
        self.target = self.target - (right * x + up * y) * height

    def zoom(self, factor: float) -> None:
        """Come nearer by `factor`."""
        self.distance = float(np.clip(self.distance / factor, 1.5, 200.0))

    def view(self) -> np.ndarray:
        """4x4, space to eye."""
        x, y = self._axes(self.back)
        matrix = np.eye(4)
        matrix[:3, :3] = np.array((x, y, self.back)) @ self.frame.T
        matrix[:3, 3] = -matrix[:3, :3] @ self.eye
        return matrix

    @property
    def eye(self) -> np.ndarray:
        """Where it stands (3,), in space."""
        eye: np.ndarray = self.frame @ (self.target + self.distance * self.back)
        return eye

    def projection(self, aspect: float) -> np.ndarray:
        """4x4, eye to clip, with near and far no wider than the scene needs."""
        near, far = 0.08 * self.distance, self.distance + 40.0
        f = 1.0 / np.tan(FIELD_OF_VIEW / 2)
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = f / aspect, f
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix

    @staticmethod
    def _axes(back: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a, b, c = back.tolist()
        size = math.hypot(a, b)
        x = np.array((-b / size, a / size, 0.0))  # to the right: space z times back
        return x, np.array((-c * a / size, -c * b / size, size))


Change = Callable[[Camera], None]
"""What a hand does with a camera. Linked cameras all do the same."""


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


@dataclass(frozen=True)
class Direction:
    """A side to look from, by name: `back` points from the body to the eye, in space; None where the run decides."""

    title: str
    key: str
    back: tuple[float, float, float] | None


DIRECTIONS = {
    "front": Direction("From the front, along x", "1", (1.0, 0.0, 0.0)),
    "side": Direction("From the side, along y", "2", (0.0, -1.0, 0.0)),
    "top": Direction("From above, along z", "3", (0.0, 0.0, 1.0)),
    "along_h": Direction("Along the angular momentum h", "4", None),
    "isometric": Direction("Isometric", "5", (1.0, -1.0, 1.0)),
}
