"""A table for print: three rules, numbers to the right."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.lines import Line2D

from quatviz.export.figures.drawing import PrintFigure, Ruler
from quatviz.export.figures.paper import MM, MUTED, Paper, styled

_EDGE, _LINE, _APART = 0.6, 1.7, 1.6


def draw_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], note: str, paper: Paper
) -> PrintFigure:
    """The table as a figure, as wide as the paper and as high as it needs to be; the first column holds words."""
    with styled(paper):
        ruler, em, wide = Ruler(paper), paper.size / 72.0, paper.width * MM / (paper.size / 72.0)
        heads = [textwrap.wrap(text, 16) for text in head]
        above = max(map(len, heads))
        widths = [
            max(
                *(ruler.ems(line, 1.0, bold=True) for line in lines),
                *(ruler.ems(row[n], 1.0) for row in rows),
            )
            for n, lines in enumerate(heads)
        ]
        spare = (wide - 2 * _EDGE - sum(widths)) / (len(widths) - 1)
        rights, right = [], _EDGE
        for width in widths:
            right += width
            rights.append(right)
            right += max(min(spare, 6.0), 0.4)
        end = rights[-1]
        letters = max(int((wide - 2 * _EDGE) / ruler.ems("n" * 100, 0.85) * 115), 20)
        titles, notes = textwrap.wrap(title, int(letters * 0.75)), textwrap.wrap(note, letters)
        high = (
            2 * _EDGE
            + 1.5 * len(titles)
            + _APART
            + 1.25 * above
            + _LINE * len(rows)
            + 1.6
            + 1.15 * len(notes)
        )
        figure = PrintFigure(figsize=(paper.width * MM, high * em))
        figure.paper = paper

        def write(x: float, y: float, text: str, part: float = 1.0, **look: Any) -> None:
            figure.text(x / wide, 1.0 - y / high, text, size=part * paper.size, va="top", **look)

        def rule(y: float, weight: float) -> None:
            x = [_EDGE / wide, end / wide]
            figure.add_artist(Line2D(x, [1.0 - y / high] * 2, color=MUTED, linewidth=weight * paper.size / 8))

        y = _EDGE
        for line in titles:
            write(_EDGE, y, line, 1.1, weight="semibold")
            y += 1.5
        y += 0.5
        rule(y, 1.0)
        y += 0.4
        for n, lines in enumerate(heads):
            for number, line in enumerate(lines):
                at = y + 1.25 * (above - len(lines) + number)
                write(rights[n] if n else _EDGE, at, line, weight="semibold", ha="right" if n else "left")
        y += 1.25 * above + 0.25
        rule(y, 0.5)
        y += 0.35
        for row in rows:
            for n, text in enumerate(row):
                write(rights[n] if n else _EDGE, y, text, ha="right" if n else "left")
            y += _LINE
        rule(y, 1.0)
        y += 0.7
        for number, line in enumerate(notes):
            write(_EDGE, y + 1.15 * number, line, 0.85, color=MUTED)
        return figure
