"""The curves of one strip as painter paths in its pixels: those of its lanes, with their shapes, and of an old future."""

import struct
from itertools import product
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from shiboken6 import VoidPtr

from quatviz.display.data.scales import Scale
from quatviz.display.data.series import window
from quatviz.display.panels.base.curves import THEORY_OPACITY, Old, Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.export.figures.strokes import Strokes, lines_of
from quatviz.ui.widgets.painting import add_shape, box_of, drawn
from quatviz.ui.widgets.style import clear

_BESIDE = (-0.5, 0.5)
"""Offsets at which a curve is drawn that stands out."""

PART_ALPHA = 0.4
"""Opacity of the parts of a sum, so that one that takes away is seen to lie over what it takes away."""

FADED_ALPHA = 0.15
"""Opacity of the curves beside one that a person points at elsewhere."""


def paths(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF, coarse: bool = False, width: int = 1
) -> list[QPainterPath]:
    """One path per trace, in pixels of `area`, for lines that will be `width` pixels wide."""
    found = lines_of(traces, scale, axis, box_of(area), coarse, width)
    made: list[QPainterPath] = [QPainterPath()] * len(traces)
    for numbers, lines in found.lines:
        for number, path in zip(numbers, paths_of(lines), strict=True):
            made[number] = path
    for number, shape, x, y in found.shapes:
        add_shape(made[number], shape, x, y)
    return made


def stroke(painter: QPainter, path: QPainterPath, trace: Trace, opacity: float = 1.0) -> None:
    """Draw the path of a trace a pixel wide, or more where it stands out."""
    painter.setPen(QPen(clear(trace.colour, FADED_ALPHA if trace.emphasis < 0 else opacity), 1))
    for beside in _BESIDE if trace.emphasis > 0 else (0.0,):
        painter.translate(beside, beside)
        painter.drawPath(path)
        painter.translate(-beside, -beside)


def lay(painter: QPainter, layer: QPixmap, width: int) -> None:
    """Lay down curves drawn a pixel wide, `width` times beside each other: wide pens cost twenty times as much. The curves were
    drawn `(width - 1) / 2` pixels too far to the left and too high."""
    for dx, dy in product(range(width), repeat=2):
        painter.drawPixmap(dx, dy, layer)


def lay_pale(painter: QPainter, layer: QPixmap, width: int, times_as_wide: int) -> None:
    """Lay down, below curves of that `width` that should lie upon them, lines drawn as theirs are: broader, and pale all at once,
    for laid down one by one they would add up."""
    size, ratio = layer.deviceIndependentSize().toSize(), layer.devicePixelRatio()
    once = drawn(size, ratio, Qt.GlobalColor.transparent, lambda one: lay(one, layer, width))

    def broaden(one: QPainter) -> None:
        one.translate(*(2 * [-width * (times_as_wide - 1) // 2]))
        for right, down in product(range(times_as_wide), repeat=2):
            one.drawPixmap(width * right, width * down, once)

    painter.setOpacity(THEORY_OPACITY)
    painter.drawPixmap(0, 0, drawn(size, ratio, Qt.GlobalColor.transparent, broaden))
    painter.setOpacity(1.0)


def fill_parts(
    painter: QPainter, traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF, coarse: bool = False
) -> None:
    """What each part of a sum adds, or takes away: the area from where the parts before it end to where it ends."""
    below: np.ndarray | None = None
    for trace in traces:
        if not trace.part:
            continue
        view = window(trace.series.times, axis.low, axis.high, area.width(), coarse)
        times, values = trace.series.curve(view, trace.component)
        below = np.zeros_like(values) if below is None else below
        good = np.isfinite(values) & np.isfinite(below)
        x = area.left() + (times[good] - axis.low) * (area.width() / axis.span)
        edges = [area.bottom() - area.height() * scale.project(one[good]) for one in (values, below)]
        outline = (np.append(x, x[::-1]), np.append(edges[0], edges[1][::-1]))
        painter.fillPath(polyline(*outline), clear(trace.colour, PART_ALPHA))
        below = values


_ELEMENT = np.dtype([("joined", ">i4"), ("x", ">f8"), ("y", ">f8")])
_TAIL = struct.pack(">ii", 0, 0)
"""Where the last subpath begins, and the rule by which it would be filled."""


def polyline(x: np.ndarray, y: np.ndarray) -> QPainterPath:
    """The path through all points `x`, `y` (n,), which are finite. Qt's polygon is filled in its own memory."""
    polygon, path = QPolygonF(), QPainterPath()
    polygon.resize(len(x))
    if len(x):
        memory: Any = VoidPtr(polygon.data(), 2 * 8 * len(x), True)  # type: ignore[call-arg,arg-type]
        points = np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)
        points[:, 0], points[:, 1] = x, y
        path.addPolygon(polygon)
    return path


def paths_of(lines: Strokes) -> list[QPainterPath]:
    """A path for each curve."""
    elements = np.empty(len(lines.x), _ELEMENT)
    elements["joined"], elements["x"], elements["y"] = lines.joined, lines.x, lines.y
    paths = []
    for curve in range(len(lines.starts) - 1):
        own = lines.of(curve)
        if lines.joined[own][1:].all():
            paths.append(polyline(lines.x[own], lines.y[own]))
            continue
        path = QPainterPath()
        count = own.stop - own.start
        QDataStream(QByteArray(struct.pack(">i", count) + elements[own].tobytes() + _TAIL)) >> path
        paths.append(path)
    return paths


FAINT = 0.45
"""Opacity."""


def draw_old(painter: QPainter, old: Old, scale: Scale, axis: TimeAxis, area: QRectF) -> None:
    """Each curve by itself, whole: which lane is which matters less here than where they would have gone."""
    for now, before in old:
        before.colour = now.colour
        for path in paths([before], scale, axis, area):
            stroke(painter, path, before, FAINT)
