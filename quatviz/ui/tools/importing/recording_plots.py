"""What comes out of a reading: curves of attitude and angular velocity over the time of the file, and the stretch that counts."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer, Signal

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.recordings.resampling import Shown, reduced
from quatviz.ui.widgets.axes import Stretching, dress_axis, have_axis, lay_grid, lay_ground, plain
from quatviz.ui.widgets.style import clear

_SIDE = 9 * UNIT
_THROTTLE_MS = 30
_HEAVY = 1200
"""Points beyond which a curve is a pixel wide: wide lines take Qt ten times as long."""


class Curves(Stretching, pg.GraphicsLayoutWidget):
    """Two plots below each other with one time axis. The wheel zooms, a drag moves; the stretch that counts is drawn by its
    edges, or moved by keys."""

    stretched = Signal(float, float)
    """From where to where a hand has drawn the stretch, or keys have moved it [s in the file]."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview of the recording"))
        self._shown: list[Shown | None] = [None, None]
        self._beside: tuple[Shown, float] | None = None
        self._title = ""
        self.plots = [plain(self.addPlot(row=row, col=0)) for row in range(2)]
        self.bands = []
        self._curves: list[list[Any]] = []
        self._dashed: list[Any] = []
        for plot in self.plots:
            plot.setMouseEnabled(x=True, y=False)
            plot.enableAutoRange(x=False, y=False)
            self._curves.append([pg.PlotCurveItem(connect="finite") for _ in range(4)])
            region = pg.LinearRegionItem(swapMode="block")
            region.sigRegionChanged.connect(self._follow_region)
            region.sigRegionChangeFinished.connect(lambda _: self.stretched.emit(*self.span))
            self.bands.append(region)
            for item in (region, *self._curves[-1]):
                plot.addItem(item, ignoreBounds=True)
        self._dashed = [pg.PlotCurveItem(connect="finite") for _ in range(3)]
        for item in self._dashed:
            self.plots[1].addItem(item, ignoreBounds=True)
        self.plots[1].setXLink(self.plots[0])
        self._late = QTimer(self, singleShot=True, interval=_THROTTLE_MS)
        self._late.timeout.connect(self._draw)
        self.plots[0].getViewBox().sigXRangeChanged.connect(lambda *_: self._late.start())
        self.ci.layout.setContentsMargins(0, UNIT, UNIT, 0)
        self.follow_theme()

    def show_track(self, attitude: Shown, rates: Shown, title: str, fit: bool) -> None:
        """Show an attitude, called `title`, and angular velocities [rad/s]; `fit` shows all of them."""
        self._shown, self._title = [attitude, rates], title
        self.ends = float(rates.t[0]), float(rates.t[-1])
        for region in self.bands:
            region.setBounds(self.ends)
        self._label()
        if fit:
            self.show_all()
        self._draw()

    def show_beside(self, rates: Shown | None, shift: float = 0.0) -> None:
        """Show angular velocities of a lane beside these, dashed, `shift` [s] later than they are."""
        self._beside = None if rates is None else (rates, shift)
        self._draw()

    def show_stretch(self, start: float | None, stop: float | None) -> None:
        """Show which stretch counts; None is an end of the recording."""
        low = self.ends[0] if start is None else start
        high = self.ends[1] if stop is None else stop
        self.show_span(low, high)

    def move_span(self, low: float, high: float) -> None:
        self.show_span(low, high)
        self.stretched.emit(low, high)

    def show_all(self) -> None:
        """Show all of its time."""
        low, high = self.ends
        margin = 0.02 * (high - low) or 0.5
        self.plots[0].setXRange(low - margin, high + margin, padding=0.0)

    def follow_theme(self) -> None:
        theme = self.theme
        lay_ground(self, theme)
        super().follow_theme()
        self._label()
        self._draw()

    def _label(self) -> None:
        theme = self.theme
        titles = self._title, tr("ω [rad/s]")
        for plot, title in zip(self.plots, titles, strict=True):
            have_axis(plot, "left", False, title, theme, grid=True).setWidth(_SIDE)
        have_axis(self.plots[1], "bottom", False, tr("t in the file [s]"), theme, grid=True)
        above = self.plots[0].getAxis("bottom")
        dress_axis(above, theme)
        lay_grid(above)
        above.setStyle(showValues=False)
        above.setHeight(UNIT)

    def _draw(self) -> None:
        """Draw what is in sight, each plot as high as its own curves."""
        low, high = self.plots[0].getViewBox().viewRange()[0]
        rates, shift = self._beside or (None, 0.0)
        beside = None if rates is None else reduced(rates, low - shift, high - shift)
        for number, (plot, shown) in enumerate(zip(self.plots, self._shown, strict=True)):
            values = (
                np.empty((0, 0)) if shown is None else self._draw_curves(number, *reduced(shown, low, high))
            )
            known = values[np.isfinite(values)]
            if len(known):
                least, most = float(known.min()), float(known.max())
                margin = 0.06 * (most - least) or 0.1 * abs(most) or 1.0
                plot.setYRange(least - margin, most + margin, padding=0.0)
        for column, curve in enumerate(self._dashed):
            curve.setVisible(beside is not None)
            if beside is not None:
                curve.setPen(
                    pg.mkPen(clear(self._colour(column, 3), 0.8), width=1, style=Qt.PenStyle.DashLine)
                )
                curve.setData(beside[0] + shift, beside[1][:, column])

    def _draw_curves(self, number: int, t: np.ndarray, values: np.ndarray) -> np.ndarray:
        width = values.shape[1]
        thick = self.theme.curve_width if len(t) < _HEAVY else 1
        for column, curve in enumerate(self._curves[number]):
            there = column < width and bool(np.isfinite(values[:, column]).any())
            curve.setVisible(there)
            if there:
                curve.setPen(pg.mkPen(self._colour(column, width), width=thick))
                curve.setData(t, values[:, column], antialias=len(t) < _HEAVY)
        return values

    def _colour(self, column: int, width: int) -> str:
        """The scalar is grey, components are red, green and blue."""
        return self.theme.components[column + 4 - width]

    def _follow_region(self, moved: Any) -> None:
        self.show_span(*moved.getRegion())
