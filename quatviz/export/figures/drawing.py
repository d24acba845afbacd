"""Drawing of a figure with matplotlib: layout of titles, legend, plots and footnote, and content of the plots."""

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
from quatviz.display.data.scales import min_tick_count
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.curves import THEORY_OPACITY, THEORY_WIDTH, Plot, Trace
from quatviz.display.panels.base.globe import GlobePicture, GlobeViewAngles
from quatviz.display.view_state.line_styles import MARKER_NAMES, dash_pattern, lane_color, marker_of
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.canvas import PaperCanvas
from quatviz.export.figures.figure import (
    FigurePicture,
    MakeFigurePicture,
    PanelPicture,
    nothing_to_draw_error,
)
from quatviz.export.figures.globe import RING_LABEL_POSITION, GlobeLine, GlobeLines, globe_projections
from quatviz.export.figures.paper import EDGE_MARGIN, MILLIMETRE, MUTED_COLOR, Paper, PrintFigure, print_style
from quatviz.export.figures.stripes import StripeTurns, assign_turns, shape_times, stripe_duration
from quatviz.export.figures.strokes import (
    cell_boundaries,
    cell_duration,
    is_crowded,
    make_strokes,
    with_dashes,
)
from quatviz.export.table import Progress
from quatviz.physics.observables.jumps import CAUSES, SINGULAR

MARKERS = dict(zip(MARKER_NAMES, ("", "o", "s", "^"), strict=True))
"""Markers of matplotlib by the name of a lane's marker; "" for no marker."""
BUCKETS_PER_PLOT = 1000
"""Number of time intervals (buckets) along a plot. A curve is reduced to its extreme values in each of them.

At a plot width of 180 mm, an interval has 0.18 mm, half the width of a line.
"""
REFERENCE_PIXELS_PER_INCH = 110.0
"""Resolution with which distances in screen pixels, such as the width of stripes, are converted for print."""
DANGER_COLOR, DANGER_TINT_COLOR, ACCENT_COLOR = "#b3261e", "#f4dcda", "#0b63ce"

# All lengths are in ems of the paper's type.
MIN_STRIP_HEIGHT = 2.2
_TITLE_HEIGHT, _PLOT_GAP, _TIME_AXIS_HEIGHT, _GUTTER_WIDTH, _COLUMN_GAP, _RIGHT_MARGIN = (
    2.0,
    1.2,
    3.0,
    6.3,
    1.4,
    0.8,
)
_JUMP_LABEL_HEIGHT = 1.2
"""Height of the text at a jump, including the margins above and below it [ems]."""
_TICK_LABEL_HEIGHT = 0.8
"""Height of the tick labels of an axis [ems]. It is less than 1, because digits do not extend below the baseline."""
_MAX_STRETCH = 1.4
_PAINTED_FACTOR = 0.55
_GLOBE_HEIGHT = 12.0
"""Part of a globe's height that does not depend on the height of plots [ems]. The whole height is this value plus the
height of one plot. Smaller globes are not readable."""
_SPHERE_COLOR = "#f3f5f9"
_KEY_LENGTH = 2.0
"""Length of a line sample in the legend [ems], equal to the length of the longest dash pattern."""
_KEY_THICKNESS = 1.5
"""Thickness of a line sample in the legend, relative to the width of a curve."""
_REMARK_SIZE, _REMARK_LINE_HEIGHT, _REMARK_GAP = 0.85, 1.15, 0.3
"""Sizes of the note below a plot: font size relative to the normal size, line height [ems], and gap above the note
[ems]."""
_MIN_TWO_COLUMN_WIDTH = 150.0
"""Smallest paper width [mm] at which several panels are arranged in two columns."""


def draw_figure(picture: FigurePicture, paper: Paper, title: str = "") -> PrintFigure:
    """Draw a figure.

    Parameters
    ----------
    picture
        The figure as data.
    paper
        Size and font.
    title
        Title in the metadata of the files. If empty, the title of the picture is used.

    Raises
    ------
    InputError
        If there is nothing to draw, or the paper is too small.
    """
    if not picture.panels:
        raise nothing_to_draw_error()
    with print_style(paper):
        return _FigureLayout(picture, PrintFigure(paper, title or picture.title)).draw()


