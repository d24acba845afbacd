"""From a figure as values to one of matplotlib: where titles, legend, plots and footnote stand, and what is in a plot."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting.text_layout import wrap
from quatviz.display.data.scales import fitting
from quatviz.display.data.series import window
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import THEORY_OPACITY, THEORY_WIDTH, Plot, Trace
from quatviz.display.panels.base.globe import Gaze, GlobePicture
from quatviz.display.view_state.line_styles import SHAPES, lane_colour, pattern_of, shape_of
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.canvas import PaperCanvas
from quatviz.export.figures.figure import Described, FigurePicture, PanelPicture, nothing_to_draw
from quatviz.export.figures.globe import RING_AT, GlobeLines, Line, places
from quatviz.export.figures.paper import EDGE, MM, MUTED, Paper, PrintFigure, styled
from quatviz.export.figures.stripes import Turns, bucket_time, shape_times, turns
from quatviz.export.figures.strokes import broken, cell_ends, cell_time, crowded, strokes
from quatviz.export.table import Progress
from quatviz.physics.observables.jumps import CAUSES, SINGULAR

MARKERS = dict(zip(SHAPES, ("", "o", "s", "^"), strict=True))
"""How matplotlib calls the shapes that tell lanes of one colour."""
BUCKETS = 1000
"""Buckets across a plot: on 180 mm each is 0.18 mm wide, half as wide as the line that is drawn through it."""
PIXELS_PER_INCH = 110.0
"""What a pixel is to a reader of print: how near curves touch, and how wide the stripes are that show it."""
DANGER, DANGER_TINT, ACCENT = "#b3261e", "#f4dcda", "#0b63ce"

# All lengths are in ems of the paper's type.
LEAST = 2.2
_TITLE, _GAP, _TIMES, _GUTTER, _BETWEEN, _MARGIN = 2.0, 1.2, 3.0, 6.3, 1.4, 0.8
_WORD = 1.2
"""Height of the word at a jump with what is free about it, in letters' heights."""
_LINE = 0.8
"""Of the numbers of an axis, which have nothing below their base line."""
_STRETCH = 1.4
_PAINTED = 0.55
_GLOBE = 12.0
"""Height of a globe, to which that of a strip is added: it has a size below which nothing is seen on it."""
_SPHERE = "#f3f5f9"
_KEY = 2.0
"""Of what stands before a name in the legend: as long as the longest pattern of a curve."""
_THICK = 1.5
"""Of that, in widths of a curve."""
_REMARK, _REMARK_LINE, _ABOVE_REMARK = 0.85, 1.15, 0.3
"""Of what is said below plots: its part of the type, the height of a line of it, and what is free above it."""
_TWO_COLUMNS = 150.0
"""From this width [mm] on, several panels stand in two columns."""


def draw(picture: FigurePicture, paper: Paper, title: str = "") -> PrintFigure:
    """The figure; its files tell its own title, or another. `InputError` where there is nothing to draw, or the paper is too
    small for it."""
    if not picture.panels:
        raise nothing_to_draw()
    with styled(paper):
        return _Layout(picture, PrintFigure(paper, title or picture.title)).filled()


def drawn(described: Described, paper: Paper, progress: Progress) -> PrintFigure:
    """A figure for which somebody waits: 0.4 of what there is to do where it is written then."""
    figure = draw(described(lambda share: progress(0.3 * share)), paper)
    progress(0.4)
    return figure


def rendered(described: Described, paper: Paper, progress: Progress) -> tuple[bytes, bytes]:
    """The same as PNG and as SVG."""
    figure = drawn(described, paper, progress)
    picture = figure.written("png")
    progress(0.7)
    return picture, figure.written("svg")


def columns(count: int, paper: Paper) -> int:
    """In how many columns so many panels stand."""
    return 2 if count >= 3 and paper.width >= _TWO_COLUMNS else 1


@dataclass
class _Column:
    """Panels one above the other, and where."""

    panels: Sequence[PanelPicture]
    left: float
    width: float

    @property
    def last(self) -> int:
        """The panel that names the times; -1 where none is a plot."""
        return max((n for n, panel in enumerate(self.panels) if panel.plots), default=-1)


