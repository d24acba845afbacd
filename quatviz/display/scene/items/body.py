"""The body of the solid lane."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix


class BodyItem(SceneItem):
    """The solid with the inertia of the body, in two tones so that its rotation is visible from afar.

    It is drawn as glass if it would hide a ring or a rotor inside.
    """

    name = "body"
    title = "Body"
    summary = (
        "the solid that has the inertia of the body, in two tones; of glass where a ring or a rotor is inside"
    )
    order = 10

    def make(self) -> None:
        rotors, half = self.source.info.body.rotors, 0.5 * self.shape.radius
        hides_rotor = any(float(np.linalg.norm(rotor.position)) < half for rotor in rotors)
        material = "glass" if self.shape.intersects_ring or hides_rotor else "painted"
        self._mesh = self.stage.add(
            Mesh(self.shape.vertices(), self.theme.body[0], material, self.theme.body[1], shadow=True)
        )

    def show(self, frame: Frame) -> None:
        mesh, theme, lane = self._mesh, self.theme, frame.body
        mesh.visible = frame.shows_body
        if lane is not None and lane.pose is not None:
            mesh.transform = transform_matrix(lane.pose.rotation)
            # Gray if the lane has ended.
            mesh.colour, mesh.second_color = (theme.line, theme.muted) if lane.frozen else theme.body
