"""The body of the solid lane."""

from __future__ import annotations

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.primitives import Mesh, placed


class BodyItem(SceneItem):
    """The solid that has the body's inertia, painted in two tones so that its turning is seen from afar; of glass
    where it would hide a ring inside."""

    name = "body"
    title = "Body"
    told = "the solid that has the inertia of the body, in two tones; of glass where a ring is inside"
    order = 10

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage, self._theme = stage, theme
        self._mesh: Mesh | None = None
        self._visible = True
        self._frozen = False

    def start(self, source: Source) -> None:
        if self._mesh is not None:
            self._stage.remove(self._mesh)
        shape = self._stage.shape
        assert shape is not None
        look = "glass" if shape.hides_ring else "painted"
        mesh = Mesh(shape.vertices(), self._theme.body[0], look, shadow=True, visible=False)
        self._mesh = self._stage.add_mesh(mesh)
        self._paint(frozen=False)

    def show(self, frame: Frame) -> None:
        solid = frame.body
        if self._mesh is None:
            return
        self._mesh.set_visible(self._visible and solid is not None and solid.visible and solid.drawn)
        if solid is not None and solid.pose is not None:
            self._mesh.set_transform(placed(solid.pose.rotation))
            if solid.frozen != self._frozen:
                self._paint(solid.frozen)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        if self._mesh is not None and not visible:
            self._mesh.set_visible(False)

    def _paint(self, frozen: bool) -> None:
        """In its two tones; in greys where the lane has ended and the body only stands where it was."""
        self._frozen = frozen
        if self._mesh is not None:
            tones = (self._theme.line, self._theme.muted) if frozen else self._theme.body
            self._mesh.colour, self._mesh.second = tones
