"""Plot of the Poincaré section points of all runs of a map, or of random runs. A click on a point loads its run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from quatviz.analysis.sweeps.chart import COLORMAP, Chart
from quatviz.base.translation import tr
from quatviz.ui.widgets.axes import configure_axis, set_plot_background
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.point_bubble import PointBubble
from quatviz.ui.widgets.style import Themed

_FEW_POINTS, _LARGE_DOT, _SMALL_DOT = 5_000, 5.0, 3.0
"""Number of points up to which dots are large, and diameters of large and small dots [pixels]."""
_PICK_RADIUS = 12.0
"""Maximum distance of the mouse from a point to select it [pixels]."""
_SHADES = 32
_VISIBLE_RAMP = {False: (0.2, 1.0), True: (0.0, 0.9)}
"""Lower and upper end of the used part of the color ramp, from 0 to 1. The key is True for a bright background."""


class DotsItem(Guarded, pg.GraphicsObject):
    """Item that draws many points in a limited set of colors. One pyqtgraph item for each point would take seconds to draw."""

    def __init__(self) -> None:
        super().__init__()
        self._batches: list[tuple[Any, Any]] = []
        self._bounds = QRectF()

    def show_points(self, points: np.ndarray, shades: np.ndarray, colors: Sequence[Any]) -> None:
        """Draw points.

        Parameters
        ----------
        points
            Positions (k, 2).
        shades
            Shades (k,) from 0 to 1, which select the colors; NaN selects the last one.
        colors
            Colors of the shades, followed by the color for NaN.
        """
        last = len(colors) - 1
        shares = np.minimum(np.nan_to_num(shades) * last, last - 1)
        numbers = np.where(np.isnan(shades), last, shares).astype(int)
        self.prepareGeometryChange()
        width = _LARGE_DOT if len(points) <= _FEW_POINTS else _SMALL_DOT
        self._batches = []
        for number in np.unique(numbers):
            across, up = points[numbers == number].T
            pen = pg.mkPen(colors[number], width=width, cosmetic=True)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            self._batches.append((pen, pg.functions.arrayToQPolygonF(across, up)))
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
        self._bounds = QRectF(QPointF(*low), QPointF(*high)).normalized()
        self.informViewBoundsChanged()
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        transform = painter.worldTransform()
        painter.resetTransform()  # otherwise dots are stretched with the axes
        for pen, polygon in self._batches:
            painter.setPen(pen)
            painter.drawPoints(transform.map(polygon))


class SectionPlot(Themed, pg.PlotWidget):
    """Plot of the section points in a `Chart` (one measure of one lane of a map). The wheel zooms and dragging moves.

    A click on a point chooses its run and time.
    """

    chosen = Signal(object, object)
    """Emitted when a point was chosen, with the indices of its run along the axes of the map, and the point's
    time [s] or None."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setAccessibleName(tr("Section"))
        self.chart: Chart | None = None
        self._shown_key: object = None
        self.dots = DotsItem()
        self.addItem(self.dots)
        self.hideButtons()
        self.bubble = PointBubble(self)
        self.scene().sigMouseMoved.connect(self._hover)
        self.scene().sigMouseClicked.connect(self._click)

    def show_chart(self, chart: Chart) -> None:
        """Show the points of the chart that have been computed so far."""
        self.chart = chart
        shown = (chart.plot_axes, self.theme)
        if shown != self._shown_key:
            self._shown_key = shown
            self._style_axes(chart)
        scale_colors = None if chart.is_section else chart.scale.category_colors
        start, stop = _VISIBLE_RAMP[QColor(self.theme.surface).lightnessF() > 0.5]
        ramp = pg.colormap.get(COLORMAP).getLookupTable(start, stop, _SHADES, alpha=False)
        self.dots.show_points(
            chart.point_coordinates, chart.point_shades, [*(scale_colors or ramp.tolist()), self.theme.muted]
        )

    def release(self) -> None:
        """Free the points when another type of map is shown. The points of 100,000 runs take 150 MB."""
        self.chart = None
        self.dots.show_points(np.empty((0, 2)), np.empty(0), [self.theme.muted])

    def fit(self) -> None:
        """Show the whole range of the chart, including points that are still to be computed."""
        self.getPlotItem().enableAutoRange()

    def point_near(self, position: QPointF) -> int | None:
        """Return the index of the nearest point within `_PICK_RADIUS` of a scene position, or None."""
        if self.chart is None or not len(self.chart.point_coordinates):
            return None
        box = self.getPlotItem().getViewBox()
        (left, right), (low, high) = box.viewRange()
        scale = np.array([box.width() / (right - left), box.height() / (high - low)])
        at = box.mapSceneToView(position)
        distances = np.hypot(*((self.chart.point_coordinates - [at.x(), at.y()]) * scale).T)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= _PICK_RADIUS else None

    def follow_theme(self) -> None:
        if self.chart is not None:
            self.show_chart(self.chart)

    def _style_axes(self, chart: Chart) -> None:
        theme, plot = self.theme, self.getPlotItem()
        set_plot_background(self, theme)
        (along, log), (across, up_log) = chart.plot_axes
        configure_axis(plot, "bottom", log, along, theme, grid=True)
        configure_axis(plot, "left", up_log, across, theme, grid=True)

    def _hover(self, position: QPointF) -> None:
        number = self.point_near(position)
        self.setCursor(Qt.CursorShape.ArrowCursor if number is None else Qt.CursorShape.PointingHandCursor)
        if number is None or self.chart is None:
            self.bubble.hide()
            return
        lines = *self.chart.describe_point(number), tr("Click to load this run")
        self.bubble.show_at(lines, self.mapFromScene(position))

    def _click(self, event: Any) -> None:
        number = self.point_near(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and number is not None and self.chart is not None:
            event.accept()
            self.chosen.emit(tuple(self.chart.point_cells[number].tolist()), self.chart.crossing_time(number))
