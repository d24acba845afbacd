"""The view of a painted panel: a title above a picture that is redrawn only when its content changes."""

from collections.abc import Hashable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter

from quatviz.base.formatting.text_layout import wrap
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.panels.base import PaintedPanel, ValueReading
from quatviz.display.panels.base.canvas import Align, FontSize, Rect
from quatviz.display.view_state.theme import Theme
from quatviz.ui.plots.panel_view import CachedPaintWidget, PanelContext, PanelView
from quatviz.ui.widgets.style import PlotStyle, cached_color

_ALIGN_FRACTION = {"left": 0.0, "center": 0.5, "right": 1.0}
"""Distance of a text's anchor from its left edge, as a fraction of the width of the text, by alignment. In a box, the
same fraction of the box is used."""


class QtCanvas:
    """An implementation of `display.panels.base.canvas.Canvas` with a QPainter."""

    def __init__(self, painter: QPainter, style: PlotStyle, width: float, height: float) -> None:
        self.theme, self.width, self.height = style.theme, width, height
        self.gutter, self.margin = float(style.gutter), float(style.margin)
        self._painter, self._style = painter, style
        self._fonts: dict[str, tuple[QFont, QFontMetricsF]] = {
            "small": (style.small_font, style.small_metrics),
            "normal": (style.normal_font, style.normal_metrics),
            "large": (style.large_font, style.large_metrics),
        }

    def text_width(self, text: str, size: FontSize = "normal") -> float:
        return self._style.text_width(self._fonts[size][1], text)

    def line_height(self, size: FontSize = "normal") -> float:
        return self._fonts[size][1].height()

    def elide(self, text: str, max_width: float, size: FontSize = "normal") -> str:
        return self._fonts[size][1].elidedText(text, Qt.TextElideMode.ElideMiddle, max_width)

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        color: str,
        size: FontSize = "normal",
        align: Align = "left",
    ) -> None:
        left = _ALIGN_FRACTION[align] * self.text_width(text, size) if align != "left" else 0.0
        self._set_pen(size, color)
        self._painter.drawText(QPointF(x - left, baseline), text)

    def draw_text_in(
        self, box: Rect, text: str, color: str, size: FontSize = "normal", align: Align = "left"
    ) -> None:
        metrics = self._fonts[size][1]  # alignment by the painter takes twice as long
        x = box.x + _ALIGN_FRACTION[align] * box.width
        baseline = box.y + (box.height + metrics.ascent() - metrics.descent()) / 2
        self.draw_text(x, baseline, text, color, size, align)

    def wrap(self, text: str, max_width: float, size: FontSize = "small") -> list[str]:
        return wrap(text, max_width, self._fonts[size][1].horizontalAdvance)

    def fill_box(self, box: Rect, color: str) -> None:
        self._painter.fillRect(QRectF(*box), cached_color(color))

    def fill_gradient(self, box: Rect, colors: tuple[str, ...]) -> None:
        area = QRectF(*box)
        ramp = QLinearGradient(area.topLeft(), area.topRight())
        for number, color in enumerate(colors):
            ramp.setColorAt(number / (len(colors) - 1), QColor(color))
        self._painter.fillRect(area, ramp)

    def _set_pen(self, size: FontSize, color: str) -> None:
        self._painter.setFont(self._fonts[size][0])
        self._painter.setPen(cached_color(color))


class PaintedView(PanelView):
    panel: PaintedPanel

    def __init__(self, panel: PaintedPanel, context: PanelContext) -> None:
        super().__init__(panel, context)
        self.content: tuple[Any, ...] = ()
        """The displayed content."""
        self._update_key: Hashable = None
        self._paint_widget = PaintedPanelWidget(self)
        self.body.addWidget(self._paint_widget, 1)

    def start(self, source: ColumnSource) -> None:
        super().start(source)
        self.content, self._update_key = (), None
        self.title_row.set_note(tr(self.panel.note))
        self._paint_widget.invalidate()

    def release(self) -> None:
        super().release()
        self.content = ()

    def show_frame(self, frame: Frame) -> None:
        update_key, redraws = self.panel.update_key(frame), self.context.redraws
        is_urgent = update_key != self._update_key
        if self.source is None or not (frame.updates_readouts or is_urgent):
            return
        redraws.mark(self, "picture")
        if not redraws.take_picture(self, self.name, min_interval=self.panel.interval, urgent=is_urgent):
            return
        is_first = self._update_key is None
        self._update_key = update_key
        content = self.panel.content(frame, self.source.info)
        if content != self.content or is_first:
            self.content = content
            self._paint_widget.invalidate()

    def paint(self, canvas: QtCanvas) -> None:
        """Draw the content. If it is empty, draw `empty_text` of the panel. Before the first frame, draw nothing."""
        if self.content and self.source is not None:
            self.panel.draw(canvas, self.content, self.source.info)
        elif self._update_key is not None:
            self._draw_empty_text(canvas)

    def _draw_empty_text(self, canvas: QtCanvas) -> None:
        line_height = canvas.line_height("small")
        box = Rect(canvas.gutter, 0.0, canvas.width - canvas.gutter - canvas.margin, line_height)
        for number, line in enumerate(canvas.wrap(tr(self.panel.empty_text), box.width, "small")):
            line_box = Rect(box.x, number * line_height, box.width, line_height)
            canvas.draw_text_in(line_box, line, canvas.theme.muted, "small")

    @property
    def weight(self) -> float:
        return self.panel.weight(self.content)

    def readings(self) -> list[ValueReading]:
        return self.panel.readings(self.content)

    def update_colors(self, theme: Theme) -> None:
        self._paint_widget.invalidate()


_MIN_HEIGHT_PER_WEIGHT = 34.0
"""Smallest height of a painted panel per unit of `weight`, its height relative to other panels [pixels]."""


class PaintedPanelWidget(CachedPaintWidget):
    def __init__(self, view: PaintedView) -> None:
        super().__init__(view, view.context, tr(view.panel.title))
        self._view = view

    @property
    def min_height(self) -> float:
        """The least height of the panel with its current content [pixels]."""
        return _MIN_HEIGHT_PER_WEIGHT * self._view.weight

    def draw(self, painter: QPainter) -> None:
        self._view.paint(QtCanvas(painter, self.plot_style, self.width(), self.height()))
