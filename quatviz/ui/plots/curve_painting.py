"""Painter paths for the curves of a plot, and drawing of curves, of sums, and of the curves of the previous run."""

import struct
from itertools import product
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from shiboken6 import VoidPtr

from quatviz.display.data.scales import Scale
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.curves import THEORY_OPACITY, PreviousTraces, Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.export.figures.strokes import Strokes, curve_lines
from quatviz.ui.widgets.painting import add_shape, draw_pixmap, to_box
from quatviz.ui.widgets.style import with_opacity

_EMPHASIS_OFFSETS = (-0.5, 0.5)
"""Offsets [pixels] at which a highlighted curve is drawn twice, so that it appears wider."""

PART_OPACITY = 0.4
"""Opacity of the areas that show the terms of a sum. Areas overlap if terms are negative, and all of them must remain
visible."""

FADED_OPACITY = 0.15
"""Opacity of curves that are not highlighted while another one is."""


def trace_paths(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF, coarse: bool = False, width: int = 1
) -> list[QPainterPath]:
    """Return one painter path per trace, in pixels of `area`. The points suit lines that are `width` pixels wide: for
    wide lines, fewer points are used."""
    polylines = curve_lines(traces, scale, axis, to_box(area), coarse, width)
    result: list[QPainterPath] = [QPainterPath()] * len(traces)
    for numbers, lines in polylines.lines:
        for number, path in zip(numbers, stroke_paths(lines), strict=True):
            result[number] = path
    for number, shape, x, y in polylines.shapes:
        add_shape(result[number], shape, x, y)
    return result


def stroke_path(painter: QPainter, path: QPainterPath, trace: Trace, opacity: float = 1.0) -> None:
    """Draw the path of a trace one pixel wide. A highlighted trace is drawn wider."""
    painter.setPen(QPen(with_opacity(trace.color, FADED_OPACITY if trace.emphasis < 0 else opacity), 1))
    for offset in _EMPHASIS_OFFSETS if trace.emphasis > 0 else (0.0,):
        painter.translate(offset, offset)
        painter.drawPath(path)
        painter.translate(-offset, -offset)


def blit_widened(painter: QPainter, layer: QPixmap, width: int) -> None:
    """Draw a layer of one-pixel curves repeatedly, shifted to the right and down, so that the curves become `width`
    pixels wide. This is twenty times faster than drawing with a wide pen.

    The curves in the layer must be displaced by `(width - 1) / 2` pixels to the left and up, so that the wide curves
    are centered.
    """
    for dx, dy in product(range(width), repeat=2):
        painter.drawPixmap(dx, dy, layer)


def blit_translucent(painter: QPainter, layer: QPixmap, width: int, width_factor: int) -> None:
    """Draw a layer of curves wider and translucent, as a background for curves of `width` pixels.

    The wide curves are first drawn opaque into a layer of their own. If translucent copies overlapped, their opacities
    would add up.
    """
    size, ratio = layer.deviceIndependentSize().toSize(), layer.devicePixelRatio()
    curve_pixmap = draw_pixmap(
        size, ratio, Qt.GlobalColor.transparent, lambda target: blit_widened(target, layer, width)
    )

    def broaden(target: QPainter) -> None:
        target.translate(*(2 * [-width * (width_factor - 1) // 2]))
        for right, down in product(range(width_factor), repeat=2):
            target.drawPixmap(width * right, width * down, curve_pixmap)

    painter.setOpacity(THEORY_OPACITY)
    painter.drawPixmap(0, 0, draw_pixmap(size, ratio, Qt.GlobalColor.transparent, broaden))
    painter.setOpacity(1.0)


def fill_sum_parts(
    painter: QPainter, traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF, coarse: bool = False
) -> None:
    """Fill, for each term of a sum, the area between its curve and the curve of the terms below it."""
    below: np.ndarray | None = None
    for trace in traces:
        if not trace.is_part:
            continue
        curve_window = bucket_range(trace.series.times, axis.low, axis.high, area.width(), coarse)
        times, values = trace.series.curve(curve_window, trace.component)
        below = np.zeros_like(values) if below is None else below
        is_finite = np.isfinite(values) & np.isfinite(below)
        x = area.left() + (times[is_finite] - axis.low) * (area.width() / axis.span)
        edges = [area.bottom() - area.height() * scale.project(edge[is_finite]) for edge in (values, below)]
        polygon = (np.append(x, x[::-1]), np.append(edges[0], edges[1][::-1]))
        painter.fillPath(polyline(*polygon), with_opacity(trace.color, PART_OPACITY))
        below = values


_PATH_ELEMENT = np.dtype([("joined", ">i4"), ("x", ">f8"), ("y", ">f8")])
_PATH_TAIL = struct.pack(">ii", 0, 0)
"""Bytes at the end of a serialized QPainterPath: the start of the last subpath, and the fill rule."""


def polyline(x: np.ndarray, y: np.ndarray) -> QPainterPath:
    """Return the path through the points `x` (n,), `y` (n,), all finite. They are written directly into the buffer of a
    QPolygonF."""
    polygon, path = QPolygonF(), QPainterPath()
    polygon.resize(len(x))
    if len(x):
        memory: Any = VoidPtr(polygon.data(), 2 * 8 * len(x), True)  # type: ignore[call-arg,arg-type]
        points = np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)
        points[:, 0], points[:, 1] = x, y
        path.addPolygon(polygon)
    return path


def stroke_paths(lines: Strokes) -> list[QPainterPath]:
    """Return one painter path for each polyline in `lines`."""
    elements = np.empty(len(lines.x), _PATH_ELEMENT)
    elements["joined"], elements["x"], elements["y"] = lines.is_joined, lines.x, lines.y
    paths = []
    for curve in range(len(lines.starts) - 1):
        section = lines.points_of(curve)
        if lines.is_joined[section][1:].all():
            paths.append(polyline(lines.x[section], lines.y[section]))
            continue
        path = QPainterPath()
        count = section.stop - section.start
        QDataStream(QByteArray(struct.pack(">i", count) + elements[section].tobytes() + _PATH_TAIL)) >> path
        paths.append(path)
    return paths


PREVIOUS_RUN_OPACITY = 0.45
"""Opacity of the curves of the previous run."""


def draw_previous_run(
    painter: QPainter, previous: PreviousTraces, scale: Scale, axis: TimeAxis, area: QRectF
) -> None:
    """Draw the faded curves of the previous run in the colors of the current lanes.

    Curves of different lanes may cover each other, because only their overall course matters here.
    """
    for current_trace, previous_trace in previous:
        previous_trace.color = current_trace.color
        for path in trace_paths([previous_trace], scale, axis, area):
            stroke_path(painter, path, previous_trace, PREVIOUS_RUN_OPACITY)
