"""What a strip draws beside its curves: grid and numbers below them, jumps, events, ends, selected times, dots at the cursor."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap

from quatviz.base.formatting import nice_step, range_text, ticks
from quatviz.display.data.scales import Scale, fitting
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.jump_clusters import Mark
from quatviz.display.panels.base.time_axis import TimeAxis, time_intervals
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.observables.jumps import SINGULAR
from quatviz.ui.widgets.painting import draw_cross, drawn
from quatviz.ui.widgets.style import PlotStyle, clear, colour_named

_GAP = 8
"""Pixels between the numbers and the axis."""


class Backdrop:
    """Draws it. The numbers come from a picture: while time moves by they stay, and words are dear to draw."""

    def __init__(self, style: PlotStyle) -> None:
        self.style = style
        self._key: tuple[object, ...] = ()
        self._numbers = QPixmap()

    def draw(
        self, painter: QPainter, ratio: float, axis: TimeAxis, scale: Scale, area: QRectF, curve_area: QRectF
    ) -> None:
        """Around and below `area`, for curves in `curve_area`; `ratio` pixels to a logical one."""
        painter.setPen(self.style.grid)
        step = nice_step(axis.span, time_intervals(area.width()))
        times = ticks(axis.low, axis.high, step)
        places = (round(area.left() + (time - axis.low) / axis.span * area.width()) + 0.5 for time in times)
        painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in places])
        lines = area.height() / self.style.small_metrics.height()
        marks = [
            (round(curve_area.bottom() - part * curve_area.height()) + 0.5, text)
            for part, text in scale.ticks(fitting(lines))
        ]
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y, _ in marks])
        self._lay(painter, ratio, marks, area)
        painter.setPen(self.style.axis)
        left = area.left() + 0.5
        painter.drawLine(QLineF(left, area.top(), left, area.bottom()))

    def _lay(self, painter: QPainter, ratio: float, marks: list[tuple[float, str]], area: QRectF) -> None:
        key = (tuple(marks), ratio, area.left(), area.bottom(), id(self.style))
        if key != self._key:
            below = self.style.small_metrics.capHeight() / 2 + 2
            size = QSize(round(area.left()) - _GAP, math.ceil(area.bottom() + below))
            write = partial(self._write, marks=marks, area=area)
            self._key, self._numbers = key, drawn(size, ratio, self.style.ground, write)
        painter.drawPixmap(0, 0, self._numbers)

    def _write(self, painter: QPainter, marks: list[tuple[float, str]], area: QRectF) -> None:
        painter.setFont(self.style.small)
        painter.setPen(self.style.muted)
        written = math.inf
        for y, text in marks:
            if written - y >= self.style.small_metrics.height():
                written = y
                high = self.style.small_metrics.height()
                box = QRectF(0, y - high / 2, area.left() - _GAP, high)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


CROWD = 1.5
"""Widths of its words that the words of a mark keep free for themselves."""

_ARM = 4.0


def draw_marks(
    painter: QPainter,
    style: PlotStyle,
    found: Sequence[Mark],
    area: QRectF,
    free: Callable[[QRectF], bool],
) -> list[Mark]:
    """A dotted line through each jump, or a bar over those that crowd; words where there is room for them that is `free`, and which
    marks have some."""
    for mark in found:
        pen = style.singular if mark.cause == SINGULAR else style.wrap
        painter.setPen(pen)
        if mark.right - mark.left < 2:
            x = round((mark.left + mark.right) / 2) + 0.5
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        else:
            for y in (area.top(), area.bottom()):
                painter.fillRect(QRectF(mark.left, y - 1, mark.right - mark.left, 2), pen.color())
    told = places(style, found, area, free)
    for mark, box in told:
        write(painter, style, mark, box)
    return [mark for mark, _ in told]


def places(
    style: PlotStyle, found: Sequence[Mark], area: QRectF, free: Callable[[QRectF], bool]
) -> list[tuple[Mark, QRectF]]:
    """Which marks have words, and where: beside the mark where it is `free`, at the foot or else at the head of the plot. In a
    crowd, the first one."""
    chosen: list[tuple[Mark, QRectF]] = []
    taken = area.left()
    for mark in found:
        foot = beside(style, mark, mark.left + UNIT / 2, area)
        left = beside(style, mark, mark.left - UNIT / 2 - foot.width(), area)
        if max(foot.left(), left.left()) < taken:
            continue
        up = area.top() - foot.top()
        boxes = [foot, foot.translated(0, up), left, left.translated(0, up)]
        box = next((box for box in boxes if box.left() >= taken and free(box)), None)
        if box is not None:
            chosen.append((mark, box))
        taken = (box or foot).left() + (CROWD if box is not None else 1.0) * foot.width()
    return chosen


def word_height(style: PlotStyle) -> int:
    """Of their letters alone: a whole line is half of a low strip."""
    return round(style.small_metrics.capHeight() + style.small_metrics.descent()) + 2


def beside(style: PlotStyle, mark: Mark, x: float, area: QRectF) -> QRectF:
    """Where its words are from `x` on, at the foot of `area` and in the room below it, which numbers of the axis need only left
    of it."""
    wide, high = style.width(style.small_metrics, mark.words) + UNIT, word_height(style)
    return QRectF(min(x, area.right() - wide), round(area.bottom()) + style.foot - high, wide, high)


def write(painter: QPainter, style: PlotStyle, mark: Mark, box: QRectF) -> None:
    """The cause of a mark on a plate of the ground's colour, which begins before the words."""
    painter.fillRect(box.adjusted(-2, 0, 4 - UNIT, 0), style.ground)
    painter.setFont(style.small)
    painter.setPen(style.singular_text if mark.cause == SINGULAR else style.muted)
    painter.drawText(QPointF(box.left(), box.bottom() - style.small_metrics.descent()), mark.words)


