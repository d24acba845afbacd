"""A logarithmic axis: the plot's coordinates are decades, its ticks are read as powers of ten."""

from __future__ import annotations

import math
from typing import Any

import pyqtgraph as pg

from quatviz.base.words import power_of_ten
from quatviz.ui.kit.guard import Guarded

_ROOM = {"left": 34.0, "bottom": 76.0}
"""Pixels that a tick's text needs along the axis."""
_SHORT = 2.5
"""An axis of fewer decades has texts at 2 and 5 too."""


class DecadeAxis(Guarded, pg.AxisItem):
    """Ticks at whole decades, as many as have room; finer ones without text."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        low, high = min(minVal, maxVal), max(minVal, maxVal)
        if not (math.isfinite(low) and math.isfinite(high)) or high - low > 400:
            return []
        most = max(size / _ROOM[self.orientation], 2.0)
        every = max(1, math.ceil((high - low) / most))
        decades = range(math.floor(low), math.ceil(high) + 1)
        named = [float(decade) for decade in decades if decade % every == 0]
        between = [decade + math.log10(n) for decade in decades for n in range(2, 10)] if every == 1 else []
        if high - low < _SHORT and 3 * (high - low) < most:
            named += [decade + math.log10(n) for decade in decades for n in (2, 5)]
        inside = [value for value in sorted(named) if low <= value <= high]
        fine = [value for value in between if low <= value <= high and value not in inside]
        return [(1.0, inside), (0.1, fine)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [_text(value) if spacing == 1.0 else "" for value in values]

    def setFont(self, font: Any) -> None:
        """The font of the ticks' texts."""
        self.setStyle(tickFont=font, tickLength=-5, tickTextOffset=6)


def _text(decades: float) -> str:
    exponent = math.floor(decades + 1e-9)
    mantissa = round(10 ** (decades - exponent))
    power = power_of_ten(exponent)
    return power if mantissa == 1 else f"{mantissa}×{power}"
