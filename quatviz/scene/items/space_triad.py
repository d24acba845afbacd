"""The axes of the space frame."""

from __future__ import annotations

import numpy as np

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.primitives import Label, Line

_LENGTH = 1.75


class SpaceTriad(SceneItem):
    """Thin lines along x, y and z of space, from the fixed point; z is up."""

    name = "space_triad"
    title = "Space axes"
    told = "red, green, blue for x, y, z, thin"
    order = 30

    def build(self, stage: Stage, theme: Theme) -> None:
        self._lines, self._labels = [], []
        for axis, (text, colour) in enumerate(zip("xyz", theme.components[1:], strict=True)):
            tip = _LENGTH * np.eye(3)[axis]
            line = stage.add_line(Line(colour, 1.5))
            line.set_points(np.array([np.zeros(3), tip]))
            self._lines.append(line)
            self._labels.append(stage.add_label(Label(text, colour, 8, position=tip)))

    def start(self, source: Source) -> None:
        """Nothing here depends on the run."""

    def show(self, frame: Frame) -> None:
        """Space does not move."""

    def set_visible(self, visible: bool) -> None:
        for line, label in zip(self._lines, self._labels, strict=True):
            line.set_visible(visible)
            label.set_visible(visible)
