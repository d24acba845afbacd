"""The row that names the lanes above the plots."""

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QPainter,
)
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import LaneFrame, RunInfo
from quatviz.display.panels.base.legend import Legend, LegendSpace
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.line_styles import MAX_PATTERN_LENGTH, marker_of
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.ui.plots.panel_row import PanelRow
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.painting import draw_line_sample, draw_shape

CORNER_SIZE = 36
"""Side of the space that is kept free for a corner button [pixels], at an interface scale of 100 %."""


_SAMPLE_THICKNESS = 4.0
"""Thickness of the line sample in front of a lane name [pixels]. Samples are thicker than curves, so that their color
is easily recognized."""


_MAX_TOOLTIP_NAMES = 40
"""Largest number of lane names in a tooltip, as many as fit on a screen."""


def sample_width(theme: Theme) -> int:
    """Return the length of a line sample [pixels]. The longest dash pattern is still recognizable in it."""
    return math.ceil(MAX_PATTERN_LENGTH * theme.curve_width)


class LegendRow(PanelRow):
    """A row above the plots that draws the legend."""

    def __init__(self, parent: QWidget, choices: Choices, button_count: int = 1) -> None:
        """Create the row with space for `button_count` corner buttons."""
        super().__init__(parent, tr("Legend"))
        self._button_count = button_count
        self.legend, self.choices = Legend(choices), choices
        choices.changed.connect(self.fit)
        self.fit()

    def shutdown(self) -> None:
        """Disconnect from the choices of the panels before the window is deleted."""
        self.choices.changed.disconnect(self.fit)

    def start(self, info: RunInfo) -> None:
        if self.legend.start(info):
            self.fit()

    def show_lanes(self, lanes: tuple[LaneFrame, ...], reads: bool = True) -> None:
        """Show the names of visible lanes. If `reads` is True, also update the text on how closely the lanes agree."""
        if self.legend.set_frame(lanes, reads):
            self.fit()

    @property
    def legend_space(self) -> LegendSpace:
        """Sizes and fonts from which the layout of the legend is computed."""
        style, theme, board = self.plot_style, self.theme, self.parentWidget()
        height, corner = board.height() if board is not None else math.inf, theme.scaled_pixels(CORNER_SIZE)
        sample, types = sample_width(theme), (style.normal_type, style.small_type)
        return LegendSpace(self.width(), height, corner, style.gutter, sample, *types, self._button_count)

    def fit(self) -> None:
        legend, space = self.legend, self.legend_space
        legend.arrange(space)
        names, more = legend.truncated_names[:_MAX_TOOLTIP_NAMES], legend.truncated_names[_MAX_TOOLTIP_NAMES:]
        remark = [tr("… and {count} more", count=len(more))] if more else []
        self.setToolTip(tooltip_text("\n".join((*names, *remark))))
        self.setFixedHeight(round(max(legend.line_height(space) * len(legend.lines), space.corner_size)))
        self.update()

    def draw(self, painter: QPainter) -> None:
        style, legend, space = self.plot_style, self.legend, self.legend_space
        height = legend.line_height(space)
        top = max(space.corner_size - height, 0.0) / 2 if len(legend.lines) == 1 else 0.0
        ascent = (style.small_metrics if legend.uses_small_type else style.normal_metrics).ascent()
        painter.setFont(style.small_font if legend.uses_small_type else style.normal_font)
        for row_index, line in enumerate(legend.lines):
            x, middle = legend.start_x, top + (row_index + 0.5) * height
            for text, color in line:
                if color is not None:
                    self._draw_sample(painter, x, round(middle), legend.sample_width(space), color)
                last = row_index + 1 == len(legend.lines) and (text, color) == line[-1]
                painter.setPen(style.muted_color if last and not legend.hides_agreement else style.text_color)
                text_x = x + legend.sample_advance(color, space)
                painter.drawText(QPointF(text_x, middle + ascent / 2 - 1), text)
                x += legend.entry_width(text, color, space)

    def _draw_sample(
        self, painter: QPainter, x: float, middle: float, width: float, lane_number: int
    ) -> None:
        color = self.plot_style.lane_color(lane_number)
        rect = QRectF(x, middle - GRID_UNIT, width, 2 * GRID_UNIT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_line_sample(painter, lane_number, rect, color, _SAMPLE_THICKNESS)
        if marker_of(lane_number):
            draw_shape(painter, marker_of(lane_number), rect.center(), color, self.plot_style.background)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
