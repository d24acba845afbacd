"""The axes of the body frame."""

from __future__ import annotations

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.arrow import Arrow
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme

_LENGTH = 1.3


class BodyTriad(SceneItem):
    """Red, green and blue arrows along the body axes, fixed to the solid lane's body."""

    name = "body_triad"
    title = "Body axes"
    order = 20

    def build(self, view: SceneView, theme: Theme) -> None:
        colours = theme.components[1:]
        self._arrows = [
            Arrow(view, colour, text, radius=0.02, rank=4)
            for colour, text in zip(colours, ("e₁", "e₂", "e₃"), strict=True)
        ]

    def start(self, source: Source) -> None:
        """Nothing here depends on the run."""

    def show(self, frame: Frame) -> None:
        for lane in frame.lanes:
            if lane.solid and lane.pose is not None:
                for axis, arrow in enumerate(self._arrows):
                    arrow.point(_LENGTH * lane.pose.rotation[:, axis])

    def restyle(self, theme: Theme) -> None:
        for arrow, colour in zip(self._arrows, theme.components[1:], strict=True):
            arrow.recolour(colour)

    def set_visible(self, visible: bool) -> None:
        for arrow in self._arrows:
            arrow.set_visible(visible)
