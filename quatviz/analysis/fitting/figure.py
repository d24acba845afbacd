"""The figure of a fit for print: what is left over, component by component, within once and twice its usual size."""

from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.errors import phrase
from quatviz.base.translation import told
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import EDGE, HAIR, MUTED, Paper, PrintFigure, styled

_PAPER = Paper()
_HEAD, _FOOT, _SIDE, _BETWEEN, _HIGH = 3.2, 3.4, 5.4, 1.6, 8.0
"""Room above, below and beside, between two rows, and a row's height [ems]."""
_MOST = 5.0
"""Of the usual size, that is in sight."""


def draw(fit: BodyFit, paper: Paper = _PAPER) -> PrintFigure:
    """The figure: turns above rates, an axis a column."""
    with styled(paper):
        figure = PrintFigure(paper, fit.preset.title)
        every = fit.residuals
        count = len(every) // 3
        said = [
            line for each in (fit.of_noise, fit.of_whiteness) for line in figure.wrapped(told(each), 0.76)
        ]
        figure.set_high(_HEAD + count * (_HIGH + _BETWEEN) + _FOOT + len(said))
        figure.write(EDGE, EDGE, told(phrase("What the fit leaves over")), 1.2, weight="semibold")
        width = (figure.wide - EDGE - 3 * _SIDE) / 3
        for number, one in enumerate(every):
            line, column = divmod(number, 3)
            left, top = _SIDE + column * (width + _SIDE), _HEAD + line * (_HIGH + _BETWEEN)
            axes = figure.plot_at(left, top, width, _HIGH)
            for share, shade in ((2.0, 0.35), (1.0, 0.6)):
                axes.axhspan(-share * one.sigma, share * one.sigma, color=HAIR, alpha=shade, linewidth=0)
            axes.plot(fit.left.t, one.values, ".", markersize=1.5, color=lane_colour(LIGHT, 0))
            axes.set_ylim(-_MOST * one.sigma, _MOST * one.sigma)
            axes.set_ylabel(f"{one.name} [{one.unit}]")
            if line == count - 1:
                axes.set_xlabel("t [s]")
        for number, words in enumerate(said):
            figure.write(EDGE, figure.high - 0.6 - len(said) + number, words, 0.76, color=MUTED)
        return figure
