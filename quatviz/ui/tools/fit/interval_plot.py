"""Plot of a recording's angular speed in which the user drags the fitted time range."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.axes import SpanSelector, aligned_axis_width, configure_axis, set_plot_background

_MIN_HEIGHT, _HEIGHT = 14 * GRID_UNIT, 22 * GRID_UNIT
"""Minimum and maximum height of the plot [pixels at 100 %]."""


class IntervalPlot(SpanSelector, pg.PlotWidget):
    """Curve over time with the fitted range as a band. The user moves the band or its ends with the mouse or the keyboard."""

    interval_changed = Signal(float, float)
    """The user moved the range. Emitted with its start and end [s]."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setAccessibleName(tr("Angular speed of the recording, and the fitted interval"))
        self.getPlotItem().layout.setContentsMargins(
            0, GRID_UNIT, GRID_UNIT, 0
        )  # space for half of a number at the end of an axis
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
        self.band.sigRegionChanged.connect(self._emit_interval)
        self.band.hide()

    def show_curve(self, t: np.ndarray, values: np.ndarray, title: str) -> None:
        """Show values (n,) at times t (n,) [s]. Empty arrays clear the plot."""
        count = (
            len(t) if np.isfinite(values).any() else 0
        )  # pyqtgraph fails to compute bounds of data with only NaN
        self.line.setData(t[:count], values[:count])
        self.band.setVisible(count > 0)
        self._title = title
        if count:
            self.ends = float(t[0]), float(t[-1])
            self.band.setBounds(self.ends)
            highest = float(np.nanmax(values))
            self.setRange(xRange=self.ends, yRange=(0.0, 1.05 * highest or 1.0), padding=0.01)
        self.follow_theme()

    def follow_theme(self) -> None:
        theme, plot = self.theme, self.getPlotItem()
        self.setMinimumHeight(theme.scaled_pixels(_MIN_HEIGHT))
        self.setMaximumHeight(theme.scaled_pixels(_HEIGHT))
        set_plot_background(self, theme)
        configure_axis(plot, "bottom", False, "t [s]", theme)
        configure_axis(plot, "left", False, self._title, theme).setWidth(aligned_axis_width(theme))
        self.line.setPen(pg.mkPen(theme.omega, width=theme.curve_width))
        super().follow_theme()

    def set_span_by_key(self, low: float, high: float) -> None:
        self.band.setRegion((low, high))

    def _emit_interval(self, _: Any = None) -> None:
        self.interval_changed.emit(*self.span)
