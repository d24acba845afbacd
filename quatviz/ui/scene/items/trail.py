"""The path of a body axis."""

from __future__ import annotations

import numpy as np

from quatviz.core.rotations import rotate
from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Line
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme

LENGTH = 1.3
"""Where on the body's third axis the pen is, in body radii: the tip of its arrow."""
SECONDS = 5.0
_POINTS = 300


class Trail(SceneItem):
    """Where the tip of e3 has been in the last seconds, fading with age."""

    name = "trail"
    title = "Trail of e₃"
    order = 60

    def build(self, view: SceneView, theme: Theme) -> None:
        self._line = view.add_line(Line(theme.components[3], 2.5, fade=True))
        self._source: Source | None = None
        self._shown: tuple[float, int] = (-1.0, 0)

    def start(self, source: Source) -> None:
        self._source = source
        self._line.set_points(np.empty((0, 3)))

    def show(self, frame: Frame) -> None:
        solid = next((lane for lane in frame.lanes if lane.solid and lane.pose is not None), None)
        if self._source is None or solid is None or solid.pose is None:
            return
        t, p = self._source.values(solid.name, "p")
        if (frame.time, len(t)) == self._shown:
            return
        self._shown = (frame.time, len(t))
        interval = self._source.info.sample_interval
        last = min(int(frame.time / interval) + 1, len(t))
        first = max(0, last - int(SECONDS / interval))
        # Rows at multiples of the stride, so that the points kept do not change from frame to frame.
        stride = max(1, int(SECONDS / interval) // _POINTS)
        rows = p[first + -first % stride : last : stride]
        tips = rotate(rows, np.broadcast_to([0.0, 0.0, LENGTH], (len(rows), 3)))
        now = LENGTH * solid.pose.rotation[:, 2]
        self._line.set_points(np.vstack((tips, now)))

    def restyle(self, theme: Theme) -> None:
        self._line.colour = theme.components[3]

    def set_visible(self, visible: bool) -> None:
        self._line.set_visible(visible)
