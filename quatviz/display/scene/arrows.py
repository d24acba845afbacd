"""Arrows with labels, and the base class of 3D items that draw a vector quantity."""

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import MAX_ARROW_LENGTH, HexColor, Label, Mesh, SceneItem, Stage
from quatviz.physics.geometry.triangles import cone, cylinder, frame_along
from quatviz.physics.observables.quantities import QUANTITIES

HEAD_LENGTH = 0.2
"""Length of the head of an arrow, in body radii."""
_MIN_LENGTH, _MIN_LABELLED_LENGTH = 1e-3, 0.06
"""Smallest length of a drawn arrow, and smallest length of an arrow with a label [body radii]. The label of a shorter
arrow would stand beside an arrow that is hardly visible."""
_MAX_DISTANCE = 1e6
"""Largest length of a drawn arrow, and largest distance of its origin [body radii]. The vectors of a diverging lane may
exceed single precision before the scale adapts."""
_LAST_ROW = (0.0, 0.0, 0.0, 1.0)
"""Last row of every 4x4 transform. It is a tuple, because ten arrows are transformed in every frame, and small tuples
are ten times as fast as arrays."""


class Arrow:
    """An arrow with a label at its tip. Coordinates are in the space frame, in units of the body radius.

    The arrow is hidden if the vector is too short or too long. A short arrow is drawn without its label.
    """

    def __init__(self, stage: Stage, color: HexColor, text: str, *, radius: float = 0.026, rank: int = 5):
        shaft, head = cylinder(radius), cone(2.6 * radius, HEAD_LENGTH)
        self._shaft = stage.add(Mesh(shaft, color, visible_through=True, visible=False))
        self._head = stage.add(Mesh(head, color, visible_through=True, visible=False))
        self._label = stage.add(Label(text, color, rank, visible=False))
        self.thickness = 1.0
        """Factor on the thickness of shaft and head."""

    def draw(self, vector: np.ndarray, origin: np.ndarray | None = None) -> None:
        """Draw `vector` (3,) from the point `origin` (3,)."""
        ends = vector.tolist()
        length = math.hypot(*ends)
        starts = (0.0, 0.0, 0.0) if origin is None else origin.tolist()
        is_visible = _MIN_LENGTH < length < _MAX_DISTANCE and math.hypot(*starts) < _MAX_DISTANCE
        self._shaft.visible = self._head.visible = is_visible
        self._label.visible = is_visible and length > _MIN_LABELLED_LENGTH
        if not is_visible:
            return
        thickness, head = self.thickness, min(HEAD_LENGTH, 0.6 * length)
        head_scale, shaft_length = head / HEAD_LENGTH, length - head
        shaft_rows, head_rows, label_position = [], [], []
        frame = frame_along(*(end / length for end in ends))
        for (x, y, z), start, end in zip(frame, starts, ends, strict=True):
            tip = start + end
            shaft_rows.append((x * thickness, y * thickness, z * shaft_length, start))
            head_rows.append(
                (x * head_scale * thickness, y * head_scale * thickness, z * head_scale, tip - head * z)
            )
            label_position.append(tip + 0.08 * z)
        self._shaft.transform = np.array((*shaft_rows, _LAST_ROW))
        self._head.transform = np.array((*head_rows, _LAST_ROW))
        self._label.position = np.array(label_position)


HIGHLIGHT_THICKNESS = 2.2
"""Factor on the thickness of an arrow whose quantity the user points at, in the 3D view, a plot or an equation."""


class VectorItem(SceneItem):
    """An arrow for the quantity `name` of the lane that is drawn as the body. Its largest value in the run is
    `MAX_ARROW_LENGTH` body radii long.

    A subclass defines `name`, `title`, `order` and `symbol`. The color is the field of the theme with the same name.
    """

    symbol: ClassVar[str]

    def make(self) -> None:
        self._color = getattr(self.theme, self.name)
        self._arrow = Arrow(self.stage, self._color, self.symbol, rank=1)
        self._scale = 0.0

    def show(self, frame: Frame) -> None:
        self._arrow.thickness = HIGHLIGHT_THICKNESS if self.stage.highlight == self.name else 1.0
        scale = frame.scales.get(self.name, 0.0)
        if scale != self._scale:
            self._scale = scale
            self._update_legend()
        if scale == 0:
            self._arrow.draw(np.zeros(3))
        elif frame.pose is not None:
            vector = frame.pose.vectors.get(self.name, np.zeros(3))  # a lane without loads has no torque
            self._arrow.draw(MAX_ARROW_LENGTH / scale * vector)

    def legend_symbol(self) -> str:
        """Return the text that names the vector in the legend."""
        return self.symbol

    def _update_legend(self) -> None:
        text = tr(
            "{symbol}   1 body radius = {scale:.4g} {unit}",
            symbol=self.legend_symbol(),
            scale=self._scale / MAX_ARROW_LENGTH,
            unit=QUANTITIES[self.name].unit,
        )
        self.stage.set_legend_line(self.name, text if self._scale > 0 else "", self._color)


_EASE_TIME, _EASE_DURATION = 0.12, 1.0
"""Time constant and duration of the change of arrow lengths after a drag [s]."""


class ScaleEasing:
    """Gradual change from one set of arrow scales to another, so that arrows do not jump in length after a
    drag."""

    def __init__(self, scales: dict[str, float], now: float) -> None:
        self.scales, self._now, self._end = scales, now, now + _EASE_DURATION

    def is_finished(self, now: float) -> bool:
        """Return True if the change of the arrow scales is complete at the time `now` [s]."""
        return now >= self._end

    def update(self, scales: Mapping[str, float], now: float) -> dict[str, float]:
        """Return the scales at the time `now` [s], on the way to the given `scales`."""
        remaining, self._now = math.exp(min(self._now - now, 0.0) / _EASE_TIME), now
        self.scales = {
            name: goal * (self.scales[name] / goal) ** remaining
            if min(goal, self.scales.get(name, 0.0)) > 0.0
            else goal
            for name, goal in scales.items()
        }
        return self.scales
