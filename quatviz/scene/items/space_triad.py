"""The axes of the space frame."""

from __future__ import annotations

import numpy as np

from quatviz.feed.frame import Source
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

    def __init__(self, stage: Stage, theme: Theme, source: Source) -> None:
        super().__init__(stage, theme, source)
        for axis, (text, colour) in enumerate(zip("xyz", theme.components[1:], strict=True)):
            tip = _LENGTH * np.eye(3)[axis]
            stage.add(Line(colour, 1.5)).set_points(np.array([np.zeros(3), tip]))
            stage.add(Label(text, colour, 8, position=tip))
