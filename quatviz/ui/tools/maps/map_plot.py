"""A map: colours over two axes, what they mean beside them, contours, and the cell that is pointed at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QSizePolicy

from quatviz.analysis.sweeps.chart import COLOURS, Chart, Scale, Span, box_of, joined
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.axes import FOOT, have_axis, lay_ground, plain
from quatviz.ui.widgets.controls import Bubble
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed, clear

_SHADES = 256
_KEY = 2 * UNIT
"""Width of the key's colours [pixels]."""
_STRIPE, _STRIPES = 6, 70
"""Dots from one stripe to the next where there is no run, and how many stripes there are across a map, about."""
_SMALLEST = 2
"""Cells that a rectangle has at least each way, to be looked into."""
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class MapBox(Guarded, pg.ViewBox):
    """Tells of clicks and of rectangles that are drawn, and moves nothing itself."""

    clicked = Signal(object)
    """Where, in its coordinates."""
    drawn = Signal(object)
    """The rectangle."""

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
            self.drawn.emit(QRectF(self.mapToView(start), self.mapToView(end)).normalized())
        else:
            self.updateScaleBox(start, end)

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        event.ignore()


class MapPicture(Themed, pg.GraphicsLayoutWidget):
    """Shows a `Chart` of two axes. A click or Enter chooses the run of a cell, a rectangle that is drawn is looked into; the
    arrow keys move the cell that is pointed at."""

    chosen = Signal(object)
    """The numbers of a cell along both axes."""
    looked_into = Signal(object)
    """A rectangle in coordinates of the spans."""
    pointed = Signal(object)
    """The cell that is pointed at now."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Map"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.chart: Chart | None = None
        self.cell: tuple[int, int] | None = None
        self._shown: object = None
        """What axes and key were made for."""
        self.box = MapBox()
        self.plot = plain(self.addPlot(row=0, col=0, viewBox=self.box))
        box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self.key = plain(self.addPlot(row=0, col=1, viewBox=box))
        self.image, self._shades = pg.ImageItem(), pg.ImageItem()
        self._holes = pg.ImageItem()
        self._contours = pg.PlotCurveItem(connect="finite", antialias=True)
        self._boundary = pg.PlotCurveItem(connect="finite", antialias=True)
        self._under = pg.PlotCurveItem(connect="finite", antialias=True)
        self._cross = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=0)
        for item in (self.image, self._holes, self._contours, self._under, self._boundary, *self._cross):
            self.plot.addItem(item, ignoreBounds=True)
        self.key.addItem(self._shades, ignoreBounds=True)
        self.bubble = Bubble(self)
        self.ci.layout.setColumnStretchFactor(0, 1)
        self.key.layout.setColumnFixedWidth(1, _KEY)
        self.key.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.ci.layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        self.box.clicked.connect(self._click)
        self.box.drawn.connect(self._look_into)
        self.scene().sigMouseMoved.connect(self._hover)

    def show_chart(self, chart: Chart) -> None:
        """Show it, as far as it is computed."""
        self.chart = chart
        across, up = chart.spans
        shown = (chart.spans, chart.scale, chart.measure, self.theme)
        if shown != self._shown:
            self._shown = shown
            self._dress(across, up, chart.scale, chart.kind.axis())
        rect = QRectF(*box_of(across, up))
        self.image.setImage(chart.scale.shares(chart.filled).astype(np.float32), levels=(0.0, 1.0))
        self._holes.setImage(
            _hatched(chart.holes[chart.stand_ins], self.theme.muted, self.theme.surface), levels=(0, 255)
        )
        for item in (self.image, self._holes):
            item.setRect(rect)
        self._contours.setData(*joined(chart.contours()))
        if self.cell is not None:
            self.point_at(self.cell)

    def show_boundary(self, lines: Sequence[np.ndarray]) -> None:
        """Draw the boundary that theory knows as these lines (n, 2), in coordinates of the spans."""
        for item in (self._under, self._boundary):
            item.setData(*joined(lines))

    def point_at(self, cell: tuple[int, int]) -> None:
        """Point at a cell, and say so."""
        assert self.chart is not None
        self.cell = cell
        for line, span, number in zip(self._cross, self.chart.spans, cell, strict=True):
            line.setPos(float(span.places[number]))
            line.show()
        self.pointed.emit(cell)

    def follow_theme(self) -> None:
        if self.chart is not None:
            self.show_chart(self.chart)

    # --- drawing

    def _dress(self, across: Span, up: Span, scale: Scale, title: str) -> None:
        """Axes, colours and key."""
        theme = self.theme
        lay_ground(self, theme)
        self.box.setBackgroundColor(clear(theme.line, 0.6))
        kinds = scale.colours and pg.ColorMap(None, scale.colours, mapping="clip")
        colours = (kinds or pg.colormap.get(COLOURS)).getLookupTable(
            nPts=len(scale.kinds) or _SHADES, alpha=False
        )
        for item in (self.image, self._shades):
            item.setLookupTable(colours)
        for side, span in (("bottom", across), ("left", up)):
            have_axis(self.plot, side, span.log, span.title, theme, named=span.named)
        have_axis(self.key, "right", scale.log, title, theme, named=scale.named)
        for side in ("left", "bottom"):
            self.key.hideAxis(side)
        self.box.setRange(QRectF(*box_of(across, up)), padding=0.0)
        self.key.setContentsMargins(0, 0, 0, round(FOOT * theme.normal))
        self.key.getViewBox().setRange(QRectF(0.0, scale.low, 1.0, scale.high - scale.low), padding=0.0)
        self._shades.setImage(scale.ramp[None, :], levels=(0.0, 1.0))
        self._shades.setRect(QRectF(0.0, scale.low, 1.0, scale.high - scale.low))
        self._under.setPen(pg.mkPen(QColor("#ffffff"), width=4))
        self._boundary.setPen(pg.mkPen(QColor("#000000"), width=2, style=Qt.PenStyle.DashLine))
        self._contours.setPen(pg.mkPen(QColor("#ffffff"), width=1.2))
        for line in self._cross:
            line.setPen(pg.mkPen(clear(theme.text, 0.7), width=1))
            line.setVisible(self.cell is not None)
        self.box.rbScaleBox.setPen(pg.mkPen(theme.accent, width=2))
        self.box.rbScaleBox.setBrush(pg.mkBrush(clear(theme.accent, 0.2)))

    # --- pointing

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """The cell at a place in coordinates of the spans."""
        if self.chart is None:
            return None
        numbers = []
        for span, coordinate in zip(self.chart.spans, (place.x(), place.y()), strict=True):
            low, high = span.edges
            if not low <= coordinate <= high:
                return None
            numbers.append(span.number(coordinate))
        return numbers[0], numbers[1]

    def _hover(self, place: QPointF) -> None:
        inside = self.box.sceneBoundingRect().contains(place)
        cell = self._cell_at(self.box.mapSceneToView(place)) if inside else None
        if cell is None or self.chart is None:
            self.bubble.hide()
            return
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.point_at(cell)
        self.bubble.show_at([*self.chart.words(cell), tr("Click to load this run")], self.mapFromScene(place))

    def _click(self, place: QPointF) -> None:
        cell = self._cell_at(place)
        if cell is not None:
            self.chosen.emit(cell)

    def _look_into(self, rect: QRectF) -> None:
        if self.chart is None:
            return
        across, up = self.chart.spans
        inside = rect.intersected(QRectF(*box_of(across, up)))
        if inside.width() >= _SMALLEST * across.step and inside.height() >= _SMALLEST * up.step:
            self.looked_into.emit(inside)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.chart is None or key not in (*_KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        shape = self.chart.known.shape
        cell = self.cell or (shape[0] // 2, shape[1] // 2)
        if key in _KEYS:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            moved = [number + far * by for number, by in zip(cell, _KEYS[Qt.Key(key)], strict=True)]
            self.point_at((_within(moved[0], shape[0]), _within(moved[1], shape[1])))
            self._say_cell()
        else:
            self.chosen.emit(cell)

    def _say_cell(self) -> None:
        """What is known of the cell, beside it."""
        assert self.chart is not None
        assert self.cell is not None
        place = QPointF(
            *(float(span.places[one]) for span, one in zip(self.chart.spans, self.cell, strict=True))
        )
        words = self.chart.words(self.cell)
        self.setAccessibleDescription("; ".join(words))
        self.bubble.show_at(words, self.mapFromScene(self.box.mapViewToScene(place)))


def _within(number: int, count: int) -> int:
    return min(max(number, 0), count - 1)


def _hatched(holes: np.ndarray, line: str, ground: str) -> np.ndarray:
    """Stripes (m, n, 4) where there is no run, nothing elsewhere; several dots of a cell each way where there are few of them."""
    fine = [max(1, round(_STRIPE * _STRIPES / count)) for count in holes.shape]
    dots = holes.repeat(fine[0], axis=0).repeat(fine[1], axis=1)
    across, up = np.indices(dots.shape)
    inks = [clear(colour, share).getRgb() for colour, share in ((ground, 1.0), (line, 0.6))]
    picture = np.array(inks, np.uint8)[((across + up) % _STRIPE == 0).astype(int)]
    picture[~dots] = 0
    return picture
