"""Color map over two axes, with color bar, contours and the cell that is pointed at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QSizePolicy

from quatviz.analysis.sweeps.chart import COLORMAP, AxisSpan, Chart, ColorScale, cell_bounds, join_lines
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.axes import (
    AXIS_HEIGHT_IN_LINES,
    aligned_axis_width,
    configure_axis,
    remove_builtin_controls,
    set_plot_background,
)
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.point_bubble import PointBubble
from quatviz.ui.widgets.style import Themed, with_opacity

_SHADES = 256
COLOR_BAR_WIDTH = 2 * GRID_UNIT
"""Width of the color bar [pixels]."""
_STRIPE_PERIOD, _STRIPE_COUNT = 6, 70
"""Period of the stripes that mark cells without a result [image pixels], and approximate number of periods across a map."""
_MIN_ZOOM_CELLS = 2
"""Minimum number of cells along each side of a rectangle that the user draws to zoom in."""
_ARROW_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class MapViewBox(Guarded, pg.ViewBox):
    """View box that reports clicks, and rectangles drawn with the mouse. The mouse does not move the view."""

    clicked = Signal(object)
    """The map was clicked. Emitted with the position in coordinates of the view."""
    rectangle_drawn = Signal(object)
    """Emitted when a rectangle was drawn, with the rectangle in coordinates of the view."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, enableMouse=False, defaultPadding=0.0)

    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(self.mapToView(event.pos()))

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        start, end = event.buttonDownPos(), event.pos()
        if event.isFinish():
            self.rbScaleBox.hide()
            self.rectangle_drawn.emit(QRectF(self.mapToView(start), self.mapToView(end)).normalized())
        else:
            self.updateScaleBox(start, end)

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        event.ignore()


