"""3D item that draws the gimbal rings of a sequence of Euler angles."""

import numpy as np

from quatviz.base.formatting import format_two_digits, humanize
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, Line, Mesh, SceneItem, transform_matrix
from quatviz.display.view_state.theme import mix_colors
from quatviz.physics.geometry.triangles import arc, cylinder
from quatviz.physics.mechanics.euler_sequences import angles_from_p, det_S, p_from_angles
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.observables.quantities import QUANTITIES

_INNER_CLEARANCE, _RING_SPACING = 0.13, 0.15
"""Distance of the inner ring from the body's farthest point, and between rings [body radii]."""
_RING_HALF_THICKNESS, _PIN_RADIUS = 0.024, 0.03
"""Half the thickness of a ring, and radius of its pins [body radii]."""
_WARNING_DET_S, LOCK_DET_S = 0.5, 0.1
"""Values of |det S|: below the first, the first and third axis lose their colors; below the second, the legend reports
gimbal lock."""
_BLINK_HALF_PERIOD = 0.5
"""Half the period of the flashing of locked axes [s]."""


class Gimbals(SceneItem):
    """Three rings that carry the body, one for each Euler angle.

    The outer ring rotates in space about the first axis of the sequence. The middle ring rotates in the outer
    one about the second axis. The inner ring is fixed to the body and rotates in the middle one about the
    third axis. Pins and labels have the colors of the curves of their angles. Near the singularity, the first
    and third axis are drawn through the body and become equal in color as |det S| decreases; they flash
    during playback while they are locked.
    """

    name = "gimbals"
    title = "Gimbal rings of the Euler angles"
    summary = "three gimbal rings that carry the body, for the chosen Euler sequence"
    order = 70
    visible_by_default = False

    def make(self) -> None:
        self._sequence = ""
        self._rings: list[Mesh] = []
        self._pins: list[Mesh] = []
        self._labels: list[Label] = []
        self._axis_lines: list[Line] = []
        """Lines along the first and the third axis of the Euler sequence."""
        self._shown_det = 0.0
        """Value of det S that the corner legend shows at present."""
        self._label_positions = np.zeros((3, 3))
        """Positions of the ring labels at zero angles (3, 3)."""

    def show(self, frame: Frame) -> None:
        if frame.pose is None:
            return
        if self.stage.sequence() != self._sequence:
            self._create_rings(self.stage.sequence())
        angles = angles_from_p(frame.pose.p, self._sequence)
        rotations = ring_rotations(angles, self._sequence)
        for ring, pins, rotation in zip(self._rings, self._pins, rotations, strict=True):
            ring.transform = pins.transform = transform_matrix(rotation)
        for axis_line, rotation, index in zip(self._axis_lines, rotations[[0, 2]], (0, 2), strict=True):
            axis = rotation[:, _axis_indices(self._sequence)[index]]
            axis_line.set_points(
                np.outer((-1.0, 1.0), (np.linalg.norm(self._label_positions[index]) + _RING_SPACING) * axis)
            )
        for label, rotation, label_position in zip(
            self._labels, rotations, self._label_positions, strict=True
        ):
            label.position = rotation @ label_position
        det = float(det_S(angles, self._sequence))
        self._shown_det = det if frame.updates_readouts else self._shown_det
        self._update_colors(det, frame.playing and int(frame.now / _BLINK_HALF_PERIOD) % 2 > 0)

    @property
    def _symbols(self) -> tuple[str, ...]:
        """Symbols of the three angles, as in their plot."""
        return QUANTITIES[f"angles_{self._sequence}"].symbols

    def _create_rings(self, sequence: str) -> None:
        """Create the meshes at zero angles, from the outer ring to the inner one."""
        primitives: list[Mesh | Label | Line] = [*self._rings, *self._pins, *self._labels, *self._axis_lines]
        for primitive in primitives:
            self.stage.remove(primitive)
        self._sequence, self._rings, self._pins, self._labels = sequence, [], [], []
        first, second, third = _axis_indices(sequence)
        symbols = self._symbols
        corners = self.shape.vertices()[:, :3]
        innermost = float(np.linalg.norm(corners, axis=1).max()) + _INNER_CLEARANCE
        self.stage.set_item_radius(self.name, innermost + 2 * _RING_SPACING + _RING_HALF_THICKNESS)
        normals = (3 - first - second, 3 - second - third, second)
        for index, (axis, normal) in enumerate(zip((first, second, third), normals, strict=True)):
            radius = innermost + (2 - index) * _RING_SPACING
            ring = _align_z(arc(radius, _RING_HALF_THICKNESS, 2.0 * np.pi, 52, 6), normal)
            color = self.theme.components[1 + index]
            self._rings.append(self.stage.add(Mesh(ring, color)))
            pins = np.concatenate([_pin_vertices(radius, side * _RING_SPACING) for side in (1.0, -1.0)])
            self._pins.append(self.stage.add(Mesh(_align_z(pins, axis), color)))
            self._labels.append(self.stage.add(Label(symbols[index], color, 6)))
            self._label_positions[index] = (radius + _PIN_RADIUS) * np.eye(3)[3 - axis - normal]
        self._axis_lines = [
            self.stage.add(Line(self.theme.text, width=self.theme.curve_width + 1)) for _ in range(2)
        ]

    def _update_colors(self, det: float, is_dark: bool) -> None:
        """Blend the colors of the first and third axis by |det S|, unless `is_dark` during a flash, and update the
        legend."""
        theme, size = self.theme, abs(det)
        is_locked = size < LOCK_DET_S
        blend = 0.0 if is_locked and is_dark else max(0.0, 1.0 - size / _WARNING_DET_S)
        for axis_line, index in zip(self._axis_lines, (0, 2), strict=True):
            axis_line.color = self._pins[index].color = mix_colors(
                theme.text, theme.components[1 + index], blend
            )
            axis_line.visible = size < _WARNING_DET_S
        state_text = (
            tr("gimbal lock") if is_locked else tr("gimbals {sequence}", sequence=humanize(self._sequence))
        )
        text = tr("{state}: det S = {det}", state=state_text, det=format_two_digits(self._shown_det))
        self.stage.set_legend_line(self.name, text, theme.danger if is_locked else theme.muted)
        axes_text = (
            tr("{first} and {third} turn about the same line", first=self._symbols[0], third=self._symbols[2])
            if is_locked
            else ""
        )
        self.stage.set_legend_line(f"{self.name} axes", axes_text, theme.danger)


def ring_rotations(angles: np.ndarray, sequence: str) -> np.ndarray:
    """Return the rotations (3, 3, 3) of the outer, middle and inner ring to space, from the angles (3,) [rad].

    They are R_a(t1), R_a(t1) R_b(t2), and the attitude itself.
    """
    return rotation_matrix(p_from_angles(angles * np.tri(3), sequence))


def _axis_indices(sequence: str) -> tuple[int, ...]:
    return tuple(int(axis) - 1 for axis in sequence)


def _pin_vertices(radius: float, length: float) -> np.ndarray:
    """Return the vertices (n, 6) of a bar along z from a ring of `radius` towards the next ring. If `length`
    is negative, the bar is on the opposite side of the ring."""
    vertices = cylinder(_PIN_RADIUS, 10).copy()
    vertices[:, 2] = np.sign(length) * radius + length * vertices[:, 2]
    return vertices


def _align_z(vertices: np.ndarray, axis: int) -> np.ndarray:
    """Return the vertices (n, 6), positions and normals, rotated so that the z axis of the mesh becomes the
    coordinate axis with index `axis`."""
    return np.hstack([np.roll(vertices[:, part], axis + 1, axis=1) for part in (slice(0, 3), slice(3, 6))])
