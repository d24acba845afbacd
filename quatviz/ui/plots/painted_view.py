"""A painted panel in the window: a title above one picture, painted anew only when what it says changes."""

from collections.abc import Hashable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter

from quatviz.base.formatting.text_layout import wrap
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.panels.base import PaintedPanel, Reading
from quatviz.display.panels.base.canvas import Align, Box, Size
from quatviz.display.view_state.theme import Theme
from quatviz.ui.plots.panel_view import Given, Kept, PanelView
from quatviz.ui.widgets.style import PlotStyle, colour_named

_SHARE = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""What of a text, and of its box, is left of where it is put."""


class QtCanvas:
    """A `panels.base.canvas.Canvas` on a painter."""

    def __init__(self, painter: QPainter, style: PlotStyle, width: float, height: float) -> None:
        self.theme, self.width, self.height = style.theme, width, height
        self.gutter, self.margin = float(style.gutter), float(style.margin)
        self._painter, self._style = painter, style
        self._types: dict[str, tuple[QFont, QFontMetricsF]] = {
            "small": (style.small, style.small_metrics),
            "normal": (style.normal, style.normal_metrics),
            "large": (style.large, style.large_metrics),
        }

    def advance(self, text: str, size: Size = "normal") -> float:
        return self._style.width(self._types[size][1], text)

    def line(self, size: Size = "normal") -> float:
        return self._types[size][1].height()

    def elided(self, text: str, room: float, size: Size = "normal") -> str:
        return self._types[size][1].elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    def write(
        self, x: float, baseline: float, text: str, colour: str, size: Size = "normal", align: Align = "left"
    ) -> None:
        left = _SHARE[align] * self.advance(text, size) if align != "left" else 0.0
        self._choose(size, colour)
        self._painter.drawText(QPointF(x - left, baseline), text)

    def write_in(
        self, box: Box, text: str, colour: str, size: Size = "normal", align: Align = "left"
    ) -> None:
        metrics = self._types[size][1]  # to let the painter align it takes twice as long
        x = box.x + _SHARE[align] * box.width
        baseline = box.y + (box.height + metrics.ascent() - metrics.descent()) / 2
        self.write(x, baseline, text, colour, size, align)

    def wrapped(self, text: str, room: float, size: Size = "small") -> list[str]:
        return wrap(text, room, self._types[size][1].horizontalAdvance)

    def fill(self, box: Box, colour: str) -> None:
        self._painter.fillRect(QRectF(*box), colour_named(colour))

    def ramp(self, box: Box, colours: tuple[str, ...]) -> None:
        area = QRectF(*box)
        ramp = QLinearGradient(area.topLeft(), area.topRight())
        for number, colour in enumerate(colours):
            ramp.setColorAt(number / (len(colours) - 1), QColor(colour))
        self._painter.fillRect(area, ramp)

    def _choose(self, size: Size, colour: str) -> None:
        self._painter.setFont(self._types[size][0])
        self._painter.setPen(colour_named(colour))


class PaintedView(PanelView):
    panel: PaintedPanel

    def __init__(self, panel: PaintedPanel, given: Given) -> None:
        super().__init__(panel, given)
        self.said: tuple[Any, ...] = ()
        """The content that is shown."""
        self._prompt: Hashable = None
        self._picture = PaintedItem(self)
        self.body.addWidget(self._picture, 1)

    def start(self, source: Source) -> None:
        super().start(source)
        self.said, self._prompt = (), None
        self.heading.say(tr(self.panel.note))
        self._picture.renew()

    def forget(self) -> None:
        super().forget()
        self.said = ()

    def show_frame(self, frame: Frame) -> None:
        prompt, pictures = self.panel.prompt(frame), frame.budget.pictures
        urgent = prompt != self._prompt
        if self.source is None or not (frame.reads or urgent):
            return
        if not pictures.grants(self.name, every=self.panel.interval, urgent=urgent):
            return
        self._prompt = prompt
        said = self.panel.content(frame, self.source.info)
        if said != self.said:
            self.said = said
            self._picture.renew()

    def paint(self, canvas: QtCanvas) -> None:
        """Draw what is said, if it is anything."""
        if self.said and self.source is not None:
            self.panel.draw(canvas, self.said, self.source.info)

    @property
    def weight(self) -> float:
        return self.panel.weight(self.said)

    def readings(self) -> list[Reading]:
        return self.panel.readings(self.said)

    def recolour(self, theme: Theme) -> None:
        self._picture.renew()


_ROW = 34.0
"""Least height of what has the weight of a strip [pixels]."""


class PaintedItem(Kept):
    def __init__(self, view: PaintedView) -> None:
        super().__init__(view, view.given, tr(view.panel.title))
        self._view = view

    @property
    def least(self) -> float:
        """As much as what it says needs."""
        return _ROW * self._view.weight

    def draw(self, painter: QPainter) -> None:
        self._view.paint(QtCanvas(painter, self.style_, self.width(), self.height()))
