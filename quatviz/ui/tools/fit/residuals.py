"""What a fit leaves over, component by component over time, with how large and how white it is."""

from typing import Any

import pyqtgraph as pg

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import residual_words
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.axes import have_axis, lay_ground, plain
from quatviz.ui.widgets.style import Themed, clear

_MOST = 5.0
"""Of the usual size, that is in sight at first."""


class ResidualPlots(Themed, pg.GraphicsLayoutWidget):
    """Turns above rates, an axis a column. The band is once the usual size to either side; the wheel zooms, dragging moves,
    F shows all."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("What the fit leaves over"))
        self.plots: list[Any] = []
        self.words: list[str] = []
        """What stands above each plot."""
        self._items: list[tuple[Any, Any]] = []
        """Line and band of each."""
        self._fit: BodyFit | None = None
        self.ci.layout.setContentsMargins(UNIT, UNIT, 2 * UNIT, UNIT)
        self.ci.layout.setSpacing(UNIT)

    def show_fit(self, fit: BodyFit | None) -> None:
        """Show what this one leaves over."""
        if fit is self._fit:
            return
        self._fit = fit
        self.words = []
        if fit is None:
            return
        every, coloured = fit.residuals, fit.coloured
        self.words = [residual_words(one, one not in coloured) for one in every]
        if len(every) != len(self.plots):
            self._make(len(every))
        low, high = float(fit.left.t[0]), float(fit.left.t[-1])
        for one, plot, (line, band) in zip(every, self.plots, self._items, strict=True):
            line.setData(fit.left.t, one.values)
            band.setRegion((-one.sigma, one.sigma))
            ends = -_MOST * one.sigma, _MOST * one.sigma
            plot.setRange(xRange=(low, high), yRange=ends, padding=0.0)
        self.follow_theme()

    def fit_range(self) -> None:
        """Show every sample, however far off."""
        for plot in self.plots:
            plot.enableAutoRange()

    def follow_theme(self) -> None:
        theme = self.theme
        lay_ground(self, theme)
        pixels = f"{theme.small}px"
        every = () if self._fit is None else self._fit.residuals
        for number, one in enumerate(every):
            plot, (line, band) = self.plots[number], self._items[number]
            plot.setTitle(self.words[number], color=theme.text, size=pixels)
            last = number // 3 == len(every) // 3 - 1
            have_axis(plot, "bottom", False, "t [s]" if last else "", theme)
            have_axis(plot, "left", False, f"{one.name} [{one.unit}]", theme).setWidth(9 * UNIT)
            line.setPen(pg.mkPen(theme.components[1 + number % 3], width=1))
            band.setBrush(clear(theme.muted, 0.25))

    def _make(self, count: int) -> None:
        """Plots without anything in them. Never while a theme comes: Qt then goes through widgets that these bring along."""
        self.clear()
        self.plots, self._items = [], []
        for number in range(count):
            plot = plain(self.addPlot(row=number // 3, col=number % 3))
            band = pg.LinearRegionItem((-1.0, 1.0), "horizontal", pen=pg.mkPen(None), movable=False)
            plot.addItem(band, ignoreBounds=True)
            line = pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak")
            plot.addItem(line)
            self.plots.append(plot)
            self._items.append((line, band))
            plot.setXLink(self.plots[0])