class MapPlot(Themed, pg.GraphicsLayoutWidget):
    """Color map of a `Chart` (one measure of one lane) over two axes.

    A click or Enter loads the run of a cell, a drawn rectangle zooms in, and arrow keys move the current cell.
    """

    cell_chosen = Signal(object)
    """The run of a cell is to be loaded. Emitted with the indices of the cell along both axes."""
    zoom_requested = Signal(object)
    """A rectangle was drawn. Emitted with the rectangle in coordinates of the axis spans."""
    cell_pointed = Signal(object)
    """Another cell became the current one. Emitted with the indices of the cell along both axes."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Map"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chart: Chart | None = None
        self.cell: tuple[int, int] | None = None
        self._shown_key: object = None
        """Axes, color scale, measure and theme of the last chart. If they change, axes and color bar are set up again."""
        self.view_box = MapViewBox()
        self.plot = remove_builtin_controls(self.addPlot(row=0, col=0, viewBox=self.view_box))
        box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self.color_bar = remove_builtin_controls(self.addPlot(row=0, col=1, viewBox=box))
        self.image, self._color_bar_image = pg.ImageItem(), pg.ImageItem()
        self._hole_image = pg.ImageItem()
        self.has_contours = False
        """True if contours, which are lines of equal values, are drawn."""
        self._contours = pg.PlotCurveItem(connect="finite", antialias=True)
        self._contour_marks = pg.PlotCurveItem(connect="finite", antialias=True)
        self._boundary = pg.PlotCurveItem(connect="finite", antialias=True)
        self._boundary_halo = pg.PlotCurveItem(connect="finite", antialias=True)
        self._crosshair = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0)
        for item in (
            self.image,
            self._hole_image,
            self._contours,
            self._boundary_halo,
            self._boundary,
            *self._crosshair,
        ):
            self.plot.addItem(item, ignoreBounds=True)
        for item in (self._color_bar_image, self._contour_marks):
            self.color_bar.addItem(item, ignoreBounds=True)
        self.bubble = PointBubble(self)
        self.ci.layout.setColumnStretchFactor(0, 1)
        self.color_bar.layout.setColumnFixedWidth(1, COLOR_BAR_WIDTH)
        self.color_bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.ci.layout.setContentsMargins(GRID_UNIT, GRID_UNIT, GRID_UNIT, GRID_UNIT)
        self.view_box.clicked.connect(self._click)
        self.view_box.rectangle_drawn.connect(self._request_zoom)
        self.scene().sigMouseMoved.connect(self._hover)

    def show_chart(self, chart: Chart) -> None:
        """Show the cells of the chart that have been computed so far."""
        self.chart = chart
        across, up = chart.spans
        shown = (chart.spans, chart.scale, chart.measure, self.theme)
        if shown != self._shown_key:
            self._shown_key = shown
            self._style_axes(across, up, chart.scale, chart.measure_class.axis_label())
        rect = QRectF(*cell_bounds(across, up))
        self.image.setImage(chart.scale.normalize(chart.filled_values).astype(np.float32), levels=(0.0, 1.0))
        self._hole_image.setImage(
            _hatch_pattern(chart.holes[chart.nearest_computed], self.theme.muted, self.theme.surface),
            levels=(0, 255),
        )
        for item in (self.image, self._hole_image):
            item.setRect(rect)
        contours = chart.contours()
        self.has_contours = bool(contours)
        self._contours.setData(*join_lines(contours))
        self._contour_marks.setData(*join_lines(chart.contour_marks()))
        if self.cell is not None:
            self.point_at(self.cell)

    def show_boundary(self, lines: Sequence[np.ndarray]) -> None:
        """Draw the theoretical boundary between types of motion as polylines (n, 2), in coordinates of the axis spans."""
        for item in (self._boundary_halo, self._boundary):
            item.setData(*join_lines(lines))

    def point_at(self, cell: tuple[int, int]) -> None:
        """Make a cell the current one, and emit `cell_pointed`."""
        assert self.chart is not None
        self.cell = cell
        for line, span, number in zip(self._crosshair, self.chart.spans, cell, strict=True):
            line.setPos(float(span.coordinates[number]))
            line.show()
        self.cell_pointed.emit(cell)

    def follow_theme(self) -> None:
        if self.chart is not None:
            self.show_chart(self.chart)

    # --- drawing

    def _style_axes(self, across: AxisSpan, up: AxisSpan, scale: ColorScale, title: str) -> None:
        """Set up axes, colors and color bar for the current chart and theme."""
        theme = self.theme
        set_plot_background(self, theme)
        self.view_box.setBackgroundColor(with_opacity(theme.line, 0.6))
        colormap = scale.category_colors and pg.ColorMap(None, scale.category_colors, mapping="clip")
        colors = (colormap or pg.colormap.get(COLORMAP)).getLookupTable(
            nPts=len(scale.categories) or _SHADES, alpha=False
        )
        for item in (self.image, self._color_bar_image):
            item.setLookupTable(colors)
        for side, span in (("bottom", across), ("left", up)):
            configure_axis(self.plot, side, span.log, span.title, theme, tick_labels=span.tick_labels)
        configure_axis(self.color_bar, "right", scale.log, title, theme, tick_labels=scale.tick_labels)
        for plot, side in ((self.plot, "left"), (self.color_bar, "right")):
            plot.getAxis(side).setWidth(aligned_axis_width(theme))
        for side in ("left", "bottom"):
            self.color_bar.hideAxis(side)
        self.view_box.setRange(QRectF(*cell_bounds(across, up)), padding=0.0)
        self.color_bar.setContentsMargins(0, 0, 0, round(AXIS_HEIGHT_IN_LINES * theme.normal))
        self.color_bar.getViewBox().setRange(QRectF(0.0, scale.low, 1.0, scale.high - scale.low), padding=0.0)
        self._color_bar_image.setImage(scale.key_colors[None, :], levels=(0.0, 1.0))
        self._color_bar_image.setRect(QRectF(0.0, scale.low, 1.0, scale.high - scale.low))
        self._boundary_halo.setPen(pg.mkPen(QColor("#ffffff"), width=4))
        self._boundary.setPen(pg.mkPen(QColor("#000000"), width=2, style=Qt.PenStyle.DashLine))
        for item in (self._contours, self._contour_marks):
            item.setPen(pg.mkPen(QColor("#ffffff"), width=1.2))
        for line in self._crosshair:
            line.setPen(pg.mkPen(with_opacity(theme.text, 0.7), width=1))
            line.setVisible(self.cell is not None)
        self.view_box.rbScaleBox.setPen(pg.mkPen(theme.accent, width=2))
        self.view_box.rbScaleBox.setBrush(pg.mkBrush(with_opacity(theme.accent, 0.2)))

    # --- mouse

    def _cell_at(self, position: QPointF) -> tuple[int, int] | None:
        """Return the cell at a position in coordinates of the axis spans, or None."""
        if self.chart is None:
            return None
        indices = []
        for span, coordinate in zip(self.chart.spans, (position.x(), position.y()), strict=True):
            low, high = span.edges
            if not low <= coordinate <= high:
                return None
            indices.append(span.nearest_index(coordinate))
        return indices[0], indices[1]

    def _hover(self, scene_position: QPointF) -> None:
        inside = self.view_box.sceneBoundingRect().contains(scene_position)
        cell = self._cell_at(self.view_box.mapSceneToView(scene_position)) if inside else None
        if cell is None or self.chart is None:
            self.bubble.hide()
            return
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.point_at(cell)
        self.bubble.show_at(
            [*self.chart.describe_cell(cell), tr("Click to load this run")], self.mapFromScene(scene_position)
        )

    def _click(self, position: QPointF) -> None:
        cell = self._cell_at(position)
        if cell is not None:
            self.cell_chosen.emit(cell)

    def _request_zoom(self, rect: QRectF) -> None:
        if self.chart is None:
            return
        across, up = self.chart.spans
        inside = rect.intersected(QRectF(*cell_bounds(across, up)))
        if inside.width() >= _MIN_ZOOM_CELLS * across.step and inside.height() >= _MIN_ZOOM_CELLS * up.step:
            self.zoom_requested.emit(inside)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.chart is None or key not in (*_ARROW_STEPS, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        shape = self.chart.computed.shape
        cell = self.cell or (shape[0] // 2, shape[1] // 2)
        if key in _ARROW_STEPS:
            step = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            new_cell = [
                number + step * by for number, by in zip(cell, _ARROW_STEPS[Qt.Key(key)], strict=True)
            ]
            self.point_at((_clamp(new_cell[0], shape[0]), _clamp(new_cell[1], shape[1])))
            self._show_cell_values()
        else:
            self.cell_chosen.emit(cell)

    def _show_cell_values(self) -> None:
        """Show the values of the current cell beside it."""
        assert self.chart is not None
        assert self.cell is not None
        center = QPointF(
            *(float(span.coordinates[index]) for span, index in zip(self.chart.spans, self.cell, strict=True))
        )
        words = self.chart.describe_cell(self.cell)
        self.setAccessibleDescription("; ".join(words))
        self.bubble.show_at(words, self.mapFromScene(self.view_box.mapViewToScene(center)))


def _clamp(number: int, count: int) -> int:
    return min(max(number, 0), count - 1)


def _hatch_pattern(holes: np.ndarray, line: str, ground: str) -> np.ndarray:
    """Return an RGBA image (m, n, 4) with stripes in the cells where `holes` is True, that is, without a result.

    In a small map each cell has several pixels.
    """
    dots_per_cell = [max(1, round(_STRIPE_PERIOD * _STRIPE_COUNT / count)) for count in holes.shape]
    dots = holes.repeat(dots_per_cell[0], axis=0).repeat(dots_per_cell[1], axis=1)
    across, up = np.indices(dots.shape)
    colors = [with_opacity(color, share).getRgb() for color, share in ((ground, 1.0), (line, 0.6))]
    pixels = np.array(colors, np.uint8)[((across + up) % _STRIPE_PERIOD == 0).astype(int)]
    pixels[~dots] = 0
    return pixels