def draw_with_progress(make_picture: MakeFigurePicture, paper: Paper, progress: Progress) -> PrintFigure:
    """Draw a figure and report the progress, from 0 to 0.4. The rest of the progress is for writing the file."""
    figure = draw_figure(make_picture(lambda share: progress(0.3 * share)), paper)
    progress(0.4)
    return figure


def render_png_and_svg(
    make_picture: MakeFigurePicture, paper: Paper, progress: Progress
) -> tuple[bytes, bytes]:
    """Draw a figure, and return it as the bytes of a PNG and of an SVG file."""
    figure = draw_with_progress(make_picture, paper, progress)
    picture = figure.to_bytes("png")
    progress(0.7)
    return picture, figure.to_bytes("svg")


def column_count(count: int, paper: Paper) -> int:
    """Return the number of columns for a figure with `count` panels."""
    return 2 if count >= 3 and paper.width >= _MIN_TWO_COLUMN_WIDTH else 1


@dataclass
class _Column:
    """A column of panels. `x` is the position of its left edge and `width` its width [ems]."""

    panels: Sequence[PanelPicture]
    x: float
    width: float

    @property
    def last(self) -> int:
        """Index of the lowest panel with plots, which has the labels of the time axis; -1 if there is none."""
        return max((n for n, panel in enumerate(self.panels) if panel.plots), default=-1)


