"""What a step costs in each lane, on this machine."""

import math

from quatviz.base.formatting import MISSING
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base import PaintedPanel, Reading
from quatviz.display.panels.base.canvas import Box, Canvas
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.formulations import lane_title

BAR = 6.0
_ROW = 40.0
"""Height of a lane where there is room."""

Costs = tuple[tuple[str, float], ...]
"""Names of lanes, and what a step costs them [ns]."""


class Cost(PaintedPanel):
    """A bar per lane, from zero, with the number and how many times the cheapest it is."""

    name = "cost"
    title = "Cost per step"
    told = "processor time"
    unit = "ns"
    order = 90
    note = "processor time"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """True of every run and a matter of none: a person asks for it."""
        return False

    def weight(self, content: Costs) -> float:
        return 0.4 + 0.8 * max(len(content), 1)

    def content(self, frame: Frame, info: RunInfo) -> Costs:
        """Rounded to three digits."""
        return tuple((lane.name, float(f"{1e9 * lane.cost:.3g}")) for lane in frame.lanes if lane.visible)

    def readings(self, content: Costs) -> list[Reading]:
        return [Reading(lane, "cost", "", 1e-9 * cost, "s per step", "") for lane, cost in content]

    def draw(self, canvas: Canvas, content: Costs, info: RunInfo) -> None:
        theme = canvas.theme
        known = [cost for _, cost in content if math.isfinite(cost) and cost > 0]
        least, most = min(known, default=math.nan), max(known, default=math.nan)
        left, right = canvas.gutter, canvas.width - canvas.margin
        ratio_width = canvas.advance("000.0×") + 2 * UNIT
        high = min(canvas.height / len(content), _ROW)
        for number, (lane, cost) in enumerate(content):
            baseline = (number + 1) * high - BAR - UNIT
            missing = tr("not stepped") if lane in info.exact else MISSING
            number_text = f"{cost:.0f} ns" if math.isfinite(cost) else missing
            wide = canvas.advance(number_text)
            canvas.write(right - ratio_width - wide, baseline, number_text, theme.text)
            name = canvas.elided(lane_title(lane), right - ratio_width - wide - left - UNIT)
            canvas.write(left, baseline, name, theme.text)
            if math.isfinite(cost):
                colour = theme.text if cost == least else theme.muted
                canvas.write(right, baseline, f"{cost / least:.2f}×", colour, align="right")
                bar = Box(left, round(baseline) + UNIT / 2, (right - left) * cost / most, BAR)
                canvas.fill(bar, lane_colour(theme, info.colours[info.lanes.index(lane)]))
