"""Elements of a plot besides its curves: grid, tick labels, jump marks, events, end marks, selected range and cursor dots."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap

from quatviz.api.curve_measurement import CurveFeatures
from quatviz.base.formatting import format_time_range, nice_step, tick_values
from quatviz.display.data.scales import Scale, min_tick_count
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.jump_clusters import JumpCluster
from quatviz.display.panels.base.time_axis import TimeAxis, time_tick_count
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.observables.jumps import SINGULAR
from quatviz.ui.widgets.painting import draw_cross, draw_pixmap
from quatviz.ui.widgets.style import PlotStyle, cached_color, with_opacity

_NUMBER_GAP = 8
"""Gap between the tick labels and the vertical axis [pixels]."""


class AxisGrid:
    """Grid and tick labels of a plot. The labels are cached as a pixmap, since text is slow to draw."""

    def __init__(self, style: PlotStyle) -> None:
        self.style = style
        self._key: tuple[object, ...] = ()
        self._numbers_pixmap = QPixmap()

    def draw(
        self, painter: QPainter, ratio: float, axis: TimeAxis, scale: Scale, area: QRectF, curve_area: QRectF
    ) -> None:
        """Draw the grid in `area` for curves in `curve_area`. `ratio` is the device pixel ratio."""
        painter.setPen(self.style.grid_pen)
        step = nice_step(axis.span, time_tick_count(area.width()))
        times = tick_values(axis.low, axis.high, step)
        xs = (round(area.left() + (time - axis.low) / axis.span * area.width()) + 0.5 for time in times)
        painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in xs])
        line_count = area.height() / self.style.small_metrics.height()
        marks = [
            (round(curve_area.bottom() - part * curve_area.height()) + 0.5, text)
            for part, text in scale.ticks(min_tick_count(line_count))
        ]
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y, _ in marks])
        self._draw_numbers(painter, ratio, marks, area)
        painter.setPen(self.style.axis_pen)
        left = area.left() + 0.5
        painter.drawLine(QLineF(left, area.top(), left, area.bottom()))

    def _draw_numbers(
        self, painter: QPainter, ratio: float, marks: list[tuple[float, str]], area: QRectF
    ) -> None:
        key = (tuple(marks), ratio, area.left(), area.bottom(), id(self.style))
        if key != self._key:
            below = self.style.small_metrics.capHeight() / 2 + 2
            size = QSize(round(area.left()) - _NUMBER_GAP, math.ceil(area.bottom() + below))
            paint_numbers = partial(self._paint_numbers, marks=marks, area=area)
            self._key, self._numbers_pixmap = (
                key,
                draw_pixmap(size, ratio, self.style.background, paint_numbers),
            )
        painter.drawPixmap(0, 0, self._numbers_pixmap)

    def _paint_numbers(self, painter: QPainter, marks: list[tuple[float, str]], area: QRectF) -> None:
        painter.setFont(self.style.small_font)
        painter.setPen(self.style.muted_color)
        last_y = math.inf
        for y, text in marks:
            if last_y - y >= self.style.small_metrics.height():
                last_y = y
                height = self.style.small_metrics.height()
                box = QRectF(0, y - height / 2, area.left() - _NUMBER_GAP, height)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


JUMP_TEXT_SPACING = 1.5
"""Horizontal space reserved for a jump label, as a multiple of the label's text width."""

_CROSS_HALF_SIZE = 4.0


def draw_jump_marks(
    painter: QPainter,
    style: PlotStyle,
    clusters: Sequence[JumpCluster],
    area: QRectF,
    is_free: Callable[[QRectF], bool],
) -> list[JumpCluster]:
    """Draw a dotted line at each jump of a curve. Jumps that are too close together share one bar.

    A label is drawn where `is_free` returns True for its rectangle. The labeled clusters of jumps are returned.
    """
    for cluster in clusters:
        pen = style.singular_pen if cluster.cause == SINGULAR else style.wrap_pen
        painter.setPen(pen)
        if cluster.x_end - cluster.x_start < 2:
            x = round((cluster.x_start + cluster.x_end) / 2) + 0.5
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        else:
            for y in (area.top(), area.bottom()):
                painter.fillRect(
                    QRectF(cluster.x_start, y - 1, cluster.x_end - cluster.x_start, 2), pen.color()
                )
    labelled = place_jump_texts(style, clusters, area, is_free)
    for cluster, box in labelled:
        draw_jump_text(painter, style, cluster, box)
    return [cluster for cluster, _ in labelled]


