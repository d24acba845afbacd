"""Plots of the residuals of a fit over time, one for each component. Their titles state standard deviation and whiteness."""

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QFontMetrics, QResizeEvent

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import describe_residual
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.axes import (
    aligned_axis_width,
    configure_axis,
    remove_builtin_controls,
    set_plot_background,
)
from quatviz.ui.widgets.style import Themed, tabular_font, with_opacity

_AXES = 3
"""Number of axes of the body."""
_TITLE_LAYOUTS = (_AXES, ()), (_AXES, ("; ",)), (_AXES, ("; ", ", ")), (1, ())
"""Layouts in order of preference: number of plot columns, and separators at which titles are broken into lines."""
_MIN_PLOT_HEIGHT = 7
"""Minimum height of a plot without its title, as a multiple of the type size."""
_INITIAL_SIGMAS = 5.0
"""Half of the initial vertical range of a residual plot, in standard deviations."""


class ResidualPlots(Themed, pg.GraphicsLayoutWidget):
    """Plots of the residuals: attitudes in the first row, rates in the second, one column for each axis of the body. If three
    columns are too narrow, all plots are in one column.

    A band marks one standard deviation to either side. The wheel zooms, dragging moves, F shows all.
    """

    _fit: BodyFit | None = None  # pyqtgraph resizes the widget before it is complete

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Residuals"))
        self.plots: list[Any] = []
        self.titles: list[str] = []
        """Titles of the residual plots."""
        self._items: list[tuple[Any, Any]] = []
        """For each residual plot, its curve and its band of one standard deviation."""
        self._column_count, self._title_height = _AXES, 0
        self.ci.layout.setContentsMargins(GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT)
        self.ci.layout.setSpacing(GRID_UNIT)

    def show_fit(self, fit: BodyFit | None) -> None:
        """Show the residuals of this fit. None discards the last fit but leaves the plots, which the window then hides."""
        if fit is self._fit:
            return
        self._fit = fit
        self.titles = []
        if fit is None:
            return
        components, colored = fit.residual_components, fit.non_white_residuals
        self.titles = [describe_residual(component, component not in colored) for component in components]
        if len(components) != len(self.plots):
            self._make_plots(len(components))
        low, high = float(fit.residuals.t[0]), float(fit.residuals.t[-1])
        for component, plot, (line, band) in zip(components, self.plots, self._items, strict=True):
            line.setData(fit.residuals.t, component.values)
            band.setRegion((-component.sigma, component.sigma))
            y_range = -_INITIAL_SIGMAS * component.sigma, _INITIAL_SIGMAS * component.sigma
            plot.setRange(xRange=(low, high), yRange=y_range, padding=0.0)
        self.follow_theme()

    def minimumSizeHint(self) -> QSize:
        """Return the size at which titles, axes and curves are readable."""
        row_count = -(-len(self.plots) // self._column_count)
        row_height = self._title_height + _MIN_PLOT_HEIGHT * self.theme.small
        return QSize(super().minimumSizeHint().width(), row_count * row_height)

    def fit_range(self) -> None:
        """Fit the ranges of all plots to all samples, including outliers."""
        for plot in self.plots:
            plot.enableAutoRange()

    def follow_theme(self) -> None:
        set_plot_background(self, self.theme)
        self._label_axes()
        self._show_titles()

    def _label_axes(self) -> None:
        """Set the titles of the axes, and the colors of the curves."""
        theme = self.theme
        components = () if self._fit is None else self._fit.residual_components
        for number, component in enumerate(components):
            plot, (line, band) = self.plots[number], self._items[number]
            last = number >= len(components) - self._column_count
            configure_axis(plot, "bottom", False, "t [s]" if last else "", theme)
            title = f"{component.name} [{component.unit}]"
            configure_axis(plot, "left", False, title, theme).setWidth(aligned_axis_width(theme))
            line.setPen(pg.mkPen(theme.components[1 + number % _AXES], width=1))
            band.setBrush(with_opacity(theme.muted, 0.25))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_titles()

    def _show_titles(self) -> None:
        """Show the titles above the plots.

        If the titles are too wide for three columns, they are broken into two or three lines without the unit, which the axis
        shows too. If that is not enough, all plots are in one column.
        """
        if self._fit is None:
            return
        theme = self.theme
        metrics = QFontMetrics(tabular_font(theme, theme.small))
        components = self._fit.residual_components
        for column_count, separators in _TITLE_LAYOUTS:
            available_width = self.width() // column_count - GRID_UNIT - aligned_axis_width(theme)
            titles = [
                _break_title(title, component.unit, separators)
                for component, title in zip(components, self.titles, strict=True)
            ]
            if max(metrics.horizontalAdvance(line) for lines in titles for line in lines) <= available_width:
                break
        self._arrange_plots(column_count)
        height = max(map(len, titles)) * metrics.lineSpacing() + GRID_UNIT
        if height != self._title_height:
            self._title_height = height
            self.updateGeometry()
        for plot, lines in zip(self.plots, titles, strict=True):
            plot.setTitle("<br>".join(lines), color=theme.text, size=f"{theme.small}px")
            plot.titleLabel.setMinimumWidth(0)
            plot.titleLabel.setMaximumHeight(height)
            plot.layout.setRowFixedHeight(0, height)
        QTimer.singleShot(0, self, self._fit_into_view)  # after the layouts know the new width of the titles

    def _arrange_plots(self, column_count: int) -> None:
        """Arrange the plots in this number of columns."""
        if column_count == self._column_count:
            return
        self._column_count = column_count
        for plot in self.plots:
            self.removeItem(plot)
        for number, plot in enumerate(self.plots):
            self.addItem(plot, *divmod(number, column_count))
        self._label_axes()
        self.updateGeometry()

    def _fit_into_view(self) -> None:
        """Shrink the plots to the width of the view, because wide titles may have widened the plots."""
        self.ci.setGeometry(self.viewRect())

    def _make_plots(self, count: int) -> None:
        """Create empty plots. Do not call this during a change of theme, while Qt iterates over all widgets."""
        self.clear()
        self.plots, self._items = [], []
        for number in range(count):
            row, column = divmod(number, self._column_count)
            plot = remove_builtin_controls(self.addPlot(row=row, col=column))
            band = pg.LinearRegionItem((-1.0, 1.0), "horizontal", pen=pg.mkPen(None), movable=False)
            plot.addItem(band, ignoreBounds=True)
            line = pg.PlotDataItem(connect="finite", autoDownsample=True, downsampleMethod="peak")
            plot.addItem(line)
            self.plots.append(plot)
            self._items.append((line, band))
            plot.setXLink(self.plots[0])


def _break_title(title: str, unit: str, separators: Sequence[str]) -> list[str]:
    """Return the lines of a title, broken at the separators. If there are separators, its unit is left out."""
    lines = [title.replace(f" {unit}", "") if separators else title]
    for separator in separators:
        lines = [part for line in lines for part in line.split(separator)]
    return lines
