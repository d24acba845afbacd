"""A figure that is described elsewhere, drawn while somebody waits for it; matplotlib is loaded when the first one is."""

from typing import TYPE_CHECKING

from quatviz.export.figures.figure import Described
from quatviz.export.table import Progress

if TYPE_CHECKING:
    from quatviz.export.figures.paper import Paper, PrintFigure


def drawn(described: Described, paper: "Paper", progress: Progress) -> "PrintFigure":
    """A figure of matplotlib: 0.4 of what there is to do where it is written then."""
    from quatviz.export.figures.drawing import draw

    figure = draw(described(lambda share: progress(0.3 * share)), paper)
    progress(0.4)
    return figure


def rendered(described: Described, paper: "Paper", progress: Progress) -> tuple[bytes, bytes]:
    """A figure as PNG and as SVG."""
    figure = drawn(described, paper, progress)
    picture = figure.written("png")
    progress(0.7)
    return picture, figure.written("svg")
