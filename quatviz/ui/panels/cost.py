"""What a step costs in each lane, on this machine."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from quatviz.ui.frame import Frame, RunInfo
from quatviz.ui.panels.base import Reading
from quatviz.ui.plotting.numbers import MISSING
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

BAR = 6.0
_ROW = 40.0
"""Height of a lane where there is room."""


class Cost(PaintedPanel):
    """A bar per lane, from zero, with the number and how many times the cheapest it is."""

    name = "cost"
    title = "Cost per step"
    order = 90
    note = "processor time"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """True of every run and a matter of none: a person asks for it."""
        return False

    @property
    def weight(self) -> float:
        return 0.4 + 0.8 * max(len(self.said), 1)

    def content(self, frame: Frame) -> tuple[tuple[str, float], ...]:
        """Names and costs [ns], rounded to three digits."""
        return tuple((lane.name, _rounded(1e9 * lane.cost)) for lane in frame.lanes if lane.visible)

    def readings(self) -> list[Reading]:
        return [Reading(lane, "cost", "", 1e-9 * cost, "s per step", "") for lane, cost in self._costs]

    @property
    def _costs(self) -> tuple[tuple[str, float], ...]:
        return self.said  # type: ignore[return-value]

    def draw(self, painter: QPainter, style: PlotStyle, room: QRectF) -> None:
        known = [cost for _, cost in self._costs if math.isfinite(cost) and cost > 0]
        least, most = min(known, default=math.nan), max(known, default=math.nan)
        left, right = float(style.gutter), room.right() - style.margin
        ratio_width = style.width(style.normal_metrics, "000.0×") + 2 * UNIT
        high = min(room.height() / len(self._costs), _ROW)
        exact = self.source.info.exact if self.source is not None else ()
        for number, (lane, cost) in enumerate(self._costs):
            baseline = room.top() + (number + 1) * high - BAR - UNIT
            painter.setFont(style.normal)
            missing = tr("not stepped") if lane in exact else MISSING
            number_text = f"{cost:.0f} ns" if math.isfinite(cost) else missing
            ratio = f"{cost / least:.2f}×" if math.isfinite(cost) else ""
            wide = style.normal_metrics.horizontalAdvance(number_text)
            painter.setPen(style.text)
            painter.drawText(QPointF(right - ratio_width - wide, baseline), number_text)
            name = style.normal_metrics.elidedText(
                lane, Qt.TextElideMode.ElideMiddle, right - ratio_width - wide - left - UNIT
            )
            painter.drawText(QPointF(left, baseline), name)
            painter.setPen(style.text if cost == least else style.muted)
            painter.drawText(QPointF(right - style.normal_metrics.horizontalAdvance(ratio), baseline), ratio)
            if math.isfinite(cost):
                bar = QRectF(left, round(baseline) + UNIT / 2, (right - left) * cost / most, BAR)
                painter.fillRect(bar, style.lane(self.colour_of(lane)))


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
