"""Base class of 3D items that are drawn only for torque-free motion."""

from abc import abstractmethod
from typing import ClassVar

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.base import MAX_ARROW_LENGTH, SceneItem
from quatviz.physics.geometry.polhodes import principal_moments


class FreeMotion(SceneItem):
    """A picture of torque-free motion, in the same scale as the arrow of `quantity`.

    Nothing is drawn if a load acts or if the body contains a ring, whose momentum is not J omega. The corner
    legend then shows `unavailable_text` and the reason.
    """

    quantity: ClassVar[str]
    unavailable_text: ClassVar[str]

    def make(self) -> None:
        self.inertia = self.source.info.body.inertia
        self.moments, self.axes = principal_moments(self.inertia)
        if not self.source.info.is_free:
            text = tr("{statement}: {reason}", statement=tr(self.unavailable_text), reason=self._reason())
            self.stage.set_legend_line(self.name, text, self.theme.muted)

    def _reason(self) -> str:
        info = self.source.info
        if info.all_loads:
            return tr("a load acts")
        return tr("a ring turns in the body") if info.body.ring is not None else tr("rotors turn in the body")

    @abstractmethod
    def draw_scaled(self, pose: Pose, length: float) -> bool:
        """Draw the picture in a scale in which one unit of `quantity` is `length` body radii long. Return False if
        nothing is drawn, because the body does not rotate."""

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get(self.quantity, 0.0)
        pose = frame.pose
        is_drawn = (
            self.source.info.is_free
            and scale > 0
            and pose is not None
            and self.draw_scaled(pose, MAX_ARROW_LENGTH / scale)
        )
        for primitive in self.stage.primitives_of(self.name):
            primitive.visible = is_drawn
