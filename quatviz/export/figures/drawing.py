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

from quatviz.core.errors import Refusal, phrase
from quatviz.export.figures.axes import draw_strip, dress_time
from quatviz.export.figures.description import FigurePicture, PanelPicture, Strip
from quatviz.export.figures.paper import DOTS_PER_INCH, MM, MUTED, Paper, styled

UNIT = 7.5
"""Height of an ordinary strip in ems, where the paper does not say how high it is."""
LEAST = 2.2
_TITLE, _GAP, _TIMES, _EDGE, _GUTTER, _BETWEEN = 2.0, 1.2, 3.0, 0.6, 5.8, 1.4
_STRETCH = 1.4
_TWO_COLUMNS = 150.0
"""From this width [mm] on, several panels stand in two columns."""


class PrintFigure(Figure):
    """A matplotlib figure that keeps the look of print where a notebook shows it."""

    paper: Paper

    def _repr_png_(self) -> bytes:
        with styled(self.paper), io.BytesIO() as stream:
            self.savefig(stream, format="png", dpi=DOTS_PER_INCH / 2)
            return stream.getvalue()


def draw(picture: FigurePicture, paper: Paper) -> PrintFigure:
    """The figure. `Refusal` where the paper is too small for it."""
    with styled(paper):
        figure = PrintFigure()
        figure.paper = paper
        layout = _Layout(picture, paper)
        figure.set_size_inches(paper.width * MM, layout.height)
        layout.fill(figure)
        return figure


def columns(count: int, paper: Paper) -> int:
    """In how many columns so many panels stand."""
    return 2 if count >= 3 and paper.width >= _TWO_COLUMNS else 1


def column_width(count: int, paper: Paper) -> float:
    """The width [mm] of a column where there are so many panels."""
    em = paper.size / 72.0 / MM
    number = columns(count, paper)
    return (paper.width - 2 * _EDGE * em - (number - 1) * _BETWEEN * em) / number


@dataclass
class _Column:
    panels: Sequence[PanelPicture]
    left: float
    width: float


