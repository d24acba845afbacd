"""The bodies of the other lanes."""

from __future__ import annotations

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Mesh, placed
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme

_INFLATED = 1.035


class Ghosts(SceneItem):
    """Glass in the lane's colour, a little larger than the body: where lanes agree it is a coloured rim around it."""

    name = "ghosts"
    title = "Ghosts of the other lanes"
    order = 90

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view, self._theme = view, theme
        self._meshes: list[Mesh] = []
        self._colours: tuple[int, ...] = ()
        self._visible = True

    def start(self, source: Source) -> None:
        for mesh in self._meshes:
            self._view.remove(mesh)
        assert self._view.shape is not None
        self._colours = source.info.colours
        self._meshes = [
            self._view.add_mesh(
                Mesh(self._view.shape.vertices(_INFLATED + 0.012 * index), "#ffffff", "glass")
            )
            for index in range(len(self._colours))
        ]
        self.restyle(self._theme)

    def show(self, frame: Frame) -> None:
        for mesh, lane in zip(self._meshes, frame.lanes, strict=True):
            mesh.set_visible(self._visible and lane.visible and not lane.solid and lane.pose is not None)
            if lane.pose is not None:
                mesh.set_transform(placed(lane.pose.rotation))

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        for mesh, colour in zip(self._meshes, self._colours, strict=True):
            mesh.colour = theme.lanes[colour % len(theme.lanes)]

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
