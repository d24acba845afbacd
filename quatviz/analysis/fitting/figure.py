"""The figure of a fit for print: what is left over, component by component, within once and twice its usual size."""

from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.errors import phrase
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import EDGE_MARGIN, GRID_COLOR, MUTED_COLOR, Paper, PrintFigure, print_style

_DEFAULT_PAPER = Paper()
_HEAD, _FOOT, _SIDE, _BETWEEN, _ROW_HEIGHT = 3.2, 3.4, 5.4, 1.6, 8.0
"""Room above, below and beside, between two rows, and a row's height [ems]."""
_AXIS_LIMIT = 5.0
"""Of the usual size, that is in sight."""


def draw_fit(fit: BodyFit, paper: Paper = _DEFAULT_PAPER) -> PrintFigure:
    """The figure: turns above rates, an axis a column."""
    with print_style(paper):
        figure = PrintFigure(paper, fit.preset.title)
        components = fit.residual_components
        count = len(components) // 3
        lines = [
            row
            for sentence in (fit.noise_summary, fit.whiteness_summary)
            for row in figure.wrap(tr(sentence), 0.76)
        ]
        figure.set_height_ems(_HEAD + count * (_ROW_HEIGHT + _BETWEEN) + _FOOT + len(lines))
        figure.add_text(
            EDGE_MARGIN, EDGE_MARGIN, tr(phrase("What the fit leaves over")), 1.2, weight="semibold"
        )
        width = (figure.width_ems - EDGE_MARGIN - 3 * _SIDE) / 3
        for number, residual in enumerate(components):
            row, column = divmod(number, 3)
            x, y = _SIDE + column * (width + _SIDE), _HEAD + row * (_ROW_HEIGHT + _BETWEEN)
            axes = figure.add_axes_at(x, y, width, _ROW_HEIGHT)
            for share, shade in ((2.0, 0.35), (1.0, 0.6)):
                axes.axhspan(
                    -share * residual.sigma,
                    share * residual.sigma,
                    color=GRID_COLOR,
                    alpha=shade,
                    linewidth=0,
                )
            axes.plot(fit.residuals.t, residual.values, ".", markersize=1.5, color=lane_colour(LIGHT, 0))
            axes.set_ylim(-_AXIS_LIMIT * residual.sigma, _AXIS_LIMIT * residual.sigma)
            axes.set_ylabel(f"{residual.name} [{residual.unit}]")
            if row == count - 1:
                axes.set_xlabel("t [s]")
        for number, words in enumerate(lines):
            figure.add_text(
                EDGE_MARGIN, figure.height_ems - 0.6 - len(lines) + number, words, 0.76, color=MUTED_COLOR
            )
        return figure