class _Layout:
    """Places in inches from the top left, in ems of the paper's type."""

    def __init__(self, picture: FigurePicture, paper: Paper) -> None:
        self.picture, self.paper = picture, paper
        self.em = paper.size / 72.0
        self.ruler = Ruler(paper)
        self.width = paper.width * MM
        self.columns = self._columns()
        self.legend = self._legend_rows()
        letters = max(int((self.width / self.em - 2 * _EDGE) / self.ruler.ems("n" * 100, 0.8) * 115), 20)
        self.footnote = textwrap.wrap(picture.footnote, letters)
        self.head = (
            _EDGE + (1.9 if picture.title else 0.0) + (1.4 * len(self.legend) + 0.4 if self.legend else 0.0)
        )
        self.foot = _EDGE + 1.1 * len(self.footnote) + (0.4 if self.footnote else 0.0)
        fixed = [self._fixed(column) for column in self.columns]
        weights = [sum(map(_weight, column.panels)) for column in self.columns]
        if paper.height is None:
            tall = max(f + UNIT * w for f, w in zip(fixed, weights, strict=True))
            self.height = (self.head + self.foot + tall) * self.em
        else:
            self.height = paper.height * MM
        room = self.height / self.em - self.head - self.foot
        units = [(room - f) / w if w else math.inf for f, w in zip(fixed, weights, strict=True)]
        # Every column reaches the foot, but for one that would be blown up.
        self.units = [min(unit, _STRETCH * min(units)) for unit in units]
        if min(self.units) < LEAST:
            needed = max(f + LEAST * w for f, w in zip(fixed, weights, strict=True)) + self.head + self.foot
            raise Refusal(
                "the figure's height",
                expected=phrase(
                    "at least {height} mm for these plots in this type",
                    height=math.ceil(needed * self.em / MM),
                ),
                found=f"{self.height / MM:.0f} mm",
                remedy="make the figure higher or its type smaller, or leave panels out",
                key="height",
            )

    def _columns(self) -> list[_Column]:
        panels, edge = self.picture.panels, _EDGE * self.em
        if columns(len(panels), self.paper) == 1:
            return [_Column(panels, edge, self.width - 2 * edge)]
        width = column_width(len(panels), self.paper) * MM
        high = [
            _TITLE + self._images([panel], width) + UNIT * _weight(panel) + _GAP * len(panel.strips)
            for panel in panels
        ]
        cut = min(range(1, len(panels)), key=lambda number: max(sum(high[:number]), sum(high[number:])))
        right = edge + width + _BETWEEN * self.em
        return [_Column(panels[:cut], edge, width), _Column(panels[cut:], right, width)]

    def _images(self, panels: Sequence[PanelPicture], width: float) -> float:
        """Height in ems of the pictures among these, in a column `width` inches wide."""
        shapes = [panel.image.shape for panel in panels if panel.image is not None]
        return sum(width / self.em * shape[0] / shape[1] for shape in shapes)

    def _legend_rows(self) -> list[list[tuple[str, str]]]:
        """The lanes in as few rows as hold them."""
        rows: list[list[tuple[str, str]]] = []
        used = math.inf
        for entry in self.picture.legend:
            needed = self._legend_width(entry[0])
            if used + needed > self.width / self.em - 2 * _EDGE:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += needed
        return rows

    def _legend_width(self, name: str) -> float:
        return 2.3 + self.ruler.ems(name, 0.95) + 1.8

    def _fixed(self, column: _Column) -> float:
        """What a column needs beside its strips."""
        total = self._images(column.panels, column.width)
        last = max((n for n, panel in enumerate(column.panels) if panel.strips), default=-1)
        for number, panel in enumerate(column.panels):
            total += _TITLE * bool(panel.title) + _GAP * max(len(panel.strips), 1)
            total += 1.3 * bool(panel.remark) + (_TIMES - _GAP) * (number == last)
        return total

    def fill(self, figure: Figure) -> None:
        y = _EDGE
        if self.picture.title:
            self._text(figure, _EDGE, y, self.picture.title, 1.25, weight="semibold")
            y += 1.9
        for row in self.legend:
            self._draw_legend(figure, row, y)
            y += 1.4
        for column, unit in zip(self.columns, self.units, strict=True):
            self._fill_column(figure, column, unit)
        base = self.height / self.em - _EDGE - 1.1 * len(self.footnote)
        for number, line in enumerate(self.footnote):
            self._text(figure, _EDGE, base + 1.1 * number, line, 0.8, color=MUTED)

    def _fill_column(self, figure: Figure, column: _Column, unit: float) -> None:
        y, left = self.head, column.left / self.em
        last = max((n for n, panel in enumerate(column.panels) if panel.strips), default=-1)
        for number, panel in enumerate(column.panels):
            if panel.title:
                self._draw_title(figure, panel, left, y)
                y += _TITLE
            if panel.image is not None:
                tall = self._images([panel], column.width)
                axes = figure.add_axes(self._box(left, y, column.width / self.em, tall))
                axes.imshow(panel.image, interpolation="none")
                axes.set_anchor("NW")
                axes.set_axis_off()
                y += tall + _GAP
            for place, strip in enumerate(panel.strips):
                tall = strip.weight * unit
                box = self._box(left + _GUTTER, y, column.width / self.em - _GUTTER - 0.8, tall)
                axes = figure.add_axes(box)
                draw_strip(axes, strip, self.picture, self.paper.size)
                lowest = number == last and place == len(panel.strips) - 1
                dress_time(axes, lowest, self.paper.size)
                if not strip.symbol:
                    self._draw_components(figure, strip, column, y)
                y += tall + (_TIMES if lowest else _GAP)
            if panel.remark:
                self._text(figure, left + _GUTTER, y - 0.3, panel.remark, 0.85, color=MUTED)
                y += 1.3

    def _draw_title(self, figure: Figure, panel: PanelPicture, left: float, y: float) -> None:
        self._text(figure, left, y, panel.title, 1.08, weight="semibold")
        if panel.note:
            at = left + self.ruler.ems(panel.title, 1.08, bold=True) + 0.8
            self._text(figure, at, y + 0.08, panel.note, 0.9, color=MUTED)

    def _draw_components(self, figure: Figure, strip: Strip, column: _Column, y: float) -> None:
        """The labels of the curves of one plot, at the right end of the line above it."""
        right = (column.left + column.width) / self.em - 0.8
        for curve in reversed([curve for curve in strip.curves if curve.label]):
            right -= self.ruler.ems(curve.label, 0.95)
            self._text(figure, right, y - 1.9, curve.label, 0.95)
            self._draw_key(figure, right - 2.3, y - 1.35, curve.colour, curve.marker, curve.dashed)
            right -= 3.4

    def _draw_legend(self, figure: Figure, row: Sequence[tuple[str, str]], y: float) -> None:
        x = _EDGE
        for name, colour in row:
            self._draw_key(figure, x, y + 0.5, colour)
            self._text(figure, x + 2.3, y, name, 0.95)
            x += self._legend_width(name)

    def _draw_key(
        self, figure: Figure, x: float, y: float, colour: str, marker: str = "", dashed: bool = False
    ) -> None:
        across = [x * self.em / self.width, (x + 1.8) * self.em / self.width]
        level = 1.0 - y * self.em / self.height
        if marker:
            across = [sum(across) / 2]
        figure.add_artist(
            Line2D(
                across,
                [level] * len(across),
                color=colour,
                linewidth=1.5 * self.paper.size / 8,
                linestyle="none" if marker else (0, (2, 2)) if dashed else "-",
                marker=marker or "",
                markersize=0.55 * self.paper.size,
                markerfacecolor="none",
            )
        )

    def _text(self, figure: Figure, x: float, y: float, text: str, part: float, **look: Any) -> None:
        figure.text(
            x * self.em / self.width, 1.0 - y * self.em / self.height, text,
            size=part * self.paper.size, va="top", ha="left", **look,
        )  # fmt: skip

    def _box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        return (
            x * self.em / self.width,
            1.0 - (y + height) * self.em / self.height,
            width * self.em / self.width,
            height * self.em / self.height,
        )


class Ruler:
    """How wide texts are in ems of a paper's type."""

    def __init__(self, paper: Paper) -> None:
        self._size = paper.size
        self._canvas = FigureCanvasAgg(Figure(dpi=72))

    def ems(self, text: str, part: float, bold: bool = False) -> float:
        look: Any = {"weight": "semibold"} if bold else {}
        made = self._canvas.figure.text(0.0, 0.0, text, size=part * self._size, **look)
        wide = made.get_window_extent(self._canvas.get_renderer()).width
        made.remove()
        return wide / self._size


def _weight(panel: PanelPicture) -> float:
    return sum(strip.weight for strip in panel.strips)