class _Layout:
    """Where everything of a picture stands in its figure, from the top left."""

    def __init__(self, picture: FigurePicture, figure: PrintFigure) -> None:
        self.picture, self.figure, self.paper = picture, figure, figure.paper
        self.columns = self._columns()
        self.legend = self._legend_rows()
        self.footnote = figure.wrapped(picture.footnote, 0.8)
        self.head = (
            EDGE + (1.9 if picture.title else 0.0) + (1.4 * len(self.legend) + 0.4 if self.legend else 0.0)
        )
        self.foot = EDGE + 1.1 * len(self.footnote) + (0.4 if self.footnote else 0.0)
        fixed = [self._fixed(column) for column in self.columns]
        weights = [sum(map(_weight, column.panels)) for column in self.columns]

        def needed(unit: float) -> float:
            return max(f + unit * w for f, w in zip(fixed, weights, strict=True)) + self.head + self.foot

        height = self.paper.height
        figure.set_high(needed(self.paper.strip) if height is None else height * MM / figure.em)
        room = figure.high - self.head - self.foot
        units = [(room - f) / w for f, w in zip(fixed, weights, strict=True)]
        # Every column reaches the foot, but for one that would be blown up.
        self.units = [min(unit, _STRETCH * min(units)) for unit in units]
        if min(self.units) < LEAST:
            least = math.ceil(needed(LEAST) * figure.em / MM)
            raise InputError(
                "the figure's height",
                expected=phrase("at least {height} mm for these plots in this type", height=least),
                found=f"{figure.high * figure.em / MM:.0f} mm",
                remedy="make the figure higher or its type smaller, or leave panels out",
                key="height",
            )

    def _columns(self) -> list[_Column]:
        panels, room = self.picture.panels, self.figure.wide - 2 * EDGE
        number = columns(len(panels), self.paper)
        if number == 1:
            return [_Column(panels, EDGE, room)]
        width = (room - (number - 1) * _BETWEEN) / number
        high = [
            _TITLE
            + self.paper.strip * _weight(panel)
            + _GLOBE * (panel.globe is not None)
            + _GAP * max(len(panel.plots), 1)
            for panel in panels
        ]
        cut = min(range(1, len(panels)), key=lambda number: max(sum(high[:number]), sum(high[number:])))
        return [_Column(panels[:cut], EDGE, width), _Column(panels[cut:], EDGE + width + _BETWEEN, width)]

    def _legend_rows(self) -> list[list[tuple[str, int | None]]]:
        """The lanes, and words about them, in as few rows as hold them."""
        rows: list[list[tuple[str, int | None]]] = []
        used = math.inf
        for entry in self.picture.legend:
            needed = self._legend_width(*entry)
            if used + needed > self.figure.wide - 2 * EDGE:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += needed
        return rows

    def _legend_width(self, name: str, number: int | None) -> float:
        return (0.0 if number is None else _KEY + 0.5) + self.figure.ems(name, 0.95) + 1.8

    def _fixed(self, column: _Column) -> float:
        """What a column needs beside its strips."""
        total = 0.0
        for number, panel in enumerate(column.panels):
            total += _TITLE * bool(panel.title) + _GAP * max(len(panel.plots), 1)
            total += _GLOBE * (panel.globe is not None)
            remark = self._remark(panel, column)
            total += _ABOVE_REMARK * bool(remark) + _REMARK_LINE * len(remark)
            total += (_TIMES - _GAP) * (number == column.last)
        return total

    def _remark(self, panel: PanelPicture, column: _Column) -> list[str]:
        """The lines of what is said below a panel's plots, no wider than these."""
        room = column.width - _GUTTER - _MARGIN
        return wrap(panel.remark, room, lambda text: self.figure.ems(text, _REMARK)) if panel.remark else []

    def filled(self) -> PrintFigure:
        """The figure with all of it."""
        figure, y = self.figure, EDGE
        if self.picture.title:
            figure.write(EDGE, y, self.picture.title, 1.25, weight="semibold")
            y += 1.9
        for row in self.legend:
            self._draw_legend(row, y)
            y += 1.4
        for column, unit in zip(self.columns, self.units, strict=True):
            self._fill_column(column, unit)
        base = figure.high - EDGE - 1.1 * len(self.footnote)
        for number, line in enumerate(self.footnote):
            figure.write(EDGE, base + 1.1 * number, line, 0.8, color=MUTED)
        return figure

    def _fill_column(self, column: _Column, unit: float) -> None:
        figure = self.figure
        y, left = self.head, column.left
        for number, panel in enumerate(column.panels):
            if panel.title:
                self._draw_title(panel, left, y, unit)
                y += _TITLE
            if panel.painted is not None:
                tall = _weight(panel) * unit
                axes = figure.plot_at(left, y, column.width, tall)
                panel.painted.draw(PaperCanvas(axes, column.width, tall, figure, _GUTTER, _MARGIN))
                y += tall + _GAP
            if panel.globe is not None:
                tall = _GLOBE + unit
                _draw_globe(
                    figure, figure.plot_at(left, y, column.width, tall), panel.globe, column.width, tall
                )
                y += tall + _GAP
            for place, plot in enumerate(panel.plots):
                wide, tall = column.width - _GUTTER - _MARGIN, plot.weight * unit
                lowest = number == column.last and place == len(panel.plots) - 1
                axes = figure.plot_at(left + _GUTTER, y, wide, tall)
                _Strip(axes, wide, tall, plot, self.picture, self.paper.size).draw(lowest)
                if not plot.symbol:
                    self._draw_components(plot, column, y)
                y += tall + (_TIMES if lowest else _GAP)
            remark = self._remark(panel, column)
            y += _ABOVE_REMARK * bool(remark)
            for words in remark:
                figure.write(left + _GUTTER, y, words, _REMARK, color=MUTED)
                y += _REMARK_LINE

    def _draw_title(self, panel: PanelPicture, left: float, y: float, high: float) -> None:
        """With its note, and the unit that all its strips have where one of them, an ordinary one being so `high`, has no room
        for it."""
        self.figure.write(left, y, panel.title, 1.08, weight="semibold")
        units = {plot.unit for plot in panel.plots}
        told = all(_has_room(_named(plot.symbol, plot.unit), plot.weight * high) for plot in panel.plots)
        unit = next(iter(units)) if len(units) == 1 and not told else ""
        note = ", ".join(part for part in (unit, panel.note) if part)
        if note:
            at = left + self.figure.ems(panel.title, 1.08, bold=True) + 0.8
            self.figure.write(at, y + 0.08, note, 0.9, color=MUTED)

    def _draw_components(self, plot: Plot, column: _Column, y: float) -> None:
        """The labels of the traces of one plot, at the right end of the line above it."""
        right = column.left + column.width - _MARGIN
        for trace in reversed([trace for trace in plot.traces if trace.label]):
            right -= self.figure.ems(trace.label, 0.95)
            self.figure.write(right, y - 1.9, trace.label, 0.95)
            self._draw_key(
                right - _KEY - 0.5,
                y - 1.35,
                trace.colour,
                "D" if trace.points else "",
            )
            right -= _KEY + 1.6

    def _draw_legend(self, row: Sequence[tuple[str, int | None]], y: float) -> None:
        x = EDGE
        for name, number in row:
            if number is not None:
                self._draw_key(x, y + 0.5, lane_colour(LIGHT, number), pattern=pattern_of(number))
                if shape_of(number):
                    self._draw_key(x, y + 0.5, lane_colour(LIGHT, number), MARKERS[shape_of(number)])
            self.figure.write(x + (0.0 if number is None else _KEY + 0.5), y, name, 0.95)
            x += self._legend_width(name, number)

    def _draw_key(
        self, x: float, y: float, colour: str, marker: str = "", pattern: Sequence[float] = ()
    ) -> None:
        self.figure.rule(
            [x + _KEY / 2] if marker else [x, x + _KEY],
            y,
            _THICK,
            color=colour,
            linestyle="none" if marker else (0, [part / _THICK for part in pattern]) if pattern else "-",
            marker=marker or "",
            markersize=0.55 * self.paper.size,
            markerfacecolor="none",
        )