class _FigureLayout:
    """Layout of a figure: positions of all parts in ems from the top left. `draw` draws the figure."""

    def __init__(self, picture: FigurePicture, figure: PrintFigure) -> None:
        self.picture, self.figure, self.paper = picture, figure, figure.paper
        self.columns = self._columns()
        self.legend = self._legend_rows()
        self.footnote = figure.wrap(picture.footnote, 0.8)
        self.head = (
            EDGE_MARGIN
            + (1.9 if picture.title else 0.0)
            + (1.4 * len(self.legend) + 0.4 if self.legend else 0.0)
        )
        self.foot = EDGE_MARGIN + 1.1 * len(self.footnote) + (0.4 if self.footnote else 0.0)
        fixed = [self._fixed_height(column) for column in self.columns]
        weights = [sum(map(_panel_weight, column.panels)) for column in self.columns]

        def needed(unit: float) -> float:
            return max(f + unit * w for f, w in zip(fixed, weights, strict=True)) + self.head + self.foot

        height = self.paper.height
        figure.set_height_ems(needed(self.paper.strip) if height is None else height * MILLIMETRE / figure.em)
        room = figure.height_ems - self.head - self.foot
        units = [(room - f) / w for f, w in zip(fixed, weights, strict=True)]
        # Every column extends down to the footnote, unless it would be stretched too much.
        self.units = [min(unit, _MAX_STRETCH * min(units)) for unit in units]
        if min(self.units) < MIN_STRIP_HEIGHT:
            least = math.ceil(needed(MIN_STRIP_HEIGHT) * figure.em / MILLIMETRE)
            raise InputError(
                "the figure's height",
                expected=phrase("at least {height} mm for these plots and this type size", height=least),
                found=f"{figure.height_ems * figure.em / MILLIMETRE:.0f} mm",
                remedy="make the figure higher or the type size smaller, or leave panels out",
                key="height",
            )

    def _columns(self) -> list[_Column]:
        panels, room = self.picture.panels, self.figure.width_ems - 2 * EDGE_MARGIN
        number = column_count(len(panels), self.paper)
        if number == 1:
            return [_Column(panels, EDGE_MARGIN, room)]
        width = (room - (number - 1) * _COLUMN_GAP) / number
        heights = [
            _TITLE_HEIGHT
            + self.paper.strip * _panel_weight(panel)
            + _GLOBE_HEIGHT * (panel.globe is not None)
            + _PLOT_GAP * max(len(panel.plots), 1)
            for panel in panels
        ]
        cut = min(range(1, len(panels)), key=lambda number: max(sum(heights[:number]), sum(heights[number:])))
        return [
            _Column(panels[:cut], EDGE_MARGIN, width),
            _Column(panels[cut:], EDGE_MARGIN + width + _COLUMN_GAP, width),
        ]

    def _legend_rows(self) -> list[list[tuple[str, int | None]]]:
        """Return the legend entries, divided into as few rows as possible."""
        rows: list[list[tuple[str, int | None]]] = []
        used = math.inf
        for entry in self.picture.legend:
            needed = self._legend_width(*entry)
            if used + needed > self.figure.width_ems - 2 * EDGE_MARGIN:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += needed
        return rows

    def _legend_width(self, name: str, number: int | None) -> float:
        return (0.0 if number is None else _KEY_LENGTH + 0.5) + self.figure.text_width(name, 0.95) + 1.8

    def _fixed_height(self, column: _Column) -> float:
        """Return the total height [ems] of everything in a column except the plot areas."""
        total = 0.0
        for number, panel in enumerate(column.panels):
            total += _TITLE_HEIGHT * bool(panel.title) + _PLOT_GAP * max(len(panel.plots), 1)
            total += _GLOBE_HEIGHT * (panel.globe is not None)
            remark = self._remark(panel, column)
            total += _REMARK_GAP * bool(remark) + _REMARK_LINE_HEIGHT * len(remark)
            total += (_TIME_AXIS_HEIGHT - _PLOT_GAP) * (number == column.last)
        return total

    def _remark(self, panel: PanelPicture, column: _Column) -> list[str]:
        """Return the lines of the note below the plots of a panel, wrapped to the width of the plots."""
        room = column.width - _GUTTER_WIDTH - _RIGHT_MARGIN
        return (
            wrap(panel.remark, room, lambda text: self.figure.text_width(text, _REMARK_SIZE))
            if panel.remark
            else []
        )

    def draw(self) -> PrintFigure:
        """Draw the whole figure."""
        figure, y = self.figure, EDGE_MARGIN
        if self.picture.title:
            figure.add_text(EDGE_MARGIN, y, self.picture.title, 1.25, weight="semibold")
            y += 1.9
        for row in self.legend:
            self._draw_legend(row, y)
            y += 1.4
        for column, unit in zip(self.columns, self.units, strict=True):
            self._draw_column(column, unit)
        base = figure.height_ems - EDGE_MARGIN - 1.1 * len(self.footnote)
        for number, line in enumerate(self.footnote):
            figure.add_text(EDGE_MARGIN, base + 1.1 * number, line, 0.8, color=MUTED_COLOR)
        return figure

    def _draw_column(self, column: _Column, unit: float) -> None:
        figure = self.figure
        y, x = self.head, column.x
        for number, panel in enumerate(column.panels):
            if panel.title:
                self._draw_title(panel, x, y, unit)
                y += _TITLE_HEIGHT
            if panel.painted is not None:
                plot_height = _panel_weight(panel) * unit
                axes = figure.add_axes_at(x, y, column.width, plot_height)
                panel.painted.draw(
                    PaperCanvas(axes, column.width, plot_height, figure, _GUTTER_WIDTH, _RIGHT_MARGIN)
                )
                y += plot_height + _PLOT_GAP
            if panel.globe is not None:
                plot_height = _GLOBE_HEIGHT + unit
                _draw_globe(
                    figure,
                    figure.add_axes_at(x, y, column.width, plot_height),
                    panel.globe,
                    column.width,
                    plot_height,
                )
                y += plot_height + _PLOT_GAP
            for plot_index, plot in enumerate(panel.plots):
                plot_width, plot_height = column.width - _GUTTER_WIDTH - _RIGHT_MARGIN, plot.weight * unit
                is_lowest = number == column.last and plot_index == len(panel.plots) - 1
                axes = figure.add_axes_at(x + _GUTTER_WIDTH, y, plot_width, plot_height)
                _StripDrawing(axes, plot_width, plot_height, plot, self.picture, self.paper.size).draw(
                    is_lowest
                )
                if not plot.symbol:
                    self._draw_components(plot, column, y)
                y += plot_height + (_TIME_AXIS_HEIGHT if is_lowest else _PLOT_GAP)
            remark = self._remark(panel, column)
            y += _REMARK_GAP * bool(remark)
            for line in remark:
                figure.add_text(x + _GUTTER_WIDTH, y, line, _REMARK_SIZE, color=MUTED_COLOR)
                y += _REMARK_LINE_HEIGHT

    def _draw_title(self, panel: PanelPicture, x: float, y: float, strip_height: float) -> None:
        """Draw the title and the note of a panel.

        If the labels of the vertical axes do not fit the height of a plot, `strip_height` [ems], their common unit is
        added to the note.
        """
        self.figure.add_text(x, y, panel.title, 1.08, weight="semibold")
        units = {plot.unit for plot in panel.plots}
        units_are_shown = all(
            _has_room(_axis_label(plot.symbol, plot.unit), plot.weight * strip_height) for plot in panel.plots
        )
        unit = next(iter(units)) if len(units) == 1 and not units_are_shown else ""
        note = ", ".join(part for part in (unit, panel.note) if part)
        if note:
            note_x = x + self.figure.text_width(panel.title, 1.08, bold=True) + 0.8
            self.figure.add_text(note_x, y + 0.08, note, 0.9, color=MUTED_COLOR)

    def _draw_components(self, plot: Plot, column: _Column, y: float) -> None:
        """Draw the names of the traces above a plot, each with a sample of its line, aligned to the right end of the plot."""
        right = column.x + column.width - _RIGHT_MARGIN
        for trace in reversed([trace for trace in plot.traces if trace.label]):
            right -= self.figure.text_width(trace.label, 0.95)
            self.figure.add_text(right, y - 1.9, trace.label, 0.95)
            self._draw_key(
                right - _KEY_LENGTH - 0.5,
                y - 1.35,
                trace.color,
                "D" if trace.is_scatter else "",
            )
            right -= _KEY_LENGTH + 1.6

    def _draw_legend(self, row: Sequence[tuple[str, int | None]], y: float) -> None:
        x = EDGE_MARGIN
        for name, number in row:
            if number is not None:
                self._draw_key(x, y + 0.5, lane_color(LIGHT, number), pattern=dash_pattern(number))
                if marker_of(number):
                    self._draw_key(x, y + 0.5, lane_color(LIGHT, number), MARKERS[marker_of(number)])
            self.figure.add_text(x + (0.0 if number is None else _KEY_LENGTH + 0.5), y, name, 0.95)
            x += self._legend_width(name, number)

    def _draw_key(
        self, x: float, y: float, color: str, marker: str = "", pattern: Sequence[float] = ()
    ) -> None:
        self.figure.add_rule(
            [x + _KEY_LENGTH / 2] if marker else [x, x + _KEY_LENGTH],
            y,
            _KEY_THICKNESS,
            color=color,
            linestyle="none"
            if marker
            else (0, [part / _KEY_THICKNESS for part in pattern])
            if pattern
            else "-",
            marker=marker or "",
            markersize=0.55 * self.paper.size,
            markerfacecolor="none",
        )


