"""Values along one axis: a cut through a map, or all of a sweep that has one axis."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

from quatviz.analysis.sweeps.chart import Scale, Span
from quatviz.base.translation import tr
from quatviz.ui.widgets.axes import have_axis, lay_ground
from quatviz.ui.widgets.style import Themed, clear

_DOT = 5


class Profile(Themed, pg.PlotWidget):
    """A line over a span, with dots where values stand alone; a click chooses one."""

    chosen = Signal(int)
    """The number of a value."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setAccessibleName(tr("Profile"))
        self._span: Span | None = None
        self._shown: object = None
        self._given: tuple[Span, np.ndarray, Scale, str, int | None] | None = None
        """What it was asked to show."""
        self.line = pg.PlotDataItem(connect="finite", antialias=True, symbol="o", symbolSize=_DOT)
        self.mark = pg.InfiniteLine(angle=90)
        self.addItem(self.line)
        self.addItem(self.mark, ignoreBounds=True)
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.scene().sigMouseClicked.connect(self._click)

    def show_values(
        self, span: Span, values: np.ndarray, scale: Scale, title: str, at: int | None = None
    ) -> None:
        """Show `values` (n,) or several of each (n, k) over a span, by a scale; `at` is the one that is pointed at."""
        self._given = span, values, scale, title, at
        shown = (span, scale, title, self.theme)
        if shown != self._shown:
            self._span, self._shown = span, shown
            self._dress(span, scale, title)
        heights = scale.heights(values)
        places = np.broadcast_to(span.places[:, None], (span.count, heights.size // span.count)).ravel()
        alone = heights.ndim > 1 or bool(scale.kinds)
        there = (
            places.size if np.isfinite(heights).any() else 0
        )  # pyqtgraph asks for the bounds of nothing but NaN
        self.line.setData(places[:there], heights.ravel()[:there], pen=None if alone else self._pen)
        self.mark.setVisible(at is not None)
        if at is not None:
            self.mark.setPos(float(span.places[at]))

    def follow_theme(self) -> None:
        if self._given is not None:
            self.show_values(*self._given)

    @property
    def _pen(self) -> Any:
        return pg.mkPen(self.theme.accent, width=self.theme.curve_width)

    def _dress(self, span: Span, scale: Scale, title: str) -> None:
        theme, plot = self.theme, self.getPlotItem()
        lay_ground(self, theme)
        have_axis(plot, "bottom", span.log, span.title, theme, grid=True, named=span.named)
        have_axis(plot, "left", scale.log, title, theme, grid=True, named=scale.named)
        self.line.setSymbolBrush(theme.accent)
        self.line.setSymbolPen(None)
        self.mark.setPen(pg.mkPen(clear(theme.text, 0.7), width=1))
        margin = 0.04 * (scale.high - scale.low)
        plot.setRange(xRange=span.edges, yRange=(scale.low - margin, scale.high + margin), padding=0.0)

    def _click(self, event: Any) -> None:
        box = self.getPlotItem().getViewBox()
        place: QPointF = event.scenePos()
        if (
            self._span is not None
            and event.button() == Qt.MouseButton.LeftButton
            and box.sceneBoundingRect().contains(place)
        ):
            self.chosen.emit(self._span.number(box.mapSceneToView(place).x()))
