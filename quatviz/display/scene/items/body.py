"""3D item that draws the body in the attitude of one lane."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix
from quatviz.physics.mechanics.body import Body


class BodyItem(SceneItem):
    """The solid with the inertia of the body, in two tones so that its rotation is visible from afar.

    It is drawn as glass if it would hide a ring or a rotor inside.
    """

    name = "body"
    title = "Body"
    summary = "a solid with the inertia of the body, in two tones; transparent if a ring or a rotor is inside"
    order = 10

    def make(self) -> None:
        rotor_inside = hides_rotor(self.source.info.body, self.shape.radius)
        material = "glass" if self.shape.intersects_ring or rotor_inside else "painted"
        self._mesh = self.stage.add(
            Mesh(self.shape.vertices(), self.theme.body[0], material, self.theme.body[1], shadow=True)
        )

    def show(self, frame: Frame) -> None:
        mesh, theme, lane = self._mesh, self.theme, frame.body
        mesh.visible = frame.shows_body
        if lane is not None and lane.pose is not None:
            mesh.transform = transform_matrix(lane.pose.rotation)
            # Gray if the lane has ended.
            mesh.color, mesh.second_color = (theme.line, theme.muted) if lane.frozen else theme.body


def hides_rotor(body: Body, radius: float) -> bool:
    """Return True if a rotor is so near the reference point that a solid with the radius `radius` [m] would
    hide the rotor."""
    return any(float(np.linalg.norm(rotor.position)) < 0.5 * radius for rotor in body.rotors)