def _panel_weight(panel: PanelPicture) -> float:
    """Return the height of a panel relative to one plot. Painted panels need less height than in the window, because they
    only show text."""
    painted = _PAINTED_FACTOR * panel.painted.weight if panel.painted is not None else 0.0
    return sum(plot.weight for plot in panel.plots) + painted + (panel.globe is not None)


def _draw_globe(figure: PrintFigure, axes: Axes, picture: GlobePicture, width: float, height: float) -> None:
    """Draw one or two globes on axes of `width` by `height` [ems], in the initial viewing direction of the window."""
    size = figure.paper.size
    pixel = 72.0 / REFERENCE_PIXELS_PER_INCH / size  # [em]
    axes.set_xlim(0.0, width / pixel)
    axes.set_ylim(height / pixel, 0.0)
    axes.set_axis_off()
    room = Rect(0.0, 0.0, width / pixel, height / pixel)
    thin = 0.07 * size

    def stroke(line: GlobeLine, **style: Any) -> None:
        axes.plot(*line.pixels, color=line.color, linewidth=line.width * thin, clip_on=False, **style)

    def write(x: float, y: float, text: str, part: float, **style: Any) -> None:
        axes.text(x, y, text, size=part * size, **{"ha": "center", "va": "center", **style})

    for number, projection in enumerate(
        globe_projections(room, picture.captions, 1.2 / pixel, GlobeViewAngles())
    ):
        globe_lines = GlobeLines(picture, projection, number, LIGHT, size / 8.0 / thin)
        write(projection.x, projection.box.y, picture.captions[number], 0.9, color=MUTED_COLOR, va="bottom")
        axes.fill(
            *projection.rim(picture.surface).T,
            facecolor=_SPHERE_COLOR,
            edgecolor=globe_lines.rim_color,
            linewidth=thin,
        )
        for line, text in globe_lines.rings():
            stroke(line, linestyle=(0, (5, 4)))
            right, down = (part * float(np.ptp(line.pixels[0])) / 2 for part in RING_LABEL_POSITION)
            write(
                projection.x + right, projection.y + down, text, 0.8, color=MUTED_COLOR, ha="left", va="top"
            )
        for front in (False, True):
            for line in globe_lines.lines(front):
                stroke(line)
            for label in globe_lines.labels(front):
                x, y = projection.project(label.point)
                write(x, y, label.text, 0.95, color=globe_lines.label_color(label, front), weight="semibold")
            for mark in globe_lines.marks(front):
                color = globe_lines.side_color(LIGHT.text, front)
                axes.plot(
                    *projection.project(mark.point),
                    "o",
                    color=color,
                    markerfacecolor="white",
                    markersize=0.4 * size,
                )


