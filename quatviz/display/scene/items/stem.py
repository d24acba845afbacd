"""3D item that draws the connection of a body to its pivot."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix
from quatviz.display.view_state.theme import mix_colors
from quatviz.physics.geometry.triangles import cone, cylinder, frame_along

_ROD_RADIUS, _STAND_RADIUS = 0.035, 0.16
"""Radius of the rod, and of the stand on the ground [body radii]."""
_STAND_OVERLAP = 0.08
"""Length by which the top of the stand reaches into the body [body radii], so that it is wide enough to be visible
there."""
_HANGING_HEIGHT = -0.1
"""Height of the center of mass below which a body hangs and has no stand below it [body radii]."""


class Stem(SceneItem):
    """A rod from the pivot to the center of mass, and a stand below the pivot. Without them, a top would seem to
    float."""

    name = "stem"
    title = "Pivot, and stem to the center of mass"
    summary = (
        "for a body that turns about a pivot: a gray stand below the pivot, and a rod to the center of mass"
    )
    order = 11

    def make(self) -> None:
        center, pivot_height = self.shape.centre, -self.stage.floor
        stand = mix_colors(self.theme.muted, self.theme.line, 0.6)
        length = float(np.linalg.norm(center))
        self._rod = self.stage.add(
            Mesh(cylinder(_ROD_RADIUS), self.theme.muted, visible_through=True, visible=False)
        )
        self._stand = self.stage.add(Mesh(cone(_STAND_RADIUS, 1.0), stand, "painted", stand, visible=False))
        stand_height = pivot_height + _STAND_OVERLAP
        self._stand.transform = transform_matrix(
            np.diag((1.0, 1.0, stand_height)), np.array((0.0, 0.0, -pivot_height))
        )
        if length > 0.0:
            rod_matrix = np.array(frame_along(*(center / length))) @ np.diag((1.0, 1.0, length))
            self._rod_transform = transform_matrix(rod_matrix)

    def show(self, frame: Frame) -> None:
        center = self.shape.centre
        self._rod.visible = self._stand.visible = frame.shows_body and bool(center.any())
        if frame.pose is not None and self._rod.visible:
            self._rod.transform = transform_matrix(frame.pose.rotation) @ self._rod_transform
            self._stand.visible = bool(frame.pose.rotation[2] @ center > _HANGING_HEIGHT)
