"""Panel of the processor time per step of each lane on this machine."""

import math

from quatviz.base.formatting import MISSING_VALUE
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base import PaintedPanel, ValueReading
from quatviz.display.panels.base.canvas import Canvas, Rect
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title

BAR_HEIGHT = 6.0
_MAX_ROW_HEIGHT = 40.0
"""Largest height of a lane's row [pixels]."""

Costs = tuple[tuple[str, float], ...]
"""Lane names, and their processor times per step [ns]."""


class Cost(PaintedPanel):
    """A bar per lane, starting at zero, with the time and its ratio to the fastest lane."""

    name = "cost"
    title = "Cost per step"
    summary = "processor time"
    unit = "ns"
    order = 90
    note = "processor time"

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return False: the panel applies to every run, and is shown only if the user asks for it."""
        return False

    def weight(self, content: Costs) -> float:
        return 0.4 + 0.8 * max(len(content), 1)

    def content(self, frame: Frame, info: RunInfo) -> Costs:
        """Return the processor times of the visible lanes, rounded to three digits."""
        return tuple((lane.name, float(f"{1e9 * lane.cost:.3g}")) for lane in frame.lanes if lane.visible)

    def readings(self, content: Costs) -> list[ValueReading]:
        return [ValueReading(lane, "cost", "", 1e-9 * cost, "s per step", "") for lane, cost in content]

    def draw(self, canvas: Canvas, content: Costs, info: RunInfo) -> None:
        theme = canvas.theme
        known = [cost for _, cost in content if math.isfinite(cost) and cost > 0]
        lowest, highest = min(known, default=math.nan), max(known, default=math.nan)
        x_start, x_end = canvas.gutter, canvas.width - canvas.margin
        ratio_width = canvas.text_width("000.0×") + 2 * GRID_UNIT
        row_height = min(canvas.height / len(content), _MAX_ROW_HEIGHT)
        for number, (lane, cost) in enumerate(content):
            baseline = (number + 1) * row_height - BAR_HEIGHT - GRID_UNIT
            missing = tr("no steps") if lane in info.exact else MISSING_VALUE
            number_text = f"{cost:.0f} ns" if math.isfinite(cost) else missing
            number_width = canvas.text_width(number_text)
            canvas.draw_text(x_end - ratio_width - number_width, baseline, number_text, theme.text)
            name = canvas.elide(lane_title(lane), x_end - ratio_width - number_width - x_start - GRID_UNIT)
            canvas.draw_text(x_start, baseline, name, theme.text)
            if math.isfinite(cost):
                color = theme.text if cost == lowest else theme.muted
                canvas.draw_text(x_end, baseline, f"{cost / lowest:.2f}×", color, align="right")
                bar = Rect(
                    x_start, round(baseline) + GRID_UNIT / 2, (x_end - x_start) * cost / highest, BAR_HEIGHT
                )
                canvas.fill_box(bar, lane_color(theme, info.colors[info.lanes.index(lane)]))