class _StripDrawing:
    """Drawing of one plot on axes of `width` by `height` [ems], in a font of `size` points."""

    def __init__(
        self, axes: Axes, width: float, height: float, plot: Plot, picture: FigurePicture, size: float
    ) -> None:
        plot.extend_range()
        self.axes, self.width, self.height = axes, width, height
        self.plot, self.scale, self.size = plot, plot.scale, size
        self.low, self.span = picture.low, picture.high - picture.low
        self.events = picture.events
        self.points = [self._trace_points(trace) for trace in plot.traces]

    def draw(self, has_time_labels: bool) -> None:
        """Draw the plot. The time axis has labels if `has_time_labels` is True."""
        axes, size = self.axes, self.size
        axes.grid(True)
        axes.tick_params(
            length=0.3 * size, labelsize=0.9 * size, pad=0.25 * size, labelbottom=has_time_labels
        )
        self._draw_axes()
        if has_time_labels:
            axes.set_xlabel("t [s]", labelpad=0.2 * size)
        if self.plot.band is not None:
            axes.axhspan(-self.plot.band, self.plot.band, color=DANGER_TINT_COLOR, linewidth=0, zorder=0.5)
            axes.axhline(0.0, color=MUTED_COLOR, linewidth=0.06 * size, zorder=0.6)
        for time in self.events:
            axes.axvline(time, color=ACCENT_COLOR, linewidth=0.08 * size, linestyle=(0, (5, 3)), zorder=1.5)
        self._draw_parts()
        self._draw_curves()
        self._draw_jumps()

    def _trace_points(self, trace: Trace) -> tuple[np.ndarray, np.ndarray]:
        """Return times (m,) and values (m,) of a trace in the visible range. They are reduced to the resolution of the
        print."""
        view = bucket_range(trace.series.times, self.low, self.low + self.span, BUCKETS_PER_PLOT)
        return trace.series.curve(view, trace.component)

    def _draw_axes(self) -> None:
        axes, scale = self.axes, self.scale
        axes.set_xlim(self.low, self.low + self.span)
        count = int(min(max(self.width / 5, 2), 10))
        axes.xaxis.set_major_locator(MaxNLocator(count, steps=[1, 2, 5, 10]))
        ticks = scale.ticks(min_tick_count(self.height / _TICK_LABEL_HEIGHT))
        places = [scale.low + part * (scale.high - scale.low) for part, _ in ticks]
        axes.set_yticks(places, [text for _, text in ticks])
        axes.set_ylim(scale.low, scale.high)
        label = self._label()
        axes.set_ylabel(label, labelpad=0.3 * self.size, linespacing=1.0)
        axes.yaxis.set_label_coords((-4.4 if "\n" in label else -5.1) / self.width, 0.5)

    def _label(self) -> str:
        """Return the axis label, shortened to the available height.

        A shortened label lacks the power of ten by which the tick labels are to be multiplied. This factor is then
        drawn above the axis.
        """
        symbol, factor = self.plot.symbol, self.scale.factor_text
        unit = " ".join(part for part in (factor.removeprefix("×"), self.plot.unit) if part)
        full_label = _axis_label(symbol, unit)
        if not symbol or _has_room(full_label, self.height):
            return full_label
        if factor:
            at = self.axes.transAxes
            self.axes.text(
                0.0, 1.0, factor, transform=at, va="bottom", fontsize=0.8 * self.size, color=MUTED_COLOR
            )
        if _has_room(symbol, self.height):
            return symbol
        symbol = symbol.partition(", ")[0]
        return symbol if _has_room(symbol, self.height) else symbol.replace(" / ", "\n/ ")

    def _draw_parts(self) -> None:
        """Draw the terms of a sum as stacked areas. Each area extends from the sum of the previous terms to the sum
        that includes the term."""
        below: np.ndarray | None = None
        for trace, (times, values) in zip(self.plot.traces, self.points, strict=True):
            if trace.is_part:
                below = np.zeros_like(values) if below is None else below
                edges = self.scale.to_axis_units(below), self.scale.to_axis_units(values)
                self.axes.fill_between(
                    times, *edges, color=trace.color, alpha=0.4, linewidth=0, label=trace.label
                )
                below = values

    def _draw_curves(self) -> None:
        lines = [
            (trace, times, self.scale.to_axis_units(values))
            for trace, (times, values) in zip(self.plot.traces, self.points, strict=True)
            if not trace.is_part
        ]
        solid = [line for line in lines if not (line[0].is_scatter or len(line[1]) < 2)]
        for theory in (True, False):
            group = [line for line in solid if line[0].is_theory is theory]
            turns = self._assign_turns(group)
            for curve, (trace, times, level) in enumerate(group):
                self._draw_shapes(trace, turns, curve, times, level)
                is_broad = theory and not is_crowded(
                    *self._to_pixels(times, level), self._cell_boundaries, self._curve_width
                )
                self._draw_line(trace, is_broad, *self._with_gaps(trace, turns, curve, times, level))
        for trace, times, level in lines:
            if trace.is_scatter:
                self._draw_points(trace, times, level)
            end = trace.end_point
            if end is not None and 0.0 <= end[0] - self.low <= self.span:
                self.axes.plot(
                    [end[0]], self.scale.to_axis_units(np.array([end[1]])), "x", color=trace.color, clip_on=False,
                    markersize=0.7 * self.size, markeredgewidth=0.175 * self.size,
                )  # fmt: skip

    def _with_gaps(
        self, trace: Trace, turns: StripeTurns | None, curve: int, times: np.ndarray, level: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return times and levels of the line of a trace, with NaN where the line is interrupted.

        The line is interrupted in stripes that show another curve, and in the gaps of the lane's dash pattern.
        """
        is_drawn = turns.mask(curve, times) if turns is not None else np.ones(len(times), dtype=bool)
        is_alone = turns.touches_none(curve, times) if turns is not None else is_drawn
        if not trace.pattern or np.count_nonzero(is_alone & is_drawn & np.isfinite(level)) < 2:
            return times, np.where(is_drawn, level, np.nan)
        across, up = self._to_pixels(times, level)
        given, points = make_strokes(across, up[None], is_drawn[None])
        lengths = [self._curve_width * part for part in trace.pattern]
        lines = with_dashes(given, is_alone[points], self._cell_boundaries, [lengths], self._curve_width)
        begins = np.flatnonzero(~lines.is_joined)
        return (
            np.insert(self.low + self._seconds_per_pixel * lines.x, begins, np.nan),
            np.insert(lines.y * self._level_range / self._ems_to_pixels(self.height), begins, np.nan),
        )

    def _to_pixels(self, times: np.ndarray, level: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Convert times (n,) [s] and levels (n,) [axis units] of a curve to horizontal and vertical positions in pixels."""
        return (times - self.low) / self._seconds_per_pixel, level * self._ems_to_pixels(
            self.height
        ) / self._level_range

    def _draw_line(self, trace: Trace, is_broad: bool, times: np.ndarray, level: np.ndarray) -> None:
        self.axes.plot(
            times, level, color=trace.color, linewidth=(THEORY_WIDTH if is_broad else 1) * self.size / 8,
            alpha=THEORY_OPACITY if trace.is_theory else None,
            label=trace.label, solid_joinstyle="round", solid_capstyle="butt",
        )  # fmt: skip

    def _draw_points(self, trace: Trace, times: np.ndarray, level: np.ndarray) -> None:
        """Draw symbols at the visible points of a trace. A symbol at the edge of the plot is drawn completely."""
        seen = (self.low <= times) & (times <= self.low + self.span)
        seen &= (self.scale.low <= level) & (level <= self.scale.high)
        self._draw_symbols("D", trace, times[seen], level[seen], label=trace.label, clip_on=False, zorder=3)

    def _draw_shapes(
        self, trace: Trace, turns: StripeTurns | None, curve: int, times: np.ndarray, level: np.ndarray
    ) -> None:
        """Draw the markers that distinguish a lane from other lanes of the same color."""
        shape = MARKERS[marker_of(trace.number)] if trace.number is not None else ""
        if shape:
            last = min(self.low + self.span, float(times[-1]))
            middles = shape_times(turns, curve, self.low, last, self._seconds_per_pixel)
            self._draw_symbols(shape, trace, middles, np.interp(middles, times, level))

    def _draw_symbols(
        self, shape: str, trace: Trace, times: np.ndarray, level: np.ndarray, **style: Any
    ) -> None:
        self.axes.plot(
            times, level, shape, color=trace.color, markersize=0.55 * self.size,
            markeredgewidth=0.1 * self.size, markerfacecolor="none", **style,
        )  # fmt: skip

    @property
    def _level_range(self) -> float:
        """Length of the vertical axis in axis units."""
        return self.scale.high - self.scale.low

    @cached_property
    def _seconds_per_pixel(self) -> float:
        """Time [s] that one pixel of the time axis represents."""
        return self.span / self._ems_to_pixels(self.width)

    @cached_property
    def _curve_width(self) -> float:
        """Width of a curve of this plot [pixels]."""
        return self.size / 8 / 72.0 * REFERENCE_PIXELS_PER_INCH

    @cached_property
    def _cell_boundaries(self) -> np.ndarray:
        """Horizontal positions [pixels] of the boundaries between cells. Dash patterns start anew in each cell."""
        ends = cell_boundaries(
            self.low, self.low + self.span, cell_duration(self._seconds_per_pixel, self._curve_width)
        )
        return (ends - self.low) / self._seconds_per_pixel

    def _ems_to_pixels(self, ems: float) -> float:
        return ems * self.size / 72.0 * REFERENCE_PIXELS_PER_INCH

    def _assign_turns(self, solid: Sequence[tuple[Trace, np.ndarray, np.ndarray]]) -> StripeTurns | None:
        """Return which of several coinciding curves is drawn in which time interval (stripe), or None for a single
        curve."""
        if len(solid) < 2:
            return None
        grid = np.linspace(self.low, self.low + self.span, max(int(self._ems_to_pixels(self.width)), 2))
        pixels_per_unit = self._ems_to_pixels(self.height) / self._level_range
        levels = [np.interp(grid, times, level, left=np.nan, right=np.nan) for _, times, level in solid]
        spacing = max(float(np.diff(times).max()) for _, times, _ in solid)
        return assign_turns(
            grid, pixels_per_unit * np.stack(levels), stripe_duration(self._seconds_per_pixel, spacing)
        )

    def _jumps(self, min_separation: float) -> Iterator[tuple[float, int]]:
        """Yield time [s] and cause of each visible jump. Jumps that are less than `min_separation` [s] apart are merged into
        one."""
        curve_jumps = [
            trace.series.jumps(trace.component, self.low, self.low + self.span) for trace in self.plot.traces
        ]
        jumps = sorted(
            {
                jump
                for trace_jumps in curve_jumps
                for jump in zip(trace_jumps.times.tolist(), trace_jumps.causes.tolist(), strict=True)
            }
        )
        while jumps:
            cluster = [jump for jump in jumps if jump[0] - jumps[0][0] < min_separation]
            yield jumps[0][0], max(cause for _, cause in cluster)
            jumps = jumps[len(cluster) :]

    def _draw_jumps(self) -> None:
        """Draw a dotted line at each jump. A text names the cause if it fits there without covering a curve."""
        size, apart = self.size, 0.5 * self.span / self.width
        jumps = list(self._jumps(apart))
        next_free_time = -math.inf
        for number, (time, cause) in enumerate(jumps):
            color = DANGER_COLOR if cause == SINGULAR else MUTED_COLOR
            self.axes.axvline(time, color=color, linewidth=0.08 * size, linestyle=(0, (1, 2)), zorder=1.6)
            room = 0.9 * apart * len(CAUSES[cause])
            after = jumps[number + 1][0] if number + 1 < len(jumps) else self.low + self.span
            height = (
                self._free_height(time, time + room)
                if time >= next_free_time and after - time > 1.1 * room
                else None
            )
            if height is not None:
                next_free_time = time + room
                self.axes.annotate(
                    CAUSES[cause], (time, height), (0.5 * size, 0.0), xycoords=self.axes.get_xaxis_transform(),
                    textcoords="offset points", size=0.8 * size, color=color, va="center",
                    bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.6},
                )  # fmt: skip

    def _free_height(self, start: float, stop: float) -> float | None:
        """Return a vertical position at which a text from `start` to `stop` [s] covers no curve, as a fraction of the axis.

        The upper end, the lower end and the middle are tried. Return None if the text would cover a curve in all of them.
        """
        half, scale = 0.5 * _JUMP_LABEL_HEIGHT / self.height, self.scale
        # No curve runs across the jump itself, where the text begins.
        grid = np.linspace(start, stop, 40)[2:]
        levels = [
            np.interp(grid, times, scale.to_axis_units(values), left=np.nan, right=np.nan)
            for times, values in self.points
            if len(times)
        ]
        parts = (np.array(levels) - scale.low) / (scale.high - scale.low)
        for height in (1.0 - half, half, 0.5):
            if not (np.abs(parts - height) < half).any():
                return height
        return None


def _axis_label(symbol: str, unit: str) -> str:
    """Return the label of an axis from symbol and unit, each of which may be ""."""
    return f"{symbol} [{unit}]" if symbol and unit else symbol or unit


def _has_room(label: str, height: float) -> bool:
    """Return True if a label fits beside an axis of this `height` [ems]."""
    return len(label) <= height / 0.52 + 2