def _weight(panel: PanelPicture) -> float:
    """In ordinary strips; what is painted has words where a strip has a curve, and needs less height."""
    painted = _PAINTED * panel.painted.weight if panel.painted is not None else 0.0
    return sum(plot.weight for plot in panel.plots) + painted + (panel.globe is not None)


def _draw_globe(figure: PrintFigure, axes: Axes, picture: GlobePicture, wide: float, high: float) -> None:
    """A globe, or two, from where the window shows it at first: `wide` by `high` ems."""
    size = figure.paper.size
    pixel = 72.0 / PIXELS_PER_INCH / size  # [em]
    axes.set_xlim(0.0, wide / pixel)
    axes.set_ylim(high / pixel, 0.0)
    axes.set_axis_off()
    room = Box(0.0, 0.0, wide / pixel, high / pixel)
    thin = 0.07 * size

    def stroke(line: Line, **look: Any) -> None:
        axes.plot(*line.pixels, color=line.colour, linewidth=line.width * thin, clip_on=False, **look)

    def write(x: float, y: float, text: str, part: float, **look: Any) -> None:
        axes.text(x, y, text, size=part * size, **{"ha": "center", "va": "center", **look})

    for number, place in enumerate(places(room, picture.captions, 1.2 / pixel, Gaze())):
        drawn = GlobeLines(picture, place, number, LIGHT, size / 8.0 / thin)
        write(place.x, place.box.y, picture.captions[number], 0.9, color=MUTED, va="bottom")
        axes.fill(
            *place.rim(picture.surface).T, facecolor=_SPHERE, edgecolor=drawn.rim_colour, linewidth=thin
        )
        for line, text in drawn.rings():
            stroke(line, linestyle=(0, (5, 4)))
            right, down = (part * float(np.ptp(line.pixels[0])) / 2 for part in RING_AT)
            write(place.x + right, place.y + down, text, 0.8, color=MUTED, ha="left", va="top")
        for front in (False, True):
            for line in drawn.lines(front):
                stroke(line)
            for label in drawn.labels(front):
                x, y = place.project(label.point)
                write(x, y, label.text, 0.95, color=drawn.colour_of(label, front), weight="semibold")
            for mark in drawn.marks(front):
                colour = drawn.seen(LIGHT.text, front)
                axes.plot(
                    *place.project(mark.point),
                    "o",
                    color=colour,
                    markerfacecolor="white",
                    markersize=0.4 * size,
                )


