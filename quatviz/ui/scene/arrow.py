"""An arrow with its label: shaft, head of constant size, and a word at the tip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from quatviz.ui.scene.geometry import cone, cylinder
from quatviz.ui.scene.primitives import Colour, Label, Mesh, placed

if TYPE_CHECKING:
    from quatviz.ui.scene.view import SceneView

HEAD = 0.2
"""Length of the head in body radii."""


class Arrow:
    """From a point along a vector, both in space and body radii; too short a vector hides it."""

    def __init__(self, view: SceneView, colour: Colour, text: str, *, radius: float = 0.026, rank: int = 5):
        self._shaft = view.add_mesh(Mesh(cylinder(radius), colour))
        self._head = view.add_mesh(Mesh(cone(2.6 * radius, HEAD), colour))
        self._label = view.add_label(Label(text, colour, rank))
        self._shown = True
        self._long_enough = False
        self.thickness = 1.0
        """Of shaft and head, in their own."""

    @property
    def parts(self) -> tuple[Mesh | Label, ...]:
        """What it is made of, for removing it."""
        return self._shaft, self._head, self._label

    def point(self, vector: np.ndarray, origin: np.ndarray | None = None) -> None:
        """Draw `vector` (3,) from `origin` (3,)."""
        length = math.hypot(*vector.tolist())
        self._long_enough = length > 1e-3
        self.set_visible(self._shown)
        if not self._long_enough:
            return
        start = np.zeros(3) if origin is None else origin
        frame = frame_along(vector / length)
        head = min(HEAD, 0.6 * length)
        stretched = frame * np.array([self.thickness, self.thickness, length - head])
        self._shaft.set_transform(placed(stretched, start))
        tip = start + vector
        widened = frame * (head / HEAD) * np.array([self.thickness, self.thickness, 1.0])
        self._head.set_transform(placed(widened, tip - head * frame[:, 2]))
        self._label.set_position(tip + 0.08 * frame[:, 2])

    def recolour(self, colour: Colour) -> None:
        """Take another colour."""
        for part in self.parts:
            part.colour = colour

    def set_visible(self, visible: bool) -> None:
        """Show or hide it."""
        self._shown = visible
        for part in self.parts:
            part.set_visible(visible and self._long_enough)


def frame_along(z: np.ndarray) -> np.ndarray:
    """A rotation (3, 3) whose third column is the unit vector `z`."""
    a, b, c = z.tolist()  # ten arrows in every frame: numbers are ten times as fast as arrays of three
    if abs(a) < 0.8:
        size = math.hypot(b, c)
        x = (0.0, -c / size, b / size)
    else:
        size = math.hypot(a, c)
        x = (c / size, 0.0, -a / size)
    y = (b * x[2] - c * x[1], c * x[0] - a * x[2], a * x[1] - b * x[0])
    return np.array(((x[0], y[0], a), (x[1], y[1], b), (x[2], y[2], c)))
