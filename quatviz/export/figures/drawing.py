"""From a description to a matplotlib figure: where titles, legend, strips and footnote stand."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from quatviz.base.errors import InputError, phrase
from quatviz.export.figures.axes import MARKERS, draw_strip, dress_time
from quatviz.export.figures.canvas import PaperCanvas
from quatviz.export.figures.description import FigurePicture, PanelPicture, Strip
from quatviz.export.figures.paper import DOTS_PER_INCH, MM, MUTED, Paper, styled
from quatviz.look.lanes import lane_colour, shape_of
from quatviz.look.theme import LIGHT

UNIT = 7.5
"""Height of an ordinary strip in ems, where the paper does not say how high it is."""
LEAST = 2.2
EDGE = 0.6
_TITLE, _GAP, _TIMES, _GUTTER, _BETWEEN, _MARGIN = 2.0, 1.2, 3.0, 5.8, 1.4, 0.8
_STRETCH = 1.4
_PAINTED = 0.55
_TWO_COLUMNS = 150.0
"""From this width [mm] on, several panels stand in two columns."""


class PrintFigure(Figure):
    """A matplotlib figure that keeps the look of print where a notebook shows it.

    `wide` and `high` are its size in ems of the paper's type; texts and lines have their places in ems from the top left.
    Make it, and write in it, within `styled`.
    """

    def __init__(self, paper: Paper) -> None:
        self.em = paper.size / 72.0
        super().__init__(figsize=(paper.width * MM, self.em))
        self.paper = paper
        self.wide, self.high = paper.width * MM / self.em, 1.0
        self._ruler = FigureCanvasAgg(Figure(dpi=72))

    def set_high(self, ems: float) -> None:
        """Give it its height; nothing is written before."""
        self.high = ems
        self.set_size_inches(self.wide * self.em, ems * self.em)

    def ems(self, text: str, part: float, bold: bool = False) -> float:
        """How wide a text is in a part of the paper's type."""
        look: Any = {"weight": "semibold"} if bold else {}
        made = self._ruler.figure.text(0.0, 0.0, text, size=part * self.paper.size, **look)
        wide = made.get_window_extent(self._ruler.get_renderer()).width
        made.remove()
        return wide / self.paper.size

    def wrapped(self, text: str, part: float, share: float = 1.0) -> list[str]:
        """The lines of a text across a share of the figure."""
        letters = max(int((self.wide - 2 * EDGE) / self.ems("n" * 100, part) * 115), 20)
        return textwrap.wrap(text, int(letters * share))

    def write(self, x: float, y: float, text: str, part: float = 1.0, **look: Any) -> None:
        """A text in a part of the paper's type, its top left there unless `ha` says otherwise."""
        place = x / self.wide, 1.0 - y / self.high
        self.text(*place, text, size=part * self.paper.size, va="top", **{"ha": "left", **look})

    def rule(self, x: Sequence[float], y: float, weight: float, **look: Any) -> None:
        """A level line through each `x`, `weight` eighths of the type's points thick."""
        level = [1.0 - y / self.high] * len(x)
        width = weight * self.paper.size / 8
        self.add_artist(Line2D([each / self.wide for each in x], level, linewidth=width, **look))

    def box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """A place for axes, as matplotlib has it."""
        return x / self.wide, 1.0 - (y + height) / self.high, width / self.wide, height / self.high

    def _repr_png_(self) -> bytes:
        with styled(self.paper), io.BytesIO() as stream:
            self.savefig(stream, format="png", dpi=DOTS_PER_INCH / 2)
            return stream.getvalue()


def draw(picture: FigurePicture, paper: Paper) -> PrintFigure:
    """The figure. `InputError` where the paper is too small for it."""
    with styled(paper):
        return _Layout(picture, PrintFigure(paper)).filled()


def columns(count: int, paper: Paper) -> int:
    """In how many columns so many panels stand."""
    return 2 if count >= 3 and paper.width >= _TWO_COLUMNS else 1


@dataclass
class _Column:
    """Panels one above the other, and where, in ems."""

    panels: Sequence[PanelPicture]
    left: float
    width: float

    @property
    def last(self) -> int:
        """The panel that names the times; -1 where none is a plot."""
        return max((n for n, panel in enumerate(self.panels) if panel.strips), default=-1)


