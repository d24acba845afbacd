"""Plots of a recording's attitude and angular velocity over the time of the file, with the selected time range."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt, QTimer, Signal

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.recordings.resampling import PlotSeries, decimate
from quatviz.ui.widgets.axes import (
    SpanSelector,
    aligned_axis_width,
    configure_axis,
    remove_builtin_controls,
    set_plot_background,
    show_grid,
    style_axis,
)
from quatviz.ui.widgets.style import with_opacity

_REDRAW_DELAY_MS = 30
_MIN_HEIGHT = 16
"""Minimum height of both plots together, as a multiple of the type size."""
_MAX_WIDE_LINE_POINTS = 1200
"""Number of points above which a curve is one pixel wide. Wide lines take Qt ten times as long."""


class RecordingPlots(SpanSelector, pg.GraphicsLayoutWidget):
    """Two plots with a common time axis. The wheel zooms and dragging moves. The time range is moved by its edges or by the
    keyboard."""

    interval_changed = Signal(float, float)
    """The user moved the time range. Emitted with its start and end in the time of the file [s]."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview of the recording"))
        self._tracks: list[PlotSeries | None] = [None, None]
        self._comparison: tuple[PlotSeries, float] | None = None
        self._title = ""
        self.plots = [remove_builtin_controls(self.addPlot(row=row, col=0)) for row in range(2)]
        self.bands = []
        self._curves: list[list[Any]] = []
        self._comparison_curves: list[Any] = []
        for plot in self.plots:
            plot.setMouseEnabled(x=True, y=False)
            plot.enableAutoRange(x=False, y=False)
            self._curves.append([pg.PlotCurveItem(connect="finite") for _ in range(4)])
            region = pg.LinearRegionItem(swapMode="block")
            region.sigRegionChanged.connect(self._follow_region)
            region.sigRegionChangeFinished.connect(lambda _: self.interval_changed.emit(*self.span))
            self.bands.append(region)
            for item in (region, *self._curves[-1]):
                plot.addItem(item, ignoreBounds=True)
        self._comparison_curves = [pg.PlotCurveItem(connect="finite") for _ in range(3)]
        for item in self._comparison_curves:
            self.plots[1].addItem(item, ignoreBounds=True)
        self.plots[1].setXLink(self.plots[0])
        self._redraw_timer = QTimer(self, singleShot=True, interval=_REDRAW_DELAY_MS)
        self._redraw_timer.timeout.connect(self._draw)
        self.plots[0].getViewBox().sigXRangeChanged.connect(lambda *_: self._redraw_timer.start())
        self.ci.layout.setContentsMargins(0, GRID_UNIT, GRID_UNIT, 0)
        self.follow_theme()

    def show_track(self, attitude: PlotSeries, rates: PlotSeries, title: str, fit: bool) -> None:
        """Show an attitude, whose axis has this title, and angular velocities [rad/s]. Show the whole time range if `fit` is
        True."""
        self._tracks, self._title = [attitude, rates], title
        self.ends = float(rates.t[0]), float(rates.t[-1])
        for region in self.bands:
            region.setBounds(self.ends)
        self._label_axes()
        if fit:
            self.show_all()
        self._draw()

    def show_comparison(self, rates: PlotSeries | None, shift: float = 0.0) -> None:
        """Show the angular velocities of a lane as dashed curves, shifted by `shift` [s]. With None, hide these curves."""
        self._comparison = None if rates is None else (rates, shift)
        self._draw()

    def show_interval(self, start: float | None, stop: float | None) -> None:
        """Show the selected time range [s]. None stands for the start or the end of the recording."""
        low = self.ends[0] if start is None else start
        high = self.ends[1] if stop is None else stop
        self.show_span(low, high)

    def set_span_by_key(self, low: float, high: float) -> None:
        self.show_span(low, high)
        self.interval_changed.emit(low, high)

    def show_all(self) -> None:
        """Show the whole time range."""
        low, high = self.ends
        margin = 0.02 * (high - low) or 0.5
        self.plots[0].setXRange(low - margin, high + margin, padding=0.0)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which the curves and the titles of the axes are readable."""
        return QSize(super().minimumSizeHint().width(), _MIN_HEIGHT * self.theme.small)

    def follow_theme(self) -> None:
        theme = self.theme
        set_plot_background(self, theme)
        super().follow_theme()
        self._label_axes()
        self._draw()

    def _label_axes(self) -> None:
        theme = self.theme
        titles = self._title, tr("ω [rad/s]")
        for plot, title in zip(self.plots, titles, strict=True):
            configure_axis(plot, "left", False, title, theme, grid=True).setWidth(aligned_axis_width(theme))
        configure_axis(self.plots[1], "bottom", False, tr("t in the file [s]"), theme, grid=True)
        above = self.plots[0].getAxis("bottom")
        style_axis(above, theme)
        show_grid(above)
        above.setStyle(showValues=False)
        above.setHeight(GRID_UNIT)

    def _draw(self) -> None:
        """Draw the visible time range. Each plot has a vertical range that fits its curves."""
        low, high = self.plots[0].getViewBox().viewRange()[0]
        rates, shift = self._comparison or (None, 0.0)
        comparison = None if rates is None else decimate(rates, low - shift, high - shift)
        for number, (plot, track) in enumerate(zip(self.plots, self._tracks, strict=True)):
            values = (
                np.empty((0, 0)) if track is None else self._draw_curves(number, *decimate(track, low, high))
            )
            finite = values[np.isfinite(values)]
            if len(finite):
                least, most = float(finite.min()), float(finite.max())
                margin = 0.06 * (most - least) or 0.1 * abs(most) or 1.0
                plot.setYRange(least - margin, most + margin, padding=0.0)
        for column, curve in enumerate(self._comparison_curves):
            curve.setVisible(comparison is not None)
            if comparison is not None:
                curve.setPen(
                    pg.mkPen(with_opacity(self._color(column, 3), 0.8), width=1, style=Qt.PenStyle.DashLine)
                )
                curve.setData(comparison[0] + shift, comparison[1][:, column])

    def _draw_curves(self, number: int, t: np.ndarray, values: np.ndarray) -> np.ndarray:
        width = values.shape[1]
        thick = self.theme.curve_width if len(t) < _MAX_WIDE_LINE_POINTS else 1
        for column, curve in enumerate(self._curves[number]):
            is_visible = column < width and bool(np.isfinite(values[:, column]).any())
            curve.setVisible(is_visible)
            if is_visible:
                curve.setPen(pg.mkPen(self._color(column, width), width=thick))
                curve.setData(t, values[:, column], antialias=len(t) < _MAX_WIDE_LINE_POINTS)
        return values

    def _color(self, column: int, width: int) -> str:
        """Return the color of a component. It is gray for the scalar of a quaternion, and red, green and blue for the vector
        components."""
        return self.theme.components[column + 4 - width]

    def _follow_region(self, region: Any) -> None:
        self.show_span(*region.getRegion())
