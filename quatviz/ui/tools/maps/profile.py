"""Line plot of values along one axis: a profile through a map, or a map with a single axis."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

from quatviz.analysis.sweeps.chart import AxisSpan, ColorScale
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.tools.maps.map_plot import COLOR_BAR_WIDTH
from quatviz.ui.widgets.axes import aligned_axis_width, configure_axis, set_plot_background
from quatviz.ui.widgets.style import Themed, with_opacity

_DOT_SIZE = 5
_LAYOUT_GAP = 6
"""Gap between map and color bar in pyqtgraph's layout [pixels], used to align the profile with the map
above."""


class ProfilePlot(Themed, pg.PlotWidget):
    """Line plot of values over one axis, with dots at values that have no neighbors. A click chooses a value."""

    chosen = Signal(int)
    """A point of the profile was chosen. Emitted with its index."""

    def __init__(self, below_map: bool = False) -> None:
        """Create the plot. With `below_map` it is aligned with a map above it that has a color bar at its right."""
        super().__init__(enableMenu=False)
        self._is_below_map = below_map
        self.setAccessibleName(tr("Profile"))
        self._span: AxisSpan | None = None
        self._shown_key: object = None
        self._arguments: tuple[AxisSpan, np.ndarray, ColorScale, str, int | None] | None = None
        """Last arguments of `show_values`."""
        self.line = pg.PlotDataItem(connect="finite", antialias=True, symbol="o", symbolSize=_DOT_SIZE)
        self.mark = pg.InfiniteLine(angle=90)
        self.addItem(self.line)
        self.addItem(self.mark, ignoreBounds=True)
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.scene().sigMouseClicked.connect(self._click)

    def show_values(
        self,
        span: AxisSpan,
        values: np.ndarray,
        scale: ColorScale,
        title: str,
        marked_index: int | None = None,
    ) -> None:
        """Show values over a span.

        Parameters
        ----------
        span
            Span of the horizontal axis.
        values
            Values (n,), or several for each point (n, k).
        scale
            Color scale of the measure.
        title
            Title of the vertical axis.
        marked_index
            Index of the point that is marked, or None.
        """
        self._arguments = span, values, scale, title, marked_index
        shown = (span, scale, title, self.theme)
        if shown != self._shown_key:
            self._span, self._shown_key = span, shown
            self._style_axes(span, scale, title)
        heights = scale.coordinates(values)
        places = np.broadcast_to(span.coordinates[:, None], (span.count, heights.size // span.count)).ravel()
        is_scatter = heights.ndim > 1 or bool(scale.categories)
        count = (
            places.size if np.isfinite(heights).any() else 0
        )  # pyqtgraph fails to compute bounds of data with only NaN
        self.line.setData(places[:count], heights.ravel()[:count], pen=None if is_scatter else self._pen)
        self.mark.setVisible(marked_index is not None)
        if marked_index is not None:
            self.mark.setPos(float(span.coordinates[marked_index]))

    def follow_theme(self) -> None:
        if self._arguments is not None:
            self.show_values(*self._arguments)

    @property
    def _pen(self) -> Any:
        return pg.mkPen(self.theme.accent, width=self.theme.curve_width)

    def _style_axes(self, span: AxisSpan, scale: ColorScale, title: str) -> None:
        theme, plot = self.theme, self.getPlotItem()
        set_plot_background(self, theme)
        configure_axis(plot, "bottom", span.log, span.title, theme, grid=True, tick_labels=span.tick_labels)
        configure_axis(plot, "left", scale.log, title, theme, grid=True, tick_labels=scale.tick_labels)
        if self._is_below_map:
            width = aligned_axis_width(theme)
            plot.getAxis("left").setWidth(width)
            plot.layout.setContentsMargins(GRID_UNIT, 0, width + COLOR_BAR_WIDTH + GRID_UNIT + _LAYOUT_GAP, 0)
        self.line.setSymbolBrush(theme.accent)
        self.line.setSymbolPen(None)
        self.mark.setPen(pg.mkPen(with_opacity(theme.text, 0.7), width=1))
        margin = 0.04 * (scale.high - scale.low)
        plot.setRange(xRange=span.edges, yRange=(scale.low - margin, scale.high + margin), padding=0.0)

    def _click(self, event: Any) -> None:
        box = self.getPlotItem().getViewBox()
        position: QPointF = event.scenePos()
        if (
            self._span is not None
            and event.button() == Qt.MouseButton.LeftButton
            and box.sceneBoundingRect().contains(position)
        ):
            self.chosen.emit(self._span.nearest_index(box.mapSceneToView(position).x()))
