"""3D item that draws the axes of the space frame."""

import numpy as np

from quatviz.display.scene.base import Label, Line, SceneItem

_LENGTH = 1.75


class SpaceTriad(SceneItem):
    """Thin lines along x, y and z of space from the fixed point; z is up."""

    name = "space_triad"
    title = "Space axes"
    summary = "red, green, blue for x, y, z, thin"
    order = 30

    def make(self) -> None:
        for axis, (text, color) in enumerate(zip("xyz", self.theme.components[1:], strict=True)):
            tip = _LENGTH * np.eye(3)[axis]
            self.stage.add(Line(color, 1.5)).set_points(np.array([np.zeros(3), tip]))
            self.stage.add(Label(text, color, 8, position=tip))