def place_jump_texts(
    style: PlotStyle, clusters: Sequence[JumpCluster], area: QRectF, is_free: Callable[[QRectF], bool]
) -> list[tuple[JumpCluster, QRectF]]:
    """Return the position of each label, by the cluster of jumps to which it belongs.

    A label is beside the mark of its cluster, at the bottom of the plot or, if `is_free` returns False there, at the
    top. Of marks that are close together, only the first has a label.
    """
    labelled: list[tuple[JumpCluster, QRectF]] = []
    occupied_to = area.left()
    for cluster in clusters:
        right_box = jump_text_rect(style, cluster, cluster.x_start + GRID_UNIT / 2, area)
        left_box = jump_text_rect(style, cluster, cluster.x_start - GRID_UNIT / 2 - right_box.width(), area)
        if max(right_box.left(), left_box.left()) < occupied_to:
            continue
        rise = area.top() - right_box.top()
        boxes = [right_box, right_box.translated(0, rise), left_box, left_box.translated(0, rise)]
        box = next((box for box in boxes if box.left() >= occupied_to and is_free(box)), None)
        if box is not None:
            labelled.append((cluster, box))
        occupied_to = (box or right_box).left() + (
            JUMP_TEXT_SPACING if box is not None else 1.0
        ) * right_box.width()
    return labelled


def jump_text_height(style: PlotStyle) -> int:
    """Return the height of a jump label without line spacing [pixels]. With line spacing, the label would fill half of
    a low plot."""
    return round(style.small_metrics.capHeight() + style.small_metrics.descent()) + 2


def jump_text_rect(style: PlotStyle, cluster: JumpCluster, x: float, area: QRectF) -> QRectF:
    """Return the rectangle of the label of a jump cluster. It begins at `x`, or further left to fit into `area`, and
    extends into the margin below `area`."""
    width, height = style.text_width(style.small_metrics, cluster.text) + GRID_UNIT, jump_text_height(style)
    return QRectF(
        min(x, area.right() - width), round(area.bottom()) + style.bottom_margin - height, width, height
    )


def draw_jump_text(painter: QPainter, style: PlotStyle, cluster: JumpCluster, box: QRectF) -> None:
    """Draw the label of a jump on a background plate."""
    painter.fillRect(box.adjusted(-2, 0, 4 - GRID_UNIT, 0), style.background)
    painter.setFont(style.small_font)
    painter.setPen(style.singular_text_color if cluster.cause == SINGULAR else style.muted_color)
    painter.drawText(QPointF(box.left(), box.bottom() - style.small_metrics.descent()), cluster.text)


def draw_events(painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF) -> None:
    """Draw a dashed line at each event that acts on all lanes."""
    painter.setPen(style.event_pen)
    painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in event_positions(axis, area)])


def event_positions(axis: TimeAxis, area: QRectF) -> list[float]:
    """Return the horizontal positions [pixels] of the visible events. Events in the same column of pixels have one
    position."""
    if not len(axis.event_times):
        return []
    times = axis.event_times[(axis.event_times >= axis.low) & (axis.event_times <= axis.high)]
    columns = np.unique(np.round(area.left() + (times - axis.low) / axis.span * area.width()))
    positions: list[float] = (columns + 0.5).tolist()
    return positions


def draw_band(painter: QPainter, style: PlotStyle, scale: Scale, half: float, area: QRectF) -> None:
    """Tint the values from `-half` to `half`, where the motion is nearly singular, and draw the zero line."""
    y = [area.bottom() - scale.project_value(value) * area.height() for value in (half, 0.0, -half)]
    half_height = max((y[2] - y[0]) / 2, 2.0)
    painter.fillRect(
        QRectF(area.left(), y[1] - half_height, area.width(), 2 * half_height), style.danger_tint
    )
    painter.setPen(style.axis_pen)
    painter.drawLine(QLineF(area.left(), round(y[1]) + 0.5, area.right(), round(y[1]) + 0.5))


def draw_ends(painter: QPainter, traces: Sequence[Trace], scale: Scale, axis: TimeAxis, area: QRectF) -> None:
    """Draw a cross where the curve of a failed lane ends, in the lane's color."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for trace in traces:
        end = None if trace.is_theory else trace.end_point
        if end is None or not axis.low <= end[0] <= axis.high:
            continue
        part = scale.project_value(end[1])
        if math.isfinite(part):
            x = area.left() + (end[0] - axis.low) / axis.span * area.width()
            y = area.bottom() - part * area.height()
            painter.setPen(QPen(cached_color(trace.color), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            draw_cross(painter, QPointF(x, y), _CROSS_HALF_SIZE)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


DOT_RADII = (1.6, 2.25, 2.9)
"""Radii of cursor dots, as multiples of the curve width.

The first radius is that of a single dot. If dots of several lanes coincide, the second and third dot are drawn as rings
around the first, with the second and third radius.
"""

_VISIBLE_RANGE = 0.6
"""Largest distance from the middle of the plot at which a dot is drawn, as a fraction of the plot's height."""


