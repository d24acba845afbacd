"""A curve of how fast a recording turns, in which a person draws the stretch that is fitted."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.axes import Stretching, have_axis, lay_ground

_HIGH = 22 * UNIT


class StretchPlot(Stretching, pg.PlotWidget):
    """The curve over time, and the stretch as a band whose ends, and which itself, can be drawn, or moved by keys."""

    drawn = Signal(float, float)
    """From when to when a hand has drawn it [s]."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setAccessibleName(tr("How fast the recording turns, and the stretch that is fitted"))
        self.setFixedHeight(_HIGH)
        self.getPlotItem().layout.setContentsMargins(
            0, UNIT, UNIT, 0
        )  # for half of a number at the end of an axis
        self._title = ""
        self.line = pg.PlotDataItem(
            connect="finite", antialias=True, autoDownsample=True, downsampleMethod="peak"
        )
        self.band = pg.LinearRegionItem((0.0, 1.0), swapMode="sort")
        self.bands = [self.band]
        self.addItem(self.line)
        self.addItem(self.band, ignoreBounds=True)
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.band.sigRegionChanged.connect(self._tell)
        self.band.hide()

    def show_curve(self, t: np.ndarray, values: np.ndarray, title: str) -> None:
        """Show values (n,) at times t (n,) [s]; none are no recording."""
        there = len(t) if np.isfinite(values).any() else 0  # pyqtgraph asks for the bounds of nothing but NaN
        self.line.setData(t[:there], values[:there])
        self.band.setVisible(there > 0)
        self._title = title
        if there:
            self.ends = float(t[0]), float(t[-1])
            self.band.setBounds(self.ends)
            highest = float(np.nanmax(values))
            self.setRange(xRange=self.ends, yRange=(0.0, 1.05 * highest or 1.0), padding=0.01)
        self.follow_theme()

    def follow_theme(self) -> None:
        theme, plot = self.theme, self.getPlotItem()
        lay_ground(self, theme)
        have_axis(plot, "bottom", False, "t [s]", theme)
        have_axis(plot, "left", False, self._title, theme).setWidth(8 * UNIT)
        self.line.setPen(pg.mkPen(theme.omega, width=theme.curve_width))
        super().follow_theme()

    def move_span(self, low: float, high: float) -> None:
        self.band.setRegion((low, high))

    def _tell(self, _: Any = None) -> None:
        self.drawn.emit(*self.span)
