"""Axes of pyqtgraph's plots in the window's themes."""

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QColor, QPen

from quatviz.base.words import power_of_ten
from quatviz.look.theme import Theme
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.style import tabular


def dress_axis(axis: Any, theme: Theme) -> None:
    """Font and colours of a theme; numbers are in the unit that the words name, not in thousands of it."""
    if axis.autoSIPrefix:  # told so again, pyqtgraph would scale numbers below 1 by what it was told to leave
        axis.enableAutoSIPrefix(False)
    axis.setStyle(tickFont=tabular(theme, theme.normal), tickLength=-5, tickTextOffset=6)
    axis.setPen(QPen(QColor(theme.line), 1))
    axis.setTextPen(QColor(theme.text))


def label_axis(axis: Any, text: str, theme: Theme) -> None:
    """What stands along it."""
    axis.setLabel(text, **{"color": theme.text, "font-size": f"{theme.normal}px"})


_ROOM = {"left": 34.0, "right": 34.0, "bottom": 76.0}
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


def _text(decades: float) -> str:
    exponent = math.floor(decades + 1e-9)
    mantissa = round(10 ** (decades - exponent))
    power = power_of_ten(exponent)
    return power if mantissa == 1 else f"{mantissa}×{power}"


def have_axis(plot: Any, side: str, log: bool, words: str, theme: Theme) -> Any:
    """The axis at a side of a plot: in decades or not, with these words along it, in a theme."""
    axis = plot.getAxis(side)
    if isinstance(axis, DecadeAxis) != log:
        axis = (DecadeAxis if log else pg.AxisItem)(orientation=side)
        plot.setAxisItems({side: axis})
        axis.linkedViewChanged(plot.getViewBox())  # which tells of changes alone
    plot.showAxis(side)
    dress_axis(axis, theme)
    label_axis(axis, words, theme)
    return axis
