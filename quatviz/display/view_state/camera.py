"""Turntable camera of the 3D views, with space z up."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quatviz.files.schema import Record, fixed_list_reader, read_number, schema_error, schema_field
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotate

FIELD_OF_VIEW = np.radians(34.0)
_MAX_VERTICAL = 0.995
_MIN_HORIZONTAL = 1e-3
"""Smallest horizontal component of the unit vector `back`, which keeps the camera off the poles. At a pole
itself, left and right would be undefined."""

_MAX_DISTANCE = 1e4
"""Largest accepted coordinate and radius of a stored camera pose [body radii]."""


def sine_of_half_view_angle(aspect: float) -> float:
    """Return the sine of half the smaller of the vertical and horizontal angles of view."""
    return float(np.sin(np.arctan(np.tan(FIELD_OF_VIEW / 2) * min(1.0, aspect))))


_read_vector = fixed_list_reader(read_number, (3,), "three numbers")


@dataclass(frozen=True)
class CameraPose(Record):
    """Camera pose that does not depend on the size of the view. Vectors are given in the camera frame,
    lengths in body radii."""

    target: tuple[float, float, float] = schema_field(_read_vector, (0.0, 0.0, 0.0))
    """The point that the camera looks at."""
    back: tuple[float, float, float] = schema_field(_read_vector, (0.0, -1.0, 0.0))
    """Unit vector from the target to the eye."""
    shown: float = schema_field(read_number, 2.0)
    """Radius of the largest sphere around the target that fits into the view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(abs(value) < _MAX_DISTANCE for value in self.target):
            raise schema_error("target", "numbers below ten thousand", list(self.target))
        if not abs(math.hypot(*self.back) - 1.0) < 1e-3:
            raise schema_error("back", "a vector of length one", list(self.back))
        if not 0.0 < self.shown < _MAX_DISTANCE:
            raise schema_error("shown", "a number above zero, below ten thousand", self.shown)

    def interpolate(self, goal: "CameraPose", fraction: float) -> "CameraPose":
        """Return the pose at a fraction (0 to 1) of the way to `goal`, with ease-in and ease-out. The direction
        follows a great circle."""
        eased = fraction * fraction * (3.0 - 2.0 * fraction)
        target, back = (np.array((getattr(self, name), getattr(goal, name))) for name in ("target", "back"))
        angle = float(np.arccos(np.clip(back[0] @ back[1], -1.0, 1.0)))
        if 1e-6 < angle < np.pi - 1e-3:
            direction = (np.sin((1 - eased) * angle) * back[0] + np.sin(eased * angle) * back[1]) / np.sin(
                angle
            )
        else:
            direction = back[int(eased > 0.5)]
        x, y, z = (target[0] + eased * (target[1] - target[0])).tolist()
        u, v, w = (direction / np.linalg.norm(direction)).tolist()
        return CameraPose((x, y, z), (u, v, w), self.shown * (goal.shown / self.shown) ** eased)