def draw_events(painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF) -> None:
    """A dashed line where something happens to every lane: curves may jump there."""
    painter.setPen(style.event)
    for time in {event.at for event in axis.events if axis.low <= event.at <= axis.high}:
        x = round(area.left() + (time - axis.low) / axis.span * area.width()) + 0.5
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))


def draw_band(painter: QPainter, style: PlotStyle, scale: Scale, half: float, area: QRectF) -> None:
    """Zero as a line, and what is too near to it."""
    y = [area.bottom() - scale.place(value) * area.height() for value in (half, 0.0, -half)]
    reach = max((y[2] - y[0]) / 2, 2.0)
    painter.fillRect(QRectF(area.left(), y[1] - reach, area.width(), 2 * reach), style.danger_tint)
    painter.setPen(style.axis)
    painter.drawLine(QLineF(area.left(), round(y[1]) + 0.5, area.right(), round(y[1]) + 0.5))


def draw_ends(painter: QPainter, traces: Sequence[Trace], scale: Scale, axis: TimeAxis, area: QRectF) -> None:
    """A cross in the colour of each lane that died, where it did."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for trace in traces:
        end = None if trace.theory else trace.end
        if end is None or not axis.low <= end[0] <= axis.high:
            continue
        part = scale.place(end[1])
        if math.isfinite(part):
            x = area.left() + (end[0] - axis.low) / axis.span * area.width()
            y = area.bottom() - part * area.height()
            painter.setPen(
                QPen(colour_named(trace.colour), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            )
            draw_cross(painter, QPointF(x, y), _ARM)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


RADIUS = (1.6, 2.25, 2.9)
"""Of the dots, in widths of a curve: of one, and of those of other lanes in the same place, which are rings around it."""

_IN_SIGHT = 0.6
"""Parts of the height of a plot above and below its middle: no dot is seen beyond, of a run that outgrew the axis."""


def draw_dots(
    painter: QPainter, x: float, time: float, traces: Sequence[Trace], scale: Scale, area: QRectF, width: int
) -> None:
    """Mark each curve, `width` pixels wide, at `x`, the place of `time` [s]."""
    if scale.empty:
        return
    bottom, height = area.bottom(), area.height()
    dots: list[tuple[str, float, float]] = []
    heights: list[float] = []
    for trace in traces:
        if trace.theory or trace.part:
            continue
        part = scale.place(trace.at(time))
        if abs(part - 0.5) < _IN_SIGHT:  # nor is NaN
            y = round(4 * (bottom - part * height)) / 4
            inside = 0
            for other in heights:
                inside += -width < y - other < width
            if inside < len(RADIUS):  # or it would lie under those that are there
                heights.append(y)
                dots.append((trace.colour, y, RADIUS[inside] * width))
    ratio, left = painter.device().devicePixelRatioF(), math.floor(x)
    # The first lane is drawn last and smallest: dots of lanes that agree lie in each other as rings.
    for colour, y, radius in reversed(dots):
        reach, top = math.ceil(radius) + 1, math.floor(y)
        painter.drawImage(left - reach, top - reach, _dot(colour, radius, x - left, y - top, ratio))


@lru_cache(maxsize=256)
def _dot(colour: str, radius: float, x: float, y: float, ratio: float) -> QImage:
    """A dot `x` to the right of the middle of its picture and `y` below it."""
    reach = math.ceil(radius) + 1

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour_named(colour))
        painter.drawEllipse(QPointF(reach + x, reach + y), radius, radius)

    return (
        drawn(QSize(2 * reach + 1, 2 * reach + 1), ratio, Qt.GlobalColor.transparent, draw).toImage().copy()
    )


TINT = 0.16


def draw_range(painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF, told: bool = False) -> None:
    """Tint what is selected of the times in sight, with a line at each end of it that is; `told` writes them there."""
    if axis.selected is None:
        return
    low, high = axis.selected
    if high < axis.low or low > axis.high:
        return

    def x_of(time: float) -> float:
        return area.left() + (min(max(time, axis.low), axis.high) - axis.low) / axis.span * area.width()

    left, right = round(x_of(low)), round(x_of(high))
    painter.fillRect(QRectF(left, area.top(), right - left, area.height()), clear(style.theme.accent, TINT))
    painter.setPen(QPen(style.accent, 1))
    for time, x in ((low, left), (high, right)):
        if axis.low <= time <= axis.high:
            painter.drawLine(QLineF(x + 0.5, area.top(), x + 0.5, area.bottom()))
    if told:
        _write(painter, style, range_text(low, high, axis.drag.sample), (left + right) / 2, area)


def _write(painter: QPainter, style: PlotStyle, text: str, middle: float, area: QRectF) -> None:
    """The text at the top, as near to the middle as it fits."""
    wide, high = style.small_metrics.horizontalAdvance(text) + UNIT, style.small_metrics.height() + 2
    left = max(min(middle - wide / 2, area.right() - wide), area.left())
    box = QRectF(left, area.top() + UNIT / 2, wide, high)
    painter.fillRect(box, style.ground)
    painter.setFont(style.small)
    painter.setPen(style.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
