"""What is drawn only where nothing acts on the body."""

from abc import abstractmethod
from typing import ClassVar

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.base import ARROW, SceneItem
from quatviz.physics.geometry.polhodes import principal


class FreeMotion(SceneItem):
    """A picture of torque-free motion, in the scale of the arrow of `quantity`. With a load, or with a ring inside, whose
    momentum is not J omega, nothing is drawn, and the corner says why, in the words `none`."""

    quantity: ClassVar[str]
    none: ClassVar[str]

    def make(self) -> None:
        self.inertia = self.source.info.body.inertia
        self.moments, self.axes = principal(self.inertia)
        if not self.source.info.is_free:
            self.stage.set_corner(self.name, tr(self.none), self.theme.muted)

    @abstractmethod
    def place(self, pose: Pose, length: float) -> bool:
        """Draw it where `length` body radii are one unit of the quantity; false where nothing turns."""

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get(self.quantity, 0.0)
        pose = frame.pose
        drawn = (
            self.source.info.is_free and scale > 0 and pose is not None and self.place(pose, ARROW / scale)
        )
        for part in self.stage.made_by(self.name):
            part.visible = drawn
