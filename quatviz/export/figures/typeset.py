"""Tables for print, with three horizontal rules and right-aligned numbers."""

import textwrap
from collections.abc import Sequence

from quatviz.export.figures.paper import EDGE_MARGIN, MUTED_COLOR, Paper, PrintFigure, print_style

_ROW_HEIGHT, _TITLE_GAP = 1.7, 1.6


def draw_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], note: str, paper: Paper
) -> PrintFigure:
    """Draw a table as a figure with the width of the paper and the required height. The first column is
    left-aligned text."""
    with print_style(paper):
        figure = PrintFigure(paper, title)
        heads = [textwrap.wrap(text, 16) for text in head]
        above = max(map(len, heads))
        rights = _column_edges(figure, heads, rows)
        titles, notes = figure.wrap(title, 0.85, 0.75), figure.wrap(note, 0.85)
        body = 1.25 * above + _ROW_HEIGHT * len(rows) + 1.6
        figure.set_height_ems(2 * EDGE_MARGIN + 1.5 * len(titles) + _TITLE_GAP + body + 1.15 * len(notes))

        def cell(column: int, y: float, text: str, weight: str = "normal") -> None:
            side = "right" if column else "left"
            figure.add_text(rights[column] if column else EDGE_MARGIN, y, text, weight=weight, ha=side)

        def rule(y: float, weight: float) -> None:
            figure.add_rule([EDGE_MARGIN, rights[-1]], y, weight, color=MUTED_COLOR)

        y = EDGE_MARGIN
        for line in titles:
            figure.add_text(EDGE_MARGIN, y, line, 1.1, weight="semibold")
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
            y += _ROW_HEIGHT
        rule(y, 1.0)
        for number, line in enumerate(notes):
            figure.add_text(EDGE_MARGIN, y + 0.7 + 1.15 * number, line, 0.85, color=MUTED_COLOR)
        return figure


def _column_edges(
    figure: PrintFigure, heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> list[float]:
    """Return the right edge [ems] of each column. Each column has the width of its longest text plus an equal share of
    the remaining width."""
    widths = [
        max(
            *(figure.text_width(line, 1.0, bold=True) for line in lines),
            *(figure.text_width(row[column], 1.0) for row in rows),
        )
        for column, lines in enumerate(heads)
    ]
    spare = (figure.width_ems - 2 * EDGE_MARGIN - sum(widths)) / (len(widths) - 1)
    rights, x = [], EDGE_MARGIN
    for width in widths:
        rights.append(x + width)
        x += width + max(min(spare, 6.0), 0.4)
    return rights
