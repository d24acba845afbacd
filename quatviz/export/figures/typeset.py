"""A table for print: three rules, numbers to the right."""

import textwrap
from collections.abc import Sequence

from quatviz.export.figures.paper import EDGE, MUTED, Paper, PrintFigure, styled

_LINE, _APART = 1.7, 1.6


def draw_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], note: str, paper: Paper
) -> PrintFigure:
    """The table as a figure, as wide as the paper and as high as it needs to be; the first column holds words."""
    with styled(paper):
        figure = PrintFigure(paper, title)
        heads = [textwrap.wrap(text, 16) for text in head]
        above = max(map(len, heads))
        rights = _rights(figure, heads, rows)
        titles, notes = figure.wrapped(title, 0.85, 0.75), figure.wrapped(note, 0.85)
        body = 1.25 * above + _LINE * len(rows) + 1.6
        figure.set_high(2 * EDGE + 1.5 * len(titles) + _APART + body + 1.15 * len(notes))

        def cell(column: int, y: float, text: str, weight: str = "normal") -> None:
            side = "right" if column else "left"
            figure.write(rights[column] if column else EDGE, y, text, weight=weight, ha=side)

        def rule(y: float, weight: float) -> None:
            figure.rule([EDGE, rights[-1]], y, weight, color=MUTED)

        y = EDGE
        for line in titles:
            figure.write(EDGE, y, line, 1.1, weight="semibold")
            y += 1.5
        rule(y + 0.5, 1.0)
        y += 0.9
        for column, lines in enumerate(heads):
            for number, line in enumerate(lines, above - len(lines)):
                cell(column, y + 1.25 * number, line, "semibold")
        y += 1.25 * above + 0.25
        rule(y, 0.5)
        y += 0.35
        for row in rows:
            for column, text in enumerate(row):
                cell(column, y, text)
            y += _LINE
        rule(y, 1.0)
        for number, line in enumerate(notes):
            figure.write(EDGE, y + 0.7 + 1.15 * number, line, 0.85, color=MUTED)
        return figure


def _rights(
    figure: PrintFigure, heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> list[float]:
    """Where each column ends, in ems: as wide as its longest text, and what is left of the paper between them."""
    widths = [
        max(
            *(figure.ems(line, 1.0, bold=True) for line in lines),
            *(figure.ems(row[column], 1.0) for row in rows),
        )
        for column, lines in enumerate(heads)
    ]
    spare = (figure.wide - 2 * EDGE - sum(widths)) / (len(widths) - 1)
    rights, left = [], EDGE
    for width in widths:
        rights.append(left + width)
        left += width + max(min(spare, 6.0), 0.4)
    return rights
