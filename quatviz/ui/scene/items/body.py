"""The body of the solid lane."""

from __future__ import annotations

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Mesh, placed
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme


class BodyItem(SceneItem):
    """The solid that has the body's inertia, painted in two tones so that its turning is seen from afar."""

    name = "body"
    title = "Body"
    order = 10

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view, self._theme = view, theme
        self._mesh: Mesh | None = None
        self._visible = True

    def start(self, source: Source) -> None:
        if self._mesh is not None:
            self._view.remove(self._mesh)
        assert self._view.shape is not None
        light, dark = self._theme.body[1], self._theme.body[0]
        mesh = Mesh(self._view.shape.vertices(), dark, "painted", light, shadow=True, visible=False)
        self._mesh = self._view.add_mesh(mesh)

    def show(self, frame: Frame) -> None:
        solid = next((lane for lane in frame.lanes if lane.solid and lane.pose is not None), None)
        if self._mesh is None:
            return
        self._mesh.set_visible(self._visible and solid is not None and solid.visible)
        if solid is not None and solid.pose is not None:
            self._mesh.set_transform(placed(solid.pose.rotation))

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        if self._mesh is not None:
            self._mesh.colour, self._mesh.second = theme.body

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
