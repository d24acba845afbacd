"""What comes out of a reading: curves of attitude and angular velocity over the time of the file, and the stretch that counts."""

from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT
from quatviz.mechanics.euler_sequences import angles_from_p
from quatviz.recordings.resampling import Track
from quatviz.ui.kit.axes import Stretching, dress_axis, have_axis
from quatviz.ui.kit.style import clear

PARAMETERS = "p"
"""The attitude as Euler parameters; another text is a sequence of angles."""
_BUCKETS = 900
_BLOCK = 64
"""Rows that are reduced beside the window's thread."""
_FOOT, _SIDE = 6 * UNIT, 9 * UNIT
_MOST_ANGLES = 200_000
"""Rows of which angles are computed: of more, every so many."""
_THROTTLE_MS = 30
_HEAVY = 1200
"""Points beyond which a curve is a pixel wide: wide lines take Qt ten times as long."""


class Shown(NamedTuple):
    """One plot's numbers: times of the file (n,) [s], values (n, k), whether each row hangs together with the next (n - 1,), and
    where they are many the extremes of each `_BLOCK` rows without a gap, of which a sight of many is made."""

    t: np.ndarray
    values: np.ndarray
    bridged: np.ndarray
    blocks: "Shown | None" = None

    def digested(self) -> "Shown":
        """The same with its blocks, which takes a while for a million rows."""
        starts = np.union1d(np.arange(0, len(self.t), _BLOCK), np.flatnonzero(~self.bridged) + 1)
        many = len(self.t) > max(2 * _BLOCK * _BUCKETS, 8 * len(starts))
        return self._replace(blocks=_extremes(self, starts) if many else None)

    def rows(self, low: float, high: float) -> "Shown":
        """What lies from `low` to `high` [s], and one row more on either side."""
        first = max(int(np.searchsorted(self.t, low)) - 1, 0)
        last = min(int(np.searchsorted(self.t, high, "right")) + 1, len(self.t))
        return Shown(self.t[first:last], self.values[first:last], self.bridged[first : max(last - 1, first)])


def reduced(shown: Shown, low: float, high: float, buckets: int = _BUCKETS) -> tuple[np.ndarray, np.ndarray]:
    """Few enough points for a screen of what lies from `low` to `high` [s]: all rows, or the least and the greatest of each part of
    the time, with a row of NaN wherever there is a gap.

    >>> t = np.array([0.0, 1.0, 2.0])
    >>> reduced(Shown(t, t[:, None], np.array([True, False])), 0.0, 2.0)[0].tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    seen = shown.rows(low, high)
    if shown.blocks is not None and len(seen.t) > 2 * _BLOCK * buckets:
        seen = shown.blocks.rows(low, high)
    if len(seen.t) > 2 * buckets:
        times = np.linspace(seen.t[0], seen.t[-1], buckets + 1)[:-1]
        seen = _extremes(seen, np.unique(np.searchsorted(seen.t, times)))
    holes = np.flatnonzero(~seen.bridged) + 1
    return np.insert(seen.t, holes, seen.t[holes]), np.insert(seen.values, holes, np.nan, axis=0)


def _extremes(shown: Shown, starts: np.ndarray) -> Shown:
    """The least and the greatest of each part that begins at these rows (m,): (2 m, k), both at the time of its first row."""
    broken = np.concatenate(([0], np.cumsum(~shown.bridged)))
    bridged = np.repeat(True, 2 * len(starts) - 1)
    bridged[1::2] = broken[starts[1:]] == broken[starts[1:] - 1]
    ends = [extreme.reduceat(shown.values, starts) for extreme in (np.fmin, np.fmax)]
    values = np.stack(ends, axis=1).reshape(-1, shown.values.shape[1])
    return Shown(np.repeat(shown.t[starts], 2), values, bridged)


def shown_attitude(track: Track, shift: float, sequence: str) -> Shown:
    """An attitude as it is drawn, `shift` [s] later: Euler parameters, or angles [deg], whose leaps by a turn are gaps."""
    t = track.t + shift
    if sequence == PARAMETERS:
        return Shown(t, track.p, track.bridged).digested()
    every = max(1, -(-len(t) // _MOST_ANGLES))
    with np.errstate(invalid="ignore"):
        angles = np.degrees(angles_from_p(track.p[::every], sequence))
        leaps = (np.abs(np.diff(angles, axis=0)) > 180.0).any(axis=1)
    broken = np.concatenate(([0], np.cumsum(~track.bridged)))[::every]
    return Shown(t[::every], angles, (np.diff(broken) == 0) & ~leaps).digested()


class Curves(Stretching, pg.GraphicsLayoutWidget):
    """Two plots below each other with one time axis. The wheel zooms, a drag moves; the stretch that counts is drawn by its
    edges, or moved by keys."""

    stretched = Signal(float, float)
    """From where to where a hand has drawn the stretch, or keys have moved it [s in the file]."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Preview of the recording"))
        self._shown: list[Shown | None] = [None, None]
        self._beside: tuple[Shown, float] | None = None
        self._title = ""
        self.plots = [self.addPlot(row=row, col=0) for row in range(2)]
        self.bands = []
        self._curves: list[list[Any]] = []
        self._dashed: list[Any] = []
        for plot in self.plots:
            plot.setMenuEnabled(False)
            plot.hideButtons()
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
        self.setBackground(theme.surface)
        super().follow_theme()
        self._label()
        self._draw()

    def _label(self) -> None:
        theme = self.theme
        titles = self._title, tr("ω [rad/s]")
        for plot, title in zip(self.plots, titles, strict=True):
            have_axis(plot, "left", False, title, theme).setWidth(_SIDE)
            for side in ("left", "bottom"):
                plot.getAxis(side).setGrid(80)
                plot.getAxis(side).setZValue(-1000)
        have_axis(self.plots[1], "bottom", False, tr("t in the file [s]"), theme).setHeight(_FOOT)
        above = self.plots[0].getAxis("bottom")
        dress_axis(above, theme)
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
