"""3D item that draws the axes of the body frame."""

from quatviz.display.data.frame import Frame
from quatviz.display.scene.arrows import Arrow
from quatviz.display.scene.base import SceneItem

_LENGTH = 1.3


class BodyTriad(SceneItem):
    """Red, green and blue arrows along the body axes of the lane that is drawn as the body."""

    name = "body_triad"
    title = "Body axes"
    summary = "red, green, blue for 1, 2, 3"
    order = 20

    def make(self) -> None:
        colors = self.theme.components[1:]
        self._arrows = [
            Arrow(self.stage, color, text, radius=0.02, rank=4)
            for color, text in zip(colors, ("e₁", "e₂", "e₃"), strict=True)
        ]

    def show(self, frame: Frame) -> None:
        if frame.pose is not None:
            for axis, arrow in enumerate(self._arrows):
                arrow.draw(_LENGTH * frame.pose.rotation[:, axis])
