"""A snapshot of a 3D view: everything that its picture depends on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from quatviz.display.scene.base import Label, Line, Mesh
from quatviz.display.view_state.camera import Camera
from quatviz.display.view_state.theme import Theme

_COVERED_SHARE = 0.5
"""Height by which the picture is reduced and moved up, as a fraction of the height of the text at the bottom. The rest
of the text covers part of the picture, but only ground below the body."""


@dataclass(frozen=True, eq=False)
class ViewSnapshot:
    """Everything that a picture of a 3D view depends on. `width` and `height` are logical pixels, `floor` is the
    ground's height."""

    meshes: Sequence[Mesh]
    lines: Sequence[Line]
    camera: Camera
    width: int
    height: int
    pixel_ratio: float
    theme: Theme
    floor: float
    labels: Sequence[Label] = ()
    label_positions: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))
    """Positions of the labels in space (n, 3)."""
    antialiased: bool = False
    """True to draw smooth edges even if that takes several times as long."""
    foot: float = 0.0
    """Height of the text at the bottom [logical pixels]. The picture is moved up, so that the text does not cover the
    body."""

    @cached_property
    def label_points(self) -> np.ndarray:
        """Positions of the labels in the picture (n, 2) [logical pixels]."""
        return self.project(self.label_positions)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        return max(round(self.width * self.pixel_ratio), 1), max(round(self.height * self.pixel_ratio), 1)

    @cached_property
    def view_matrix(self) -> np.ndarray:
        """Matrix (4, 4) from space to eye coordinates."""
        return self.camera.view_matrix()

    @cached_property
    def projection_matrix(self) -> np.ndarray:
        """Matrix (4, 4) from eye to clip coordinates."""
        matrix = self.camera.projection_matrix(self.size[0] / self.size[1])
        if self.foot > 0.0:
            covered = _COVERED_SHARE * self.foot
            matrix[:2] *= min((self.height - covered) / max(min(self.width, self.height), 1), 1.0)
            matrix[1] += covered / max(self.height, 1) * matrix[3]
        return matrix

    def project(self, points: np.ndarray) -> np.ndarray:
        """Project points in space (n, 3) to the picture (n, 2) [logical pixels]; NaN behind the eye."""
        clip = np.hstack((points, np.ones((len(points), 1)))) @ (self.projection_matrix @ self.view_matrix).T
        w = np.where(clip[:, 3] > 0, clip[:, 3], np.nan)
        return np.column_stack(
            ((clip[:, 0] / w * 0.5 + 0.5) * self.width, (0.5 - clip[:, 1] / w * 0.5) * self.height)
        )
