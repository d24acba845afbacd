"""What joins a body to the point that it turns about."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Mesh, SceneItem, placed
from quatviz.display.view_state.theme import mixed
from quatviz.physics.geometry.triangles import cone, cylinder, frame_along

_ROD, _FOOT = 0.035, 0.16
"""Radius of the stem, and of the stand on the ground, in body radii."""
_WITHIN = 0.08
"""How far the point of the stand reaches into the body, in body radii: at the pivot it is wide enough to be seen."""
_HANGS = -0.1
"""Height of the centre of mass below which a body hangs, and has no stand below it."""


class Stem(SceneItem):
    """A rod from the fixed point to the centre of mass, and a stand below that point: a top that is drawn as the solid of its
    inertia would seem to fly around nothing."""

    name = "stem"
    title = "Pivot, and stem to the centre of mass"
    told = "grey, where the body turns about a pivot: a stand below it, and a rod to the centre of mass"
    order = 11

    def make(self) -> None:
        centre, high = self.shape.centre, -self.stage.floor
        stand = mixed(self.theme.muted, self.theme.line, 0.6)
        length = float(np.linalg.norm(centre))
        self._rod = self.stage.add(Mesh(cylinder(_ROD), self.theme.muted, through=True, visible=False))
        self._stand = self.stage.add(Mesh(cone(_FOOT, 1.0), stand, "painted", stand, visible=False))
        tall = high + _WITHIN
        self._stand.transform = placed(np.diag((1.0, 1.0, tall)), np.array((0.0, 0.0, -high)))
        if length > 0.0:
            along = np.array(frame_along(*(centre / length))) @ np.diag((1.0, 1.0, length))
            self._along = placed(along)

    def show(self, frame: Frame) -> None:
        centre = self.shape.centre
        self._rod.visible = self._stand.visible = frame.shows_body and bool(centre.any())
        if frame.pose is not None and self._rod.visible:
            self._rod.transform = placed(frame.pose.rotation) @ self._along
            self._stand.visible = bool(frame.pose.rotation[2] @ centre > _HANGS)