def draw_dots(
    painter: QPainter, x: float, time: float, traces: Sequence[Trace], scale: Scale, area: QRectF, width: int
) -> None:
    """Draw a dot on each curve at the horizontal position `x` of the cursor, which is at `time` [s].

    The dots have sizes for curves that are `width` pixels wide.
    """
    if scale.is_empty:
        return
    bottom, height = area.bottom(), area.height()
    dots: list[tuple[str, float, float]] = []
    heights: list[float] = []
    for trace in traces:
        if trace.is_theory or trace.is_part:
            continue
        part = scale.project_value(trace.value_at(time))
        if abs(part - 0.5) < _VISIBLE_RANGE:  # also excludes NaN
            y = round(4 * (bottom - part * height)) / 4
            ring = 0
            for other in heights:
                ring += -width < y - other < width
            if ring < len(DOT_RADII):  # further dots would be hidden
                heights.append(y)
                dots.append((trace.color, y, DOT_RADII[ring] * width))
    ratio, left = painter.device().devicePixelRatioF(), math.floor(x)
    # The first lane is drawn last and smallest, so that coincident dots appear as rings.
    for color, y, radius in reversed(dots):
        half_size, top = math.ceil(radius) + 1, math.floor(y)
        painter.drawImage(left - half_size, top - half_size, _dot(color, radius, x - left, y - top, ratio))


@lru_cache(maxsize=256)
def _dot(color: str, radius: float, x: float, y: float, ratio: float) -> QImage:
    """Return an image of a dot. The center of the dot is displaced by `x`, `y` [pixels] from the center of the image."""
    half_size = math.ceil(radius) + 1

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(cached_color(color))
        painter.drawEllipse(QPointF(half_size + x, half_size + y), radius, radius)

    return (
        draw_pixmap(QSize(2 * half_size + 1, 2 * half_size + 1), ratio, Qt.GlobalColor.transparent, draw)
        .toImage()
        .copy()
    )


_FEATURE_RADIUS = 4.0
"""Half the size of marks for zeros and peaks [pixels]."""
_MAX_FEATURES = 400
"""Largest number of zeros and peaks that are marked in the visible range. More marks would hide the curve."""


def draw_features(
    painter: QPainter,
    style: PlotStyle,
    features: CurveFeatures,
    trace: Trace,
    scale: Scale,
    x_of: Callable[[float], float],
    area: QRectF,
) -> None:
    """Draw a circle at each visible zero of a measured curve, and a triangle at each visible
    maximum and minimum."""

    def point(time: float, value: float) -> QPointF:
        value = abs(value) if trace.series.magnitude else value
        return QPointF(x_of(time), area.bottom() - scale.project_value(value) * area.height())

    marks = [(point(time, 0.0), 0) for time in features.zeros.tolist()] + [
        (point(time, value), 1 if is_maximum else -1)
        for time, value, is_maximum in zip(
            features.extrema.tolist(), features.extreme_values.tolist(), features.is_maximum.tolist(), strict=True
        )
    ]  # fmt: skip
    bounds = area.adjusted(0, -_FEATURE_RADIUS, 0, _FEATURE_RADIUS)
    marks = [(center, side) for center, side in marks if bounds.contains(center)]
    if len(marks) > _MAX_FEATURES:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(style.text_color, 1.4))
    painter.setBrush(style.background)
    for center, side in marks:
        if side == 0:
            painter.drawEllipse(center, _FEATURE_RADIUS - 1, _FEATURE_RADIUS - 1)
        else:
            base, tip = QPointF(_FEATURE_RADIUS, 0), QPointF(0, -side * 1.6 * _FEATURE_RADIUS)
            painter.drawPolygon([center - base, center + base, center + tip])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


RANGE_OPACITY = 0.16


def draw_range(
    painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF, with_text: bool = False
) -> None:
    """Tint the selected time range and mark its ends. With `with_text`, also write start, end and length of the range."""
    if axis.selected is None:
        return
    low, high = axis.selected
    if high < axis.low or low > axis.high:
        return

    def x_of(time: float) -> float:
        return area.left() + (min(max(time, axis.low), axis.high) - axis.low) / axis.span * area.width()

    left, right = round(x_of(low)), round(x_of(high))
    painter.fillRect(
        QRectF(left, area.top(), right - left, area.height()), with_opacity(style.theme.accent, RANGE_OPACITY)
    )
    painter.setPen(QPen(style.accent_color, 1))
    for time, x in ((low, left), (high, right)):
        if axis.low <= time <= axis.high:
            painter.drawLine(QLineF(x + 0.5, area.top(), x + 0.5, area.bottom()))
    if with_text:
        _draw_range_text(
            painter, style, format_time_range(low, high, axis.drag.sample_interval), (left + right) / 2, area
        )


def _draw_range_text(painter: QPainter, style: PlotStyle, text: str, center_x: float, area: QRectF) -> None:
    """Draw the text at the top, centered at `center_x` or shifted to fit into `area`."""
    width, height = style.small_metrics.horizontalAdvance(text) + GRID_UNIT, style.small_metrics.height() + 2
    left = max(min(center_x - width / 2, area.right() - width), area.left())
    box = QRectF(left, area.top() + GRID_UNIT / 2, width, height)
    painter.fillRect(box, style.background)
    painter.setFont(style.small_font)
    painter.setPen(style.text_color)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
