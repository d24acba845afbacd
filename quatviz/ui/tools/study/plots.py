"""Log-log plots of the error over time step or tolerance, and of the error over processor time."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

from quatviz.analysis.studies.measures import StudyMeasure
from quatviz.analysis.studies.plot_guides import OrderGuide, abscissa, order_guides
from quatviz.analysis.studies.tables import describe_point
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.tools.study.curve_style import CurveStyle
from quatviz.ui.widgets.axes import configure_axis, remove_builtin_controls, set_plot_background, show_grid
from quatviz.ui.widgets.point_bubble import PointBubble
from quatviz.ui.widgets.style import Themed, tabular_font, tint, with_opacity

_TARGET_SIZE = 20
"""Diameter of the area around a marker that reacts to the mouse [pixels]."""
_MIN_HEIGHT = 220
"""Minimum height of the plots [pixels] at any type size, chosen to fit a small screen with large type."""
_MIN_GUIDE_LINES = 8
"""Height of a plot below which its guide lines for the order of convergence are hidden, in multiples of the type size."""
_LOWEST_DECADE = -400.0
"""Lower end of the band that marks the error of the reference, as a decimal logarithm. It is below any error."""


class StudyPlots(Themed, pg.GraphicsLayoutWidget):
    """Plots of a convergence study. A click on a point emits `chosen`.

    The wheel zooms, dragging moves, F shows all. The coordinates of the plots are decimal logarithms.
    """

    chosen = Signal(object)
    """A point was clicked. Emitted with its `analysis.studies.measurement.StudyPoint`."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Plots of the study"))
        self._styles: Sequence[CurveStyle] = ()
        self._measure: type[StudyMeasure] | None = None
        self._level = 0.0
        self._over_tolerances = False
        self._style_key: object = None
        """Theme and curve styles for which the present items were created."""
        self._items: list[list[Any]] = [[], []]
        """For each of the two plots, the items of its curves, one for each curve style."""
        self._guides: list[Any] = []
        self._bands: list[Any] = []
        self.targets: list[Any] = []
        """Scatter items that receive the mouse, one for each plot.

        Each draws a ring around the marker under the mouse. The data of a spot are its curve and the index of the point.
        """
        self.plots: list[Any] = []
        for column in range(2):
            self.plots.append(remove_builtin_controls(self.addPlot(row=0, col=column)))
            self.ci.layout.setColumnStretchFactor(column, 1)
            self.ci.layout.setColumnPreferredWidth(column, 400)
        self.plots[1].setYLink(self.plots[0])
        box = self.plots[0].getViewBox()
        for signal in (box.sigRangeChanged, box.sigResized):
            signal.connect(lambda *_: self._show_fitting_guides())
        self.ci.layout.setHorizontalSpacing(3 * GRID_UNIT)
        self.ci.layout.setContentsMargins(GRID_UNIT, 2 * GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT)
        self.setMinimumHeight(_MIN_HEIGHT)
        self.bubble = PointBubble(self, rich_text=True)
        self.follow_theme()

    def show_curves(
        self,
        styles: Sequence[CurveStyle],
        measure: type[StudyMeasure],
        level: float,
        over_tolerances: bool = False,
    ) -> None:
        """Show the curves of one measure.

        Parameters
        ----------
        styles
            Curves with their styles.
        measure
            Error measure of the vertical axis.
        level
            Error of the reference. Values below it are not meaningful.
        over_tolerances
            True if the left plot is over tolerances instead of time steps.
        """
        needs_fit = (
            measure is not self._measure or not self._styles or over_tolerances != self._over_tolerances
        )
        self._styles, self._measure, self._level = styles, measure, level
        self._over_tolerances = over_tolerances
        if needs_fit:
            self._label_axes()
        self._draw()
        if needs_fit:
            self.fit()

    def fit(self) -> None:
        """Show the whole range of the curves. It includes points that are still to be computed."""
        for plot in self.plots:
            plot.enableAutoRange()

    def follow_theme(self) -> None:
        set_plot_background(self, self.theme)
        self._label_axes()
        self._draw()

    def _label_axes(self) -> None:
        """Label the axes."""
        unit = f" [{self._measure.unit}]" if self._measure is not None and self._measure.unit else ""
        error = tr("Error{unit}", unit=unit)  # a choice box above names the error
        first = tr("Tolerance of adaptive methods") if self._over_tolerances else tr("Time step dt [s]")
        for plot, *titles in zip(
            self.plots, (error, ""), (first, tr("Processor time of the run [s]")), strict=True
        ):
            for side, title in zip(("left", "bottom"), titles, strict=True):
                show_grid(configure_axis(plot, side, True, title, self.theme), 140)
        self.plots[1].getAxis("left").setStyle(showValues=False)

    @property
    def shows_noise_floor(self) -> bool:
        """True if the visible range includes the band of errors that are below the accuracy of the reference."""
        low = self.plots[0].getViewBox().viewRange()[1][0]
        return self._has_noise_floor and math.log10(self._level) > low

    @property
    def _has_noise_floor(self) -> bool:
        return self._level > 0 and any(len(target.data) for target in self.targets)

    # --- drawing

    def _draw(self) -> None:
        """Update the data of the curves. If the styles are the same, the items are reused, because creating items is much
        slower."""
        self.bubble.hide()
        style_key = (
            self.theme,
            *(
                (
                    curve_style.curve.name,
                    curve_style.color.name(),
                    curve_style.symbol,
                    curve_style.pattern,
                    curve_style.size,
                )
                for curve_style in self._styles
            ),
        )
        if style_key != self._style_key:
            self._style_key = style_key
            self._make_items()
        for number, target in enumerate(self.targets):
            target.setData(
                [
                    spot
                    for curve_style, item in zip(self._styles, self._items[number], strict=True)
                    for spot in self._set_curve_data(number, curve_style, item)
                ]
            )
        has_points = any(len(target.data) for target in self.targets)
        for plot, side in ((0, "left"), (0, "bottom"), (1, "bottom")):
            self.plots[plot].getAxis(side).setStyle(showValues=has_points)
        for band in self._bands:
            band.setVisible(self._has_noise_floor)
            if self._has_noise_floor:
                band.setRegion((_LOWEST_DECADE, math.log10(self._level)))
        for item in self._guides:
            self.plots[0].removeItem(item)
        lines = (
            [] if self._over_tolerances else order_guides([curve_style.curve for curve_style in self._styles])
        )
        self._guides = [item for guide in lines for item in self._make_guide(guide)]
        self._show_fitting_guides()

    def _make_items(self) -> None:
        """Create the items of all curves, guides and bands in the colors of the theme."""
        theme = self.theme
        self._guides = []
        for number, plot in enumerate(self.plots):
            plot.clear()
            self._items[number] = [_make_curve_item(curve_style) for curve_style in self._styles]
            for item in self._items[number]:
                plot.addItem(item)
        ground, ink = tint(theme.muted, theme.surface, 0.2), pg.mkPen(theme.text, width=1.6)
        self._bands = [
            pg.LinearRegionItem(
                (_LOWEST_DECADE, 0.0), "horizontal", brush=ground, pen=pg.mkPen(None), movable=False
            )
            for _ in self.plots
        ]
        self.targets = [
            pg.ScatterPlotItem(
                size=_TARGET_SIZE, brush=None, pen=None, hoverable=True, hoverPen=ink, tip=None
            )
            for _ in self.plots
        ]
        for items, z_value in ((self._bands, -100), (self.targets, 100)):
            for plot, item in zip(self.plots, items, strict=True):
                item.setZValue(z_value)
                plot.addItem(item, ignoreBounds=True)
        for target in self.targets:
            target.sigHovered.connect(self._hover)
            target.sigClicked.connect(self._click)

    def _set_curve_data(self, number: int, curve_style: CurveStyle, item: Any) -> list[dict[str, Any]]:
        """Set the points of a curve in one plot, and return the spots that receive the mouse."""
        costs = [
            point.seconds if number else abscissa(point, self._over_tolerances)
            for point in curve_style.curve.points
        ]
        spots = [
            {"pos": (math.log10(cost), math.log10(error)), "data": (curve_style, index)}
            for index, (cost, error) in enumerate(zip(costs, curve_style.curve.errors, strict=True))
            if error > 0 and cost > 0
        ]
        item.setData(np.array([spot["pos"] for spot in spots]).reshape(-1, 2))
        return spots

    def _make_guide(self, guide: OrderGuide) -> tuple[Any, Any]:
        """Return a line whose slope is an integer order of convergence, and its label."""
        ground = with_opacity(self.theme.surface, 0.8)
        pen = pg.mkPen(self.theme.muted, width=1.4, style=Qt.PenStyle.DashLine)
        x, y = np.log10(guide.steps), np.log10(guide.errors)
        line = pg.PlotCurveItem(x, y, pen=pen, antialias=True)
        words = tr("order {order}", order=guide.order)
        text = pg.TextItem(words, color=self.theme.text, anchor=(0.0, 0.0), fill=ground)
        text.setFont(tabular_font(self.theme, self.theme.normal))
        text.setPos(float(x[1]), float(y[1]))
        self.plots[0].addItem(line)
        self.plots[0].addItem(text, ignoreBounds=True)
        return line, text

    def _show_fitting_guides(self) -> None:
        """Show the guides if the plot is high enough; otherwise labels would cover curves. Hide guides whose label is cut off."""
        box = self.plots[0].getViewBox()
        is_high = box.height() > _MIN_GUIDE_LINES * self.theme.normal
        left_end, right_end = box.viewRange()[0]
        pixel_width = (right_end - left_end) / max(box.width(), 1.0)
        for line, text in zip(self._guides[::2], self._guides[1::2], strict=True):
            is_cut = text.pos().x() + text.boundingRect().width() * pixel_width > right_end
            line.setVisible(is_high and not is_cut)
            text.setVisible(is_high and not is_cut)

    # --- pointing

    def _hover(self, target: Any, spots: Sequence[Any], event: Any) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if len(spots) else Qt.CursorShape.ArrowCursor)
        if not len(spots) or self._measure is None:
            self.bubble.hide()
            return
        spot = _nearest(spots, event)
        curve_style, index = spot.data()
        lines = _tooltip_lines(curve_style, index, self._measure, self._level)
        self.bubble.show_at(lines, self.mapFromScene(target.mapToScene(QPointF(spot.pos()))))

    def _click(self, target: Any, spots: Sequence[Any], event: Any) -> None:
        curve_style, index = _nearest(spots, event).data()
        self.chosen.emit(curve_style.curve.points[index])


def _nearest(spots: Sequence[Any], event: Any) -> Any:
    """Return the spot whose center is nearest to the mouse."""
    return min(spots, key=lambda spot: (QPointF(spot.pos()) - event.pos()).manhattanLength())


def _make_curve_item(curve_style: CurveStyle) -> Any:
    return pg.PlotDataItem(
        pen=curve_style.pen(1.6),
        antialias=True,
        symbol=curve_style.symbol,
        symbolSize=curve_style.size,
        symbolPen=pg.mkPen(curve_style.color, width=1.8),
        symbolBrush=curve_style.color if curve_style.filled else None,
    )


def _tooltip_lines(
    curve_style: CurveStyle, index: int, measure: type[StudyMeasure], level: float
) -> list[str]:
    """Return the lines of a point's tooltip as HTML."""
    return [
        f'<span style="font-weight: 600">{escape(curve_style.curve.title)}</span>',
        *map(escape, describe_point(curve_style.curve, index, measure, level)),
        f'<span style="color: {curve_style.color.name()}">{tr("Click to load this run")}</span>',
    ]
