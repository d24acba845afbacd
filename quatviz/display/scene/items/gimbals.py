"""The gimbal rings of a sequence of Euler angles."""

import numpy as np

from quatviz.base.formatting import in_words, two_digits
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, Line, Mesh, SceneItem, placed
from quatviz.display.view_state.theme import mixed
from quatviz.physics.geometry.triangles import arc, cylinder
from quatviz.physics.mechanics.euler_sequences import angles_from_p, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.observables.quantities import QUANTITIES

_INNER, _STEP = 0.13, 0.15
"""Radius of the inner ring beyond the body's farthest point, and that of each next one beyond it, in body radii."""
_BAR, _PIN = 0.024, 0.03
"""Half the thickness of a ring and of its pins."""
_BRIGHTENS, LOCKED = 0.5, 0.1
"""|det S| below which the first and the third axis lose their colours, and below which the corner speaks of a lock."""
_BLINK = 0.5
"""Half of the time from one flash of locked axes to the next [s]."""


class Gimbals(SceneItem):
    """Three rings that would carry the body: the outer one turns in space about the first axis of the sequence by its
    angle, the middle one in the outer by the second, the inner one, fixed to the body, in the middle one by the third.

    Each has its pins and its letter in the colour of its angle, which is that of its curve. At the singularity the first and
    the third axis are one line: by |det S| they have become alike on the way there, drawn through the body, and flash while
    they are locked and the run plays.
    """

    name = "gimbals"
    title = "Gimbal rings of the Euler angles"
    told = "three rings that would carry the body, of the chosen Euler sequence"
    order = 70
    shown_at_first = False

    def make(self) -> None:
        self._sequence = ""
        self._rings: list[Mesh] = []
        self._pins: list[Mesh] = []
        self._letters: list[Label] = []
        self._axles: list[Line] = []
        """The first and the third axis."""
        self._read = 0.0
        """The det S that is written in the corner."""
        self._ends = np.zeros((3, 3))
        """Of the rings at zero angles, where their letters stand."""

    def show(self, frame: Frame) -> None:
        if frame.pose is None:
            return
        if self.stage.sequence() != self._sequence:
            self._make(self.stage.sequence())
        angles = angles_from_p(frame.pose.p, self._sequence)
        rotations = ring_rotations(angles, self._sequence)
        for ring, pins, rotation in zip(self._rings, self._pins, rotations, strict=True):
            ring.transform = pins.transform = placed(rotation)
        for axle, rotation, place in zip(self._axles, rotations[[0, 2]], (0, 2), strict=True):
            axis = rotation[:, _axes(self._sequence)[place]]
            axle.set_points(np.outer((-1.0, 1.0), (np.linalg.norm(self._ends[place]) + _STEP) * axis))
        for letter, rotation, end in zip(self._letters, rotations, self._ends, strict=True):
            letter.position = rotation @ end
        det = float(det_S(angles, self._sequence))
        self._read = det if frame.reads else self._read
        self._paint(det, frame.playing and int(frame.now / _BLINK) % 2 > 0)

    @property
    def _symbols(self) -> tuple[str, ...]:
        """Of the three angles, as their curves have them."""
        return QUANTITIES[f"angles_{self._sequence}"].symbols

    def _make(self, sequence: str) -> None:
        """The meshes at zero angles, from the outer ring to the inner one."""
        made: list[Mesh | Label | Line] = [*self._rings, *self._pins, *self._letters, *self._axles]
        for one in made:
            self.stage.remove(one)
        self._sequence, self._rings, self._pins, self._letters = sequence, [], [], []
        first, second, third = _axes(sequence)
        symbols = self._symbols
        corners = self.shape.vertices()[:, :3]
        innermost = float(np.linalg.norm(corners, axis=1).max()) + _INNER
        self.stage.set_reach(self.name, innermost + 2 * _STEP + _BAR)
        normals = (3 - first - second, 3 - second - third, second)
        for place, (axis, normal) in enumerate(zip((first, second, third), normals, strict=True)):
            radius = innermost + (2 - place) * _STEP
            ring = _turned(arc(radius, _BAR, 2.0 * np.pi, 52, 6), normal)
            colour = self.theme.components[1 + place]
            self._rings.append(self.stage.add(Mesh(ring, colour)))
            pins = np.concatenate([_pin(radius, side * _STEP) for side in (1.0, -1.0)])
            self._pins.append(self.stage.add(Mesh(_turned(pins, axis), colour)))
            self._letters.append(self.stage.add(Label(symbols[place], colour, 6)))
            self._ends[place] = (radius + _PIN) * np.eye(3)[3 - axis - normal]
        self._axles = [
            self.stage.add(Line(self.theme.text, width=self.theme.curve_width + 1)) for _ in range(2)
        ]

    def _paint(self, det: float, dark: bool) -> None:
        """Let the first and the third axis become alike by |det S|, but where a flash is `dark`, and tell that in the corner."""
        theme, size = self.theme, abs(det)
        locked = size < LOCKED
        alike = 0.0 if locked and dark else max(0.0, 1.0 - size / _BRIGHTENS)
        for axle, place in zip(self._axles, (0, 2), strict=True):
            axle.colour = self._pins[place].colour = mixed(theme.text, theme.components[1 + place], alike)
            axle.visible = size < _BRIGHTENS
        what = tr("gimbal lock") if locked else tr("gimbals {sequence}", sequence=in_words(self._sequence))
        text = tr("{what}: det S = {det}", what=what, det=two_digits(self._read))
        self.stage.set_corner(self.name, text, theme.danger if locked else theme.muted)
        one = (
            tr("{first} and {third} turn about one line", first=self._symbols[0], third=self._symbols[2])
            if locked
            else ""
        )
        self.stage.set_corner(f"{self.name} axes", one, theme.danger)


def ring_rotations(angles: np.ndarray, sequence: str) -> np.ndarray:
    """Rotations (3, 3, 3) of the outer, the middle and the inner ring, each to space, from the angles (3,) [rad]:
    R_a(t1), then R_a(t1) R_b(t2), then the orientation itself."""
    return rotation_matrix(p_from_angles(angles * np.tri(3), sequence))


def _axes(sequence: str) -> tuple[int, ...]:
    return tuple(int(axis) - 1 for axis in sequence)


def _pin(radius: float, length: float) -> np.ndarray:
    """A bar along z from a ring of `radius` to the next, on the other side of it for a negative `length`."""
    vertices = cylinder(_PIN, 10).copy()
    vertices[:, 2] = np.sign(length) * radius + length * vertices[:, 2]
    return vertices


def _turned(vertices: np.ndarray, axis: int) -> np.ndarray:
    """The mesh with its z along the axis of this number."""
    return np.hstack([np.roll(vertices[:, part], axis + 1, axis=1) for part in (slice(0, 3), slice(3, 6))])
