"""The line above a strip: what is drawn, and its value at the cursor."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.numbers import MISSING
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT


class StripHeader:
    """Symbol, value and unit. With a `symbol` the traces are lanes of one component, and lanes whose digits
    agree share one number, a dash standing for each that has none; without one the traces are components, each
    with its own symbol in its colour."""

    def __init__(self, style: PlotStyle, symbol: str, unit: str) -> None:
        self.style = style
        self.symbol = symbol
        self.unit = unit
        self.time = 0.0
        """The time whose values stand there [s]."""
        self._widths: list[float] = []
        self._range = (0.0, 0.0)
        self._picture = QPixmap()
        self._key: tuple[object, ...] = ()
        self.stale = True
        """Whether the numbers may have changed since they were drawn."""

    def texts(self, traces: list[Trace], scale: Scale) -> list[str]:
        """The value of each trace as it is written."""
        told = [trace for trace in traces if not trace.theory]
        fewer = 2 if any(trace.part for trace in told) else 0  # a sum and all its parts stand in one line
        return [scale.read(trace.at(self.time), short=len(told) > 2, fewer=fewer) for trace in told]

    def lay(self, painter: QPainter, ratio: float, area: QRectF, traces: list[Trace], scale: Scale) -> None:
        """Draw it from a picture that is made anew only where what it says has changed."""
        if self.stale or self._picture.isNull():
            self.stale = False
            self._renew(ratio, area, traces, scale)
        painter.drawPixmap(round(area.left()), 0, self._picture)  # the gutter beside it belongs to the axis

    def _renew(self, ratio: float, area: QRectF, traces: list[Trace], scale: Scale) -> None:
        said = tuple((trace.label, trace.colour.rgb()) for trace in traces)
        texts = self.texts(traces, scale)
        key = (area, ratio, said, tuple(texts), scale.factor, id(self.style))
        if key != self._key:
            if self._range != (scale.low, scale.high):
                self._range, self._widths = (scale.low, scale.high), []  # numbers may need less room now
            size = QSize(round(area.width() + 1), round(area.top()))
            self._key, self._picture = key, QPixmap(size * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self.style.ground)
            inner = QPainter(self._picture)
            inner.translate(-area.left(), 0)
            try:
                self.draw(inner, area, traces, scale, texts)
            finally:
                inner.end()  # a painter that outlives its picture, in a traceback, ends the process

    def draw(
        self,
        painter: QPainter,
        area: QRectF,
        traces: list[Trace],
        scale: Scale,
        texts: list[str] | None = None,
    ) -> None:
        """Write it; `texts` are those of the traces, where they are known already."""
        style = self.style
        x, right = area.left(), area.right()
        baseline = area.top() - style.normal_metrics.descent() - UNIT / 4
        if scale.factor:
            right -= style.small_metrics.horizontalAdvance(scale.factor)
            self._write(painter, right, baseline, scale.factor, style.small, style.muted)
            right -= UNIT
        parts = list(self._parts(traces, self.texts(traces, scale) if texts is None else texts))
        if len(parts) != len(self._widths):
            self._widths = [0.0] * len(parts)
        for number, (text, font, colour, metrics, gap) in enumerate(parts):
            wide = max(style.width(metrics, text), self._widths[number])
            # room for the dots that would stand for what follows
            if x + wide > right - (2 * UNIT if number + 1 < len(parts) else 0):
                self._write(painter, min(x, right - UNIT), baseline, "…", style.normal, style.muted)
                return
            self._widths[number] = wide
            self._write(painter, x, baseline, text, font, colour)
            x += wide + gap

    def _parts(
        self, traces: list[Trace], texts: list[str]
    ) -> Iterator[tuple[str, QFont, QColor, QFontMetricsF, float]]:
        style = self.style
        traces = [trace for trace in traces if not trace.theory]
        normal, bold = (style.normal, style.normal_metrics), (style.symbol, style.symbol_metrics)
        if self.symbol:
            yield self.symbol, bold[0], style.text, bold[1], UNIT
            agreed = len(set(texts) - {MISSING}) == 1
            told = ""
            for trace, text in zip(traces, texts, strict=True):
                if not (agreed and text == told):
                    yield (
                        text,
                        normal[0],
                        style.text if agreed and text != MISSING else trace.colour,
                        normal[1],
                        UNIT,
                    )
                told = told or text.replace(MISSING, "")
        else:
            for trace, text in zip(traces, texts, strict=True):
                yield trace.label, bold[0], trace.colour, bold[1], UNIT / 2
                yield text, normal[0], style.text, normal[1], UNIT
        if self.unit and texts:
            yield self.unit, style.small, style.muted, style.small_metrics, UNIT

    @staticmethod
    def _write(painter: QPainter, x: float, y: float, text: str, font: QFont, colour: QColor) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(QPointF(x, y), text)