class _Strip:
    """One plot in its place, `wide` by `high`, which tells what touches; type has `size` points."""

    def __init__(
        self, axes: Axes, wide: float, high: float, plot: Plot, picture: FigurePicture, size: float
    ) -> None:
        plot.fit_range()
        self.axes, self.wide, self.high = axes, wide, high
        self.plot, self.scale, self.size = plot, plot.scale, size
        self.low, self.span = picture.low, picture.high - picture.low
        self.events = picture.events
        self.points = [self._of(trace) for trace in plot.traces]

    def draw(self, named: bool) -> None:
        """All of it, with times below it where it is the one that names them."""
        axes, size = self.axes, self.size
        axes.grid(True)
        axes.tick_params(length=0.3 * size, labelsize=0.9 * size, pad=0.25 * size, labelbottom=named)
        self._draw_axes()
        if named:
            axes.set_xlabel("t [s]", labelpad=0.2 * size)
        if self.plot.band is not None:
            axes.axhspan(-self.plot.band, self.plot.band, color=DANGER_TINT, linewidth=0, zorder=0.5)
            axes.axhline(0.0, color=MUTED, linewidth=0.06 * size, zorder=0.6)
        for time in self.events:
            axes.axvline(time, color=ACCENT, linewidth=0.08 * size, linestyle=(0, (5, 3)), zorder=1.5)
        self._draw_parts()
        self._draw_curves()
        self._draw_jumps()

    def _of(self, trace: Trace) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m,) of what is in sight of a trace, few enough for print."""
        view = window(trace.series.times, self.low, self.low + self.span, BUCKETS)
        return trace.series.curve(view, trace.component)

    def _draw_axes(self) -> None:
        axes, scale = self.axes, self.scale
        axes.set_xlim(self.low, self.low + self.span)
        count = int(min(max(self.wide / 5, 2), 10))
        axes.xaxis.set_major_locator(MaxNLocator(count, steps=[1, 2, 5, 10]))
        ticks = scale.ticks(fitting(self.high / _LINE))
        places = [scale.low + part * (scale.high - scale.low) for part, _ in ticks]
        axes.set_yticks(places, [text for _, text in ticks])
        axes.set_ylim(scale.low, scale.high)
        label = self._label()
        axes.set_ylabel(label, labelpad=0.3 * self.size, linespacing=1.0)
        axes.yaxis.set_label_coords((-4.4 if "\n" in label else -5.1) / self.wide, 0.5)

    def _label(self) -> str:
        """Symbol and unit, or as much of them as there is room for beside the axis; a power of ten goes over it then."""
        symbol, factor = self.plot.symbol, self.scale.factor
        unit = " ".join(part for part in (factor.removeprefix("×"), self.plot.unit) if part)
        whole = _named(symbol, unit)
        if not symbol or _has_room(whole, self.high):
            return whole
        if factor:
            at = self.axes.transAxes
            self.axes.text(0.0, 1.0, factor, transform=at, va="bottom", fontsize=0.8 * self.size, color=MUTED)
        if _has_room(symbol, self.high):
            return symbol
        symbol = symbol.partition(", ")[0]
        return symbol if _has_room(symbol, self.high) else symbol.replace(" / ", "\n/ ")

    def _draw_parts(self) -> None:
        """What each part of a sum adds: the area from where the parts before it end to where it ends."""
        below: np.ndarray | None = None
        for trace, (times, values) in zip(self.plot.traces, self.points, strict=True):
            if trace.part:
                below = np.zeros_like(values) if below is None else below
                edges = self.scale.level(below), self.scale.level(values)
                self.axes.fill_between(
                    times, *edges, color=trace.colour, alpha=0.4, linewidth=0, label=trace.label
                )
                below = values

    def _draw_curves(self) -> None:
        lines = [
            (trace, times, self.scale.level(values))
            for trace, (times, values) in zip(self.plot.traces, self.points, strict=True)
            if not trace.part
        ]
        solid = [line for line in lines if not (line[0].points or len(line[1]) < 2)]
        for theory in (True, False):
            alike = [line for line in solid if line[0].theory is theory]
            taken = self._turns(alike)
            for place, (trace, times, level) in enumerate(alike):
                self._draw_shapes(trace, taken, place, times, level)
                broad = theory and not crowded(*self._across(times, level), self._meets, self._wide)
                self._draw_line(trace, broad, *self._broken(trace, taken, place, times, level))
        for trace, times, level in lines:
            if trace.points:
                self._draw_points(trace, times, level)
            end = trace.end
            if end is not None and 0.0 <= end[0] - self.low <= self.span:
                self.axes.plot(
                    [end[0]], self.scale.level(np.array([end[1]])), "x", color=trace.colour, clip_on=False,
                    markersize=0.7 * self.size, markeredgewidth=0.175 * self.size,
                )  # fmt: skip

    def _broken(
        self, trace: Trace, taken: Turns | None, place: int, times: np.ndarray, level: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The line of a trace with gaps, which are NaN: where it is another's turn, and in the pattern of its lane where it
        touches none of the others."""
        drawn = taken.mask(place, times) if taken is not None else np.ones(len(times), dtype=bool)
        apart = taken.apart(place, times) if taken is not None else drawn
        if not trace.pattern or np.count_nonzero(apart & drawn & np.isfinite(level)) < 2:
            return times, np.where(drawn, level, np.nan)
        across, up = self._across(times, level)
        given, points = strokes(across, up[None], drawn[None])
        lengths = [self._wide * part for part in trace.pattern]
        lines = broken(given, apart[points], self._meets, [lengths], self._wide)
        begins = np.flatnonzero(~lines.joined)
        return (
            np.insert(self.low + self._pixel * lines.x, begins, np.nan),
            np.insert(lines.y * self._range / self._pixels(self.high), begins, np.nan),
        )

    def _across(self, times: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points of a curve (n,) in pixels."""
        return (times - self.low) / self._pixel, level * self._pixels(self.high) / self._range

    def _draw_line(self, trace: Trace, broad: bool, times: np.ndarray, level: np.ndarray) -> None:
        self.axes.plot(
            times, level, color=trace.colour, linewidth=(THEORY_WIDTH if broad else 1) * self.size / 8,
            alpha=THEORY_OPACITY if trace.theory else None,
            label=trace.label, solid_joinstyle="round", solid_capstyle="butt",
        )  # fmt: skip

    def _draw_points(self, trace: Trace, times: np.ndarray, level: np.ndarray) -> None:
        """A symbol at the edge is drawn whole, and none beyond it."""
        seen = (self.low <= times) & (times <= self.low + self.span)
        seen &= (self.scale.low <= level) & (level <= self.scale.high)
        self._draw_symbols("D", trace, times[seen], level[seen], label=trace.label, clip_on=False, zorder=3)

    def _draw_shapes(
        self, trace: Trace, taken: Turns | None, place: int, times: np.ndarray, level: np.ndarray
    ) -> None:
        """What tells a lane from others of its colour, along its curve."""
        shape = MARKERS[shape_of(trace.number)] if trace.number is not None else ""
        if shape:
            last = min(self.low + self.span, float(times[-1]))
            middles = shape_times(taken, place, self.low, last, self._pixel)
            self._draw_symbols(shape, trace, middles, np.interp(middles, times, level))

    def _draw_symbols(
        self, shape: str, trace: Trace, times: np.ndarray, level: np.ndarray, **look: Any
    ) -> None:
        self.axes.plot(
            times, level, shape, color=trace.colour, markersize=0.55 * self.size,
            markeredgewidth=0.1 * self.size, markerfacecolor="none", **look,
        )  # fmt: skip

    @property
    def _range(self) -> float:
        """Of the levels in sight."""
        return self.scale.high - self.scale.low

    @cached_property
    def _pixel(self) -> float:
        """Its width [s]."""
        return self.span / self._pixels(self.wide)

    @cached_property
    def _wide(self) -> float:
        """The width of a curve [pixels]."""
        return self.size / 8 / 72.0 * PIXELS_PER_INCH

    @cached_property
    def _meets(self) -> np.ndarray:
        """Where the cells of dashes meet [pixels]."""
        ends = cell_ends(self.low, self.low + self.span, cell_time(self._pixel, self._wide))
        return (ends - self.low) / self._pixel

    def _pixels(self, ems: float) -> float:
        return ems * self.size / 72.0 * PIXELS_PER_INCH

    def _turns(self, solid: Sequence[tuple[Trace, np.ndarray, np.ndarray]]) -> Turns | None:
        """Which part of each of these lines is drawn where several of them agree and take turns."""
        if len(solid) < 2:
            return None
        grid = np.linspace(self.low, self.low + self.span, max(int(self._pixels(self.wide)), 2))
        high = self._pixels(self.high) / self._range
        levels = [np.interp(grid, times, level, left=np.nan, right=np.nan) for _, times, level in solid]
        spacing = max(float(np.diff(times).max()) for _, times, _ in solid)
        return turns(grid, high * np.stack(levels), bucket_time(self._pixel, spacing))

    def _jumps(self, apart: float) -> Iterator[tuple[float, int]]:
        """Times and causes of the jumps in sight; those nearer than `apart` [s] are one: lanes that agree jump together."""
        found = [
            trace.series.jumps(trace.component, self.low, self.low + self.span) for trace in self.plot.traces
        ]
        jumps = sorted({
            jump for one in found for jump in zip(one.times.tolist(), one.causes.tolist(), strict=True)
        })  # fmt: skip
        while jumps:
            near = [jump for jump in jumps if jump[0] - jumps[0][0] < apart]
            yield jumps[0][0], max(cause for _, cause in near)
            jumps = jumps[len(near) :]

    def _draw_jumps(self) -> None:
        """A dotted line at each jump, with its cause where there is room for the word, which covers no curve."""
        size, apart = self.size, 0.5 * self.span / self.wide
        jumps = list(self._jumps(apart))
        free = -math.inf
        for number, (time, cause) in enumerate(jumps):
            colour = DANGER if cause == SINGULAR else MUTED
            self.axes.axvline(time, color=colour, linewidth=0.08 * size, linestyle=(0, (1, 2)), zorder=1.6)
            room = 0.9 * apart * len(CAUSES[cause])
            after = jumps[number + 1][0] if number + 1 < len(jumps) else self.low + self.span
            height = (
                self._free_height(time, time + room) if time >= free and after - time > 1.1 * room else None
            )
            if height is not None:
                free = time + room
                self.axes.annotate(
                    CAUSES[cause], (time, height), (0.5 * size, 0.0), xycoords=self.axes.get_xaxis_transform(),
                    textcoords="offset points", size=0.8 * size, color=colour, va="center",
                    bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.6},
                )  # fmt: skip

    def _free_height(self, start: float, stop: float) -> float | None:
        """Where the middle of a word from `start` to `stop` [s] covers no curve, as a part of the axis: at its upper end, at its
        lower one, or half-way; None where it would cover one everywhere."""
        half, scale = 0.5 * _WORD / self.high, self.scale
        # From where the word begins: across the jump no curve runs, and beyond its end none that has one.
        grid = np.linspace(start, stop, 40)[2:]
        levels = [
            np.interp(grid, times, scale.level(values), left=np.nan, right=np.nan)
            for times, values in self.points
            if len(times)
        ]
        parts = (np.array(levels) - scale.low) / (scale.high - scale.low)
        for height in (1.0 - half, half, 0.5):
            if not (np.abs(parts - height) < half).any():
                return height
        return None


def _named(symbol: str, unit: str) -> str:
    """What stands beside an axis."""
    return f"{symbol} [{unit}]" if symbol and unit else symbol or unit


def _has_room(label: str, high: float) -> bool:
    """Whether it fits beside an axis that is so many letters' heights high."""
    return len(label) <= high / 0.52 + 2
