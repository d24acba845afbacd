"""Printed figure of a fit: residuals by component, with bands of one and two standard deviations."""

from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.errors import phrase
from quatviz.base.formatting import capitalize_first
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import EDGE_MARGIN, GRID_COLOR, MUTED_COLOR, Paper, PrintFigure, print_style
from quatviz.files.preset_edits import shown_title

_BANDS_TEXT = phrase("the bands are one and two standard deviations, common to the three components")
_DEFAULT_PAPER = Paper()
_HEAD, _FOOT, _SIDE, _BETWEEN, _ROW_HEIGHT = 3.2, 3.4, 5.4, 1.6, 8.0
"""Sizes [ems]: space above and below all plots, to the left of each plot, and between rows; and height of a row."""
_AXIS_LIMIT = 5.0
"""Limit of the vertical axes in standard deviations."""


def draw_fit(fit: BodyFit, paper: Paper = _DEFAULT_PAPER) -> PrintFigure:
    """Return the figure: attitude residuals above rate residuals, one column per axis."""
    with print_style(paper):
        figure = PrintFigure(paper, shown_title(fit.preset))
        components = fit.residual_components
        count = len(components) // 3
        lines = [
            row
            for sentence in (fit.noise_summary, fit.whiteness_summary, _BANDS_TEXT)
            for row in figure.wrap(f"{capitalize_first(tr(sentence))}.", 0.76)
        ]
        figure.set_height_ems(_HEAD + count * (_ROW_HEIGHT + _BETWEEN) + _FOOT + len(lines))
        figure.add_text(EDGE_MARGIN, EDGE_MARGIN, tr(phrase("Residuals of the fit")), 1.2, weight="semibold")
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
            axes.plot(fit.residuals.t, residual.values, ".", markersize=1.5, color=lane_color(LIGHT, 0))
            axes.set_ylim(-_AXIS_LIMIT * residual.sigma, _AXIS_LIMIT * residual.sigma)
            axes.set_ylabel(f"{residual.name} [{residual.unit}]")
            if row == count - 1:
                axes.set_xlabel("t [s]")
        for number, words in enumerate(lines):
            figure.add_text(
                EDGE_MARGIN, figure.height_ems - 0.6 - len(lines) + number, words, 0.76, color=MUTED_COLOR
            )
        return figure
