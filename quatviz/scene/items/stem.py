"""What joins a body to the point that it turns about."""

import numpy as np

from quatviz.feed.frame import Frame
from quatviz.scene.base import Line, SceneItem


class Stem(SceneItem):
    """A line from the fixed point to the centre of mass: a top that is drawn as the solid of its inertia would seem to fly
    around nothing."""

    name = "stem"
    title = "Line from the pivot to the centre of mass"
    told = "grey, where the body turns about a pivot"
    order = 11

    def make(self) -> None:
        self._line = self.stage.add(Line(self.theme.muted, 3.0))

    def show(self, frame: Frame) -> None:
        centre = self.shape.centre
        self._line.visible = frame.shows_body and bool(centre.any())
        if frame.pose is not None:
            self._line.set_points(np.array((np.zeros(3), frame.pose.rotation @ centre)))
