"""Two plots with one axis of errors, in decades: over the step, or the tolerance, and over processor time."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal

from quatviz.analysis.studies.measures import Measure
from quatviz.analysis.studies.plot_guides import Guide, along, guides
from quatviz.analysis.studies.tables import point_words
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.tools.study.curve_style import CurveStyle
from quatviz.ui.widgets.axes import have_axis, lay_grid, lay_ground, plain
from quatviz.ui.widgets.controls import Bubble
from quatviz.ui.widgets.style import Themed, clear, tabular, tint

_TARGET = 20
"""Width of what is pointed at around a marker [pixels]."""
_LOWEST_PLOT = 220
"""That the plots are high at least, in any size of letters: a small screen that shows these large has no more [pixels]."""
_LOWEST = -400.0
"""Decades below every error."""


class StudyPlots(Themed, pg.GraphicsLayoutWidget):
    """Shows curves; `chosen` tells that a person clicked a point. The wheel zooms, dragging moves, F shows all. Coordinates
    are decades."""

    chosen = Signal(object)
    """A `studies.measurement.Point`."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Plots of the study"))
        self._looks: Sequence[CurveStyle] = ()
        self._measure: type[Measure] | None = None
        self._level = 0.0
        self._over_tolerances = False
        self._style: object = None
        """What the items were made for that there are now."""
        self._items: list[list[Any]] = [[], []]
        """A curve with its markers for each look, in both plots."""
        self._guides: list[Any] = []
        self._bands: list[Any] = []
        self.targets: list[Any] = []
        """For each plot what the pointer meets: around each marker a ring, seen where it is pointed at, whose data are the
        curve and the number of its point."""
        self.plots: list[Any] = []
        for column in range(2):
            self.plots.append(plain(self.addPlot(row=0, col=column)))
            self.ci.layout.setColumnStretchFactor(column, 1)
            self.ci.layout.setColumnPreferredWidth(column, 400)
        self.plots[1].setYLink(self.plots[0])
        self.ci.layout.setHorizontalSpacing(3 * UNIT)
        self.ci.layout.setContentsMargins(UNIT, 2 * UNIT, 2 * UNIT, UNIT)
        self.setMinimumHeight(_LOWEST_PLOT)
        self.bubble = Bubble(self, marked=True)
        self.follow_theme()

    def show_curves(
        self, looks: Sequence[CurveStyle], measure: type[Measure], level: float, over_tolerances: bool = False
    ) -> None:
        """Show these curves by a measure, at the left over tolerances or over steps; what lies below `level` the reference cannot
        tell."""
        fresh = measure is not self._measure or not self._looks or over_tolerances != self._over_tolerances
        self._looks, self._measure, self._level = looks, measure, level
        self._over_tolerances = over_tolerances
        if fresh:
            self._label()
        self._draw()
        if fresh:
            self.fit()

    def fit(self) -> None:
        """Show everything there is, and what is yet to come."""
        for plot in self.plots:
            plot.enableAutoRange()

    def follow_theme(self) -> None:
        lay_ground(self, self.theme)
        self._label()
        self._draw()

    def _label(self) -> None:
        """Say what is measured, once for both plots, and what each is over."""
        unit = f" [{self._measure.unit}]" if self._measure is not None and self._measure.unit else ""
        error = tr("Error{unit}", unit=unit)  # which one the choice above them says
        first = tr("Tolerance of adaptive methods") if self._over_tolerances else tr("Time step dt [s]")
        for plot, *titles in zip(
            self.plots, (error, ""), (first, tr("Processor time of the run [s]")), strict=True
        ):
            for side, title in zip(("left", "bottom"), titles, strict=True):
                lay_grid(have_axis(plot, side, True, title, self.theme), 140)
        self.plots[1].getAxis("left").setStyle(showValues=False)

    @property
    def shades(self) -> bool:
        """Whether what the reference cannot tell is in sight."""
        low = self.plots[0].getViewBox().viewRange()[1][0]
        return self._shaded and math.log10(self._level) > low

    @property
    def _shaded(self) -> bool:
        return self._level > 0 and any(len(target.data) for target in self.targets)

    # --- drawing

    def _draw(self) -> None:
        """Take in the curves: items that are there already get new data, which is many times quicker than new items."""
        self.bubble.hide()
        style = (
            self.theme,
            *(
                (look.curve.name, look.colour.name(), look.symbol, look.pattern, look.size)
                for look in self._looks
            ),
        )
        if style != self._style:
            self._style = style
            self._make_items()
        for number, target in enumerate(self.targets):
            target.setData(
                [
                    spot
                    for look, item in zip(self._looks, self._items[number], strict=True)
                    for spot in self._fill(number, look, item)
                ]
            )
        measured = any(len(target.data) for target in self.targets)
        for plot, side in ((0, "left"), (0, "bottom"), (1, "bottom")):
            self.plots[plot].getAxis(side).setStyle(showValues=measured)
        for band in self._bands:
            band.setVisible(self._shaded)
            if self._shaded:
                band.setRegion((_LOWEST, math.log10(self._level)))
        for item in self._guides:
            self.plots[0].removeItem(item)
        lines = [] if self._over_tolerances else guides([look.curve for look in self._looks])
        self._guides = [item for guide in lines for item in self._guide(guide)]

    def _make_items(self) -> None:
        """All of them anew, in the colours of the theme."""
        theme = self.theme
        self._guides = []
        for number, plot in enumerate(self.plots):
            plot.clear()
            self._items[number] = [_item_of(look) for look in self._looks]
            for item in self._items[number]:
                plot.addItem(item)
        ground, ink = tint(theme.muted, theme.surface, 0.2), pg.mkPen(theme.text, width=1.6)
        self._bands = [
            pg.LinearRegionItem((_LOWEST, 0.0), "horizontal", brush=ground, pen=pg.mkPen(None), movable=False)
            for _ in self.plots
        ]
        self.targets = [
            pg.ScatterPlotItem(size=_TARGET, brush=None, pen=None, hoverable=True, hoverPen=ink, tip=None)
            for _ in self.plots
        ]
        for items, height in ((self._bands, -100), (self.targets, 100)):
            for plot, item in zip(self.plots, items, strict=True):
                item.setZValue(height)
                plot.addItem(item, ignoreBounds=True)
        for target in self.targets:
            target.sigHovered.connect(self._hover)
            target.sigClicked.connect(self._click)

    def _fill(self, number: int, look: CurveStyle, item: Any) -> list[dict[str, Any]]:
        """Give the curve of a plot its points; the spots to point at."""
        costs = [
            point.seconds if number else along(point, self._over_tolerances) for point in look.curve.points
        ]
        spots = [
            {"pos": (math.log10(cost), math.log10(error)), "data": (look, index)}
            for index, (cost, error) in enumerate(zip(costs, look.curve.errors, strict=True))
            if error > 0 and cost > 0
        ]
        item.setData(np.array([spot["pos"] for spot in spots]).reshape(-1, 2))
        return spots

    def _guide(self, guide: Guide) -> tuple[Any, Any]:
        """A line of a whole order, and which one it is."""
        ground = clear(self.theme.surface, 0.8)
        pen = pg.mkPen(self.theme.muted, width=1.4, style=Qt.PenStyle.DashLine)
        x, y = np.log10(guide.steps), np.log10(guide.errors)
        line = pg.PlotCurveItem(x, y, pen=pen, antialias=True)
        words = tr("order {order}", order=guide.order)
        text = pg.TextItem(words, color=self.theme.text, anchor=(0.0, 0.0), fill=ground)
        text.setFont(tabular(self.theme, self.theme.normal))
        text.setPos(float(x[1]), float(y[1]))
        self.plots[0].addItem(line)
        self.plots[0].addItem(text, ignoreBounds=True)
        return line, text

    # --- pointing

    def _hover(self, target: Any, spots: Sequence[Any], event: Any) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if len(spots) else Qt.CursorShape.ArrowCursor)
        if not len(spots) or self._measure is None:
            self.bubble.hide()
            return
        spot = _nearest(spots, event)
        look, index = spot.data()
        lines = _lines(look, index, self._measure, self._level)
        self.bubble.show_at(lines, self.mapFromScene(target.mapToScene(QPointF(spot.pos()))))

    def _click(self, target: Any, spots: Sequence[Any], event: Any) -> None:
        look, index = _nearest(spots, event).data()
        self.chosen.emit(look.curve.points[index])


def _nearest(spots: Sequence[Any], event: Any) -> Any:
    """That on top of those that lie on each other."""
    return min(spots, key=lambda spot: (QPointF(spot.pos()) - event.pos()).manhattanLength())


def _item_of(look: CurveStyle) -> Any:
    return pg.PlotDataItem(
        pen=look.pen(1.6),
        antialias=True,
        symbol=look.symbol,
        symbolSize=look.size,
        symbolPen=pg.mkPen(look.colour, width=1.8),
        symbolBrush=look.colour if look.filled else None,
    )


def _lines(look: CurveStyle, index: int, measure: type[Measure], level: float) -> list[str]:
    """What a point says of itself, in HTML."""
    return [
        f'<span style="font-weight: 600">{escape(look.curve.title)}</span>',
        *map(escape, point_words(look.curve, index, measure, level)),
        f'<span style="color: {look.colour.name()}">{tr("Click to load this run")}</span>',
    ]
