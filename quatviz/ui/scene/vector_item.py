"""What the arrows of all vector quantities share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from quatviz.core.observables import QUANTITIES
from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.arrow import Arrow
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.view import ARROW, SceneView
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

STANDING_OUT = 2.2
"""How much thicker the arrow is that a person points at elsewhere."""


class VectorItem(SceneItem):
    """An arrow of the solid lane for the quantity `name`: its largest value in the run is `ARROW` body radii long.

    A subclass gives `name`, `title`, `order`, and `symbol`; the colour is the theme's field of the same name.
    """

    symbol: ClassVar[str]

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view = view
        self._colour = getattr(theme, self.name)
        self._arrow = Arrow(view, self._colour, self.symbol, rank=1)
        self._scale = 0.0
        self._visible = True

    def start(self, source: Source) -> None:
        self._set_scale(0.0)

    def show(self, frame: Frame) -> None:
        self._arrow.thickness = STANDING_OUT if self._view.highlight == self.name else 1.0
        scale = frame.scales.get(self.name, 0.0)
        if scale != self._scale:
            self._set_scale(scale)
        for lane in frame.lanes:
            if lane.solid and lane.pose is not None and scale > 0:
                self._arrow.point(ARROW / scale * lane.pose.vectors[self.name])

    def restyle(self, theme: Theme) -> None:
        self._colour = getattr(theme, self.name)
        self._arrow.recolour(self._colour)
        self._write_scale()

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        self._arrow.set_visible(visible)
        self._write_scale()

    def _set_scale(self, scale: float) -> None:
        """0 where there is nothing to draw."""
        self._scale = scale
        if scale == 0:
            self._arrow.point(np.zeros(3))
        self._write_scale()

    def _write_scale(self) -> None:
        shown = self._visible and self._scale > 0
        text = tr(
            "{symbol}   {scale:.4g} {unit} per body radius",
            symbol=self.symbol,
            scale=self._scale / ARROW,
            unit=QUANTITIES[self.name].unit,
        )
        self._view.set_corner(self.name, text if shown else "", self._colour)