class Camera:
    """Camera given by its target (3,), the unit vector `back` (3,) from the target to the eye, and its distance.

    No angles are stored.
    """

    def __init__(self) -> None:
        self.target = np.zeros(3)
        self.back = _normalized(np.array([1.0, -0.62, 0.48]))
        self.distance = 8.0
        self.frame = np.eye(3)
        """Rotation matrix (3, 3) from the camera frame, in which `target` and `back` are given, to space."""

    def fit(self, center: np.ndarray, radius: float, aspect: float) -> None:
        """Move the camera so that a sphere around `center` (3,) fits into the view."""
        self.target = np.array(center, float)
        self.distance = radius / sine_of_half_view_angle(aspect)

    def copy_pose(self, other: "Camera") -> None:
        """Copy the pose of the camera `other`, converted to the camera frame of this camera."""
        self.target, self.back, self.distance = other.target.copy(), other.back.copy(), other.distance

    def adapt_to_aspect(self, before: float, after: float) -> None:
        """Keep the same sphere around the target in view when the aspect ratio of the view changes."""
        self.distance *= sine_of_half_view_angle(before) / sine_of_half_view_angle(after)

    def pose(self, aspect: float) -> CameraPose:
        """Return the pose for a view of this aspect ratio, rounded to nine digits."""
        numbers = (
            *self.target.tolist(),
            *self.back.tolist(),
            self.distance * sine_of_half_view_angle(aspect),
        )
        x, y, z, u, v, w, shown = (float(f"{number:.9g}") for number in numbers)
        return CameraPose((x, y, z), (u, v, w), shown)

    def set_pose(self, pose: CameraPose, aspect: float) -> None:
        """Move the camera to a stored pose, in a view of this aspect ratio."""
        self.target = np.array(pose.target)
        self.look_from(np.array(pose.back))
        self.distance = pose.shown / sine_of_half_view_angle(aspect)

    def orbit(self, right: float, up: float) -> None:
        """Rotate about space z by `right` [rad] and upwards by `up` [rad], stopping before the poles."""
        rotated = rotate(from_rotation_vector([0.0, 0.0, -right]), self.back)
        tilted = rotate(from_rotation_vector(-up * self._axes(rotated)[0]), rotated)
        # From a named direction at the pole, only motion away from the pole is allowed.
        inside = abs(tilted[2]) < max(_MAX_VERTICAL, abs(rotated[2])) and tilted[:2] @ rotated[:2] > 0
        self.back = _normalized(tilted if inside else rotated)

    def look_from(self, back: np.ndarray) -> None:
        """Look at the target from the direction `back` (3,), in the camera frame. At a pole, x points to the right."""
        back = _normalized(np.asarray(back, float))
        self.back = (
            back
            if np.hypot(*back[:2]) > 0.99 * _MIN_HORIZONTAL
            else _normalized(np.array([0, -_MIN_HORIZONTAL, back[2]]))
        )

    def pan(self, right: float, up: float) -> None:
        """Shift the target by fractions of the height of the view."""
        x, y = self._axes(self.back)
        height = 2 * self.distance * np.tan(FIELD_OF_VIEW / 2)
        self.target = self.target - (right * x + up * y) * height

    def zoom(self, factor: float) -> None:
        """Divide the distance from the target by `factor`."""
        self.distance = float(np.clip(self.distance / factor, 1.5, 200.0))

    def view_matrix(self) -> np.ndarray:
        """Return the matrix (4, 4) from space to eye coordinates."""
        x, y = self._axes(self.back)
        matrix = np.eye(4)
        matrix[:3, :3] = np.array((x, y, self.back)) @ self.frame.T
        matrix[:3, 3] = -matrix[:3, :3] @ self.eye
        return matrix

    @property
    def eye(self) -> np.ndarray:
        """Position of the camera (3,), in space."""
        eye: np.ndarray = self.frame @ (self.target + self.distance * self.back)
        return eye

    def projection_matrix(self, aspect: float) -> np.ndarray:
        """Return the matrix (4, 4) from eye to clip coordinates, with near and far planes that enclose the scene
        closely."""
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
        horizontal = math.hypot(a, b)
        x = np.array((-b / horizontal, a / horizontal, 0.0))  # to the right: space z times back
        return x, np.array((-c * a / horizontal, -c * b / horizontal, horizontal))


CameraChange = Callable[[Camera], None]
"""A user's change of a camera. Linked cameras all apply it."""


def _normalized(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


@dataclass(frozen=True)
class ViewDirection:
    """Named view direction. `back` points from the body to the eye, in space; None if it depends on the run."""

    title: str
    key: str
    back: tuple[float, float, float] | None


VIEW_DIRECTIONS = {
    "front": ViewDirection("From the front, along x", "1", (1.0, 0.0, 0.0)),
    "side": ViewDirection("From the side, along y", "2", (0.0, -1.0, 0.0)),
    "top": ViewDirection("From above, along z", "3", (0.0, 0.0, 1.0)),
    "along_h": ViewDirection("Along the angular momentum h", "4", None),
    "isometric": ViewDirection("Isometric", "5", (1.0, -1.0, 1.0)),
}
