"""What the fading lines behind moving points share."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.ui.frame import Frame, Pose, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Colour, Line
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme


class PathItem(SceneItem):
    """Where a point of the solid lane has been in the last seconds, fading with age.

    A subclass gives `quantity`, from whose rows `points` makes the line, and its `colour`.
    """

    quantity: ClassVar[str]

    @classmethod
    @abstractmethod
    def colour(cls, theme: Theme) -> Colour:
        """Of the line."""

    @abstractmethod
    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        """The line (n + 1, 3) in space: from `rows` (n, k) of `quantity`, then where the point is now."""

    def span(self, frame: Frame) -> tuple[float, int]:
        """How far back it reaches [s], and with how many points about."""
        return 5.0, 300

    def build(self, view: SceneView, theme: Theme) -> None:
        self._line = view.add_line(Line(self.colour(theme), 2.5, fade=True))
        self._source: Source | None = None

    def start(self, source: Source) -> None:
        self._source = source
        self._line.set_points(np.empty((0, 3)))

    def show(self, frame: Frame) -> None:
        solid = next((lane for lane in frame.lanes if lane.solid and lane.pose is not None), None)
        if self._source is None or solid is None or solid.pose is None:
            return
        t, values = self._source.values(solid.name, self.quantity)
        interval = self._source.info.sample_interval
        last = min(int(frame.time / interval) + 1, len(t))
        seconds, most = self.span(frame)
        first = max(0, last - int(seconds / interval))
        # Rows at multiples of the stride, so that the points kept do not change from frame to frame.
        stride = max(1, int(seconds / interval) // most)
        self._line.set_points(self.points(values[first + -first % stride : last : stride], solid.pose, frame))

    def restyle(self, theme: Theme) -> None:
        self._line.colour = self.colour(theme)

    def set_visible(self, visible: bool) -> None:
        self._line.set_visible(visible)
