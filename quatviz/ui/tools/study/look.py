"""How the curves of a study look: one colour for each lane, as in the main window, one marker for each integrator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from quatviz.look.lanes import SHAPES, shape_of
from quatviz.look.lanes import lane_colour as coloured
from quatviz.look.theme import Theme
from quatviz.studies.aids import layers, legend_text
from quatviz.studies.result import Curve, Findings

_MARKERS = ("o", "s", "d", "t1", "t", "p", "+", "star")
_DASHES = dict(
    zip(
        SHAPES,
        (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine),
        strict=True,
    )
)
_SIZE, _RING = 9.0, 6.0


@dataclass(frozen=True)
class CurveStyle:
    """One curve as it is drawn. `size` is that of its markers [pixels]; `filled`, or a ring around other curves. `dash` tells
    lanes apart that share a colour: their shapes would be taken for markers."""

    curve: Curve
    colour: QColor
    symbol: str
    dash: Qt.PenStyle
    size: float
    filled: bool

    @property
    def text(self) -> str:
        """What the legend says."""
        return legend_text(self.curve)


def looks_of(result: Findings, measure: str, colours: Mapping[str, int], theme: Theme) -> list[CurveStyle]:
    """How each curve is drawn; `colours` numbers lanes by name."""
    curves = result.curves(measure)
    return [
        CurveStyle(
            curve,
            lane_colour(theme, colours, str(curve.lane.name)),
            _MARKERS[result.plan.integrators.index(curve.integrator) % len(_MARKERS)],
            _DASHES[shape_of(colours.get(str(curve.lane.name), 0))],
            _SIZE + min(_RING * layer, 20.0),
            filled=layer == 0,
        )
        for curve, layer in zip(curves, layers(curves), strict=True)
    ]


def lane_colour(theme: Theme, colours: Mapping[str, int], name: str) -> QColor:
    """The colour of a lane."""
    return QColor(coloured(theme, colours.get(name, 0)))


def paint_marker(painter: QPainter, look: CurveStyle, x: float, y: float, size: float) -> None:
    """Draw a curve's marker around a point."""
    painter.save()
    painter.translate(x, y)
    painter.setPen(QPen(look.colour, 1.6))
    painter.setBrush(look.colour if look.filled else Qt.BrushStyle.NoBrush)
    path = Symbols[look.symbol]
    painter.scale(size, size)
    pen = painter.pen()
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.drawPath(path)
    painter.restore()
