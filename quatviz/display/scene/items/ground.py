"""3D item that draws the ground below the body."""

import numpy as np

from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix
from quatviz.physics.geometry.triangles import square


class Ground(SceneItem):
    """A grid with a spacing of one body radius that fades out. Shadows fall on it."""

    name = "ground"
    title = "Ground"
    summary = "a grid of body radii below the body, and its shadow"
    order = 5

    def make(self) -> None:
        transform = transform_matrix(offset=np.array([0.0, 0.0, self.stage.floor]))
        self.stage.add(Mesh(square(7.0), self.theme.ground_line, "floor", alpha=0.9, transform=transform))