class _Layout:
    """Where everything of a picture stands in its figure, in ems from the top left."""

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
        figure.set_high(needed(UNIT) if height is None else height * MM / figure.em)
        room = figure.high - self.head - self.foot
        units = [(room - f) / w if w else math.inf for f, w in zip(fixed, weights, strict=True)]
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
        high = [_TITLE + UNIT * _weight(panel) + _GAP * max(len(panel.strips), 1) for panel in panels]
        cut = min(range(1, len(panels)), key=lambda number: max(sum(high[:number]), sum(high[number:])))
        return [_Column(panels[:cut], EDGE, width), _Column(panels[cut:], EDGE + width + _BETWEEN, width)]

    def _legend_rows(self) -> list[list[tuple[str, int]]]:
        """The lanes in as few rows as hold them."""
        rows: list[list[tuple[str, int]]] = []
        used = math.inf
        for entry in self.picture.legend:
            needed = self._legend_width(entry[0])
            if used + needed > self.figure.wide - 2 * EDGE:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += needed
        return rows

    def _legend_width(self, name: str) -> float:
        return 2.3 + self.figure.ems(name, 0.95) + 1.8

    def _fixed(self, column: _Column) -> float:
        """What a column needs beside its strips."""
        total = 0.0
        for number, panel in enumerate(column.panels):
            total += _TITLE * bool(panel.title) + _GAP * max(len(panel.strips), 1)
            total += 1.3 * bool(panel.remark) + (_TIMES - _GAP) * (number == column.last)
        return total

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
        figure, size = self.figure, self.paper.size
        y, left = self.head, column.left
        for number, panel in enumerate(column.panels):
            if panel.title:
                self._draw_title(panel, left, y)
                y += _TITLE
            if panel.painted is not None:
                tall = _weight(panel) * unit
                axes = figure.add_axes(figure.box(left, y, column.width, tall))
                panel.painted.draw(PaperCanvas(axes, column.width, tall, size, figure.ems, _GUTTER, _MARGIN))
                y += tall + _GAP
            for place, strip in enumerate(panel.strips):
                tall = strip.weight * unit
                axes = figure.add_axes(figure.box(left + _GUTTER, y, column.width - _GUTTER - _MARGIN, tall))
                draw_strip(axes, strip, self.picture, size)
                lowest = number == column.last and place == len(panel.strips) - 1
                dress_time(axes, lowest, size)
                if not strip.symbol:
                    self._draw_components(strip, column, y)
                y += tall + (_TIMES if lowest else _GAP)
            if panel.remark:
                figure.write(left + _GUTTER, y - 0.3, panel.remark, 0.85, color=MUTED)
                y += 1.3

    def _draw_title(self, panel: PanelPicture, left: float, y: float) -> None:
        self.figure.write(left, y, panel.title, 1.08, weight="semibold")
        if panel.note:
            at = left + self.figure.ems(panel.title, 1.08, bold=True) + 0.8
            self.figure.write(at, y + 0.08, panel.note, 0.9, color=MUTED)

    def _draw_components(self, strip: Strip, column: _Column, y: float) -> None:
        """The labels of the curves of one plot, at the right end of the line above it."""
        right = column.left + column.width - _MARGIN
        for curve in reversed([curve for curve in strip.curves if curve.label]):
            right -= self.figure.ems(curve.label, 0.95)
            self.figure.write(right, y - 1.9, curve.label, 0.95)
            self._draw_key(right - 2.3, y - 1.35, curve.colour, curve.marker, curve.dashed)
            right -= 3.4

    def _draw_legend(self, row: Sequence[tuple[str, int]], y: float) -> None:
        x = EDGE
        for name, number in row:
            self._draw_key(x, y + 0.5, lane_colour(LIGHT, number))
            if shape_of(number):
                self._draw_key(x, y + 0.5, lane_colour(LIGHT, number), MARKERS[shape_of(number)])
            self.figure.write(x + 2.3, y, name, 0.95)
            x += self._legend_width(name)

    def _draw_key(self, x: float, y: float, colour: str, marker: str = "", dashed: bool = False) -> None:
        self.figure.rule(
            [x + 0.9] if marker else [x, x + 1.8],
            y,
            1.5,
            color=colour,
            linestyle="none" if marker else (0, (2, 2)) if dashed else "-",
            marker=marker or "",
            markersize=0.55 * self.paper.size,
            markerfacecolor="none",
        )


def _weight(panel: PanelPicture) -> float:
    """In ordinary strips; what is painted has words where a strip has a curve, and needs less height."""
    painted = _PAINTED * panel.painted.weight if panel.painted is not None else 0.0
    return sum(strip.weight for strip in panel.strips) + painted
