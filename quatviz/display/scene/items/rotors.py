"""3D item that draws the rotors in the body."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix
from quatviz.physics.geometry.triangles import arc, box, frame_along
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.physics.observables.quantities import MAX_SHOWN_ROTORS

_USUAL_RADIUS = 0.4
"""Radius of a wheel [body radii] if the preset gives none."""
_RIM_WIDTH, _SPOKE_WIDTH, _AXLE_LENGTH = 0.1, 0.05, 0.3
"""Half the width of rim and spokes, and half the length of the axle, in radii of the wheel."""


class RotorsItem(SceneItem):
    """The rotors of the lane that is drawn as the body, rotated about their axes by the integrals of their
    speeds."""

    name = "rotors"
    title = "Rotors"
    summary = "the wheels that turn in the body"
    order = 16

    def make(self) -> None:
        rotors = self.source.info.body.rotors[:MAX_SHOWN_ROTORS]
        self._wheels = [
            (
                self.stage.add(
                    Mesh(_wheel(wheel_radius(rotor, self.shape.radius)), self.theme.ring, shadow=True)
                ),
                _frame(rotor),
            )
            for rotor in rotors
        ]
        self._offsets = [rotor.position / self.shape.radius for rotor in rotors]
        self._lane, self._angles = "", np.zeros((0, MAX_SHOWN_ROTORS))

    def show(self, frame: Frame) -> None:
        lane = frame.body
        for mesh, _ in self._wheels:
            mesh.visible = frame.shows_body
        if lane is None or lane.pose is None or not self._wheels:
            return
        angles = self._angles_at(lane.name, frame.time)
        for (mesh, axes), offset, angle in zip(self._wheels, self._offsets, angles, strict=False):
            c, s = np.cos(angle), np.sin(angle)
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            mesh.transform = transform_matrix(lane.pose.rotation @ axes @ turn, lane.pose.rotation @ offset)

    def _angles_at(self, lane: str, time: float) -> np.ndarray:
        """Return the rotation angles (8,) [rad] at a time [s]. They are integrals of the speeds at samples by the
        trapezoidal rule."""
        interval = self.source.info.sample_interval
        speeds = self.source.values(lane, "rotor_speed")[1]
        if lane != self._lane or len(speeds) < len(self._angles):
            self._lane, self._angles = lane, np.zeros((0, MAX_SHOWN_ROTORS))
        if not len(speeds):
            return np.zeros(MAX_SHOWN_ROTORS)
        first = max(len(self._angles) - 1, 0)
        if first + 1 < len(speeds) or not len(self._angles):
            added = np.nan_to_num(np.asarray(speeds[first : len(speeds)], dtype=float))
            steps = 0.5 * interval * (added[1:] + added[:-1])
            start = self._angles[-1:] if len(self._angles) else np.zeros((1, MAX_SHOWN_ROTORS))
            sums = start + np.concatenate([np.zeros_like(start), np.cumsum(steps, axis=0)])
            self._angles = np.concatenate([self._angles[:first], sums])
        position = min(max(time / interval, 0.0), len(self._angles) - 1.0)
        low = int(position)
        high = min(low + 1, len(self._angles) - 1)
        angles: np.ndarray = self._angles[low] + (position - low) * (self._angles[high] - self._angles[low])
        return angles


def wheel_radius(rotor: Rotor, body_radius: float) -> float:
    """Return the radius of a wheel [body radii], for a body radius [m]."""
    return _USUAL_RADIUS if rotor.radius is None else rotor.radius / body_radius


def _frame(rotor: Rotor) -> np.ndarray:
    """Return the rotation (3, 3) from z to the rotor axis."""
    return np.array(frame_along(*rotor.unit_axis.tolist()))


def _wheel(radius: float) -> np.ndarray:
    """Return the vertices (n, 6) of a wheel about z. Three bars across the rim make its rotation visible."""
    parts = [arc(radius, _RIM_WIDTH * radius, 2.0 * np.pi)]
    for angle in np.arange(3) * np.pi / 3.0:
        c, s = np.cos(angle), np.sin(angle)
        axes = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        parts.append(box(radius * np.array([1.0, _SPOKE_WIDTH, _SPOKE_WIDTH]), axes))
    parts.append(box(radius * np.array([_SPOKE_WIDTH, _SPOKE_WIDTH, _AXLE_LENGTH]), np.eye(3)))
    return np.concatenate(parts).astype(np.float32)
