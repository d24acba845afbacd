"""The ground below the body."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.geometry import square
from quatviz.ui.scene.primitives import Mesh, placed
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme


class Ground(SceneItem):
    """A grid of body radii that fades away; the shadows of what casts any fall on it."""

    name = "ground"
    title = "Ground"
    order = 5

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view = view
        self._mesh = view.add_mesh(Mesh(square(7.0), theme.ground_line, "floor", alpha=0.9))

    def start(self, source: Source) -> None:
        self._mesh.set_transform(placed(offset=np.array([0.0, 0.0, self._view.floor])))

    def show(self, frame: Frame) -> None:
        """The ground rests."""

    def restyle(self, theme: Theme) -> None:
        self._mesh.colour = theme.ground_line

    def set_visible(self, visible: bool) -> None:
        self._mesh.set_visible(visible)
