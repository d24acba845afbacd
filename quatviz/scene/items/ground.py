"""The ground below the body."""

from __future__ import annotations

import numpy as np

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.geometry import square
from quatviz.scene.primitives import Mesh, placed


class Ground(SceneItem):
    """A grid of body radii that fades away; the shadows of what casts any fall on it."""

    name = "ground"
    title = "Ground"
    told = "a grid of body radii below the body, and its shadow"
    order = 5

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage = stage
        self._mesh = stage.add_mesh(Mesh(square(7.0), theme.ground_line, "floor", alpha=0.9))

    def start(self, source: Source) -> None:
        self._mesh.set_transform(placed(offset=np.array([0.0, 0.0, self._stage.floor])))

    def show(self, frame: Frame) -> None:
        """The ground rests."""

    def set_visible(self, visible: bool) -> None:
        self._mesh.set_visible(visible)
