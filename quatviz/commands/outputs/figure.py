"""Output of `quatviz render`: a figure for print, as vector graphics."""

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import chosen_view_state
from quatviz.display.panels import PANELS
from quatviz.display.view_state.view_state import read_view_state
from quatviz.export.figures.figure import (
    DEFAULT_QUANTITIES,
    make_run_figure,
    refuse_quantities,
    visible_panels,
)
from quatviz.files.files import refuse_unwritable
from quatviz.simulation.simulation import Simulation


class Figure(Output):
    """Plots of quantities over time with all lanes, or panels of the window.

    The options `--quantity` and `--panel` select the contents. By default, the figure shows the panels of the view
    state. This is the view state of the preset, unless the option `--look` gives another one.
    """

    name = "figure"
    title = "a figure for print"
    suffixes = (".pdf", ".svg")

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("figures")
        group.add_argument(
            "--quantity",
            action="append",
            metavar="NAME",
            help="quantity, such as h or angles_313; may be repeated",
        )
        group.add_argument(
            "--panel",
            action="append",
            metavar="NAME",
            help="panel of the window, such as multiplier; may be repeated",
        )

    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        refuse_quantities(args.quantity or (), "--quantity", topic="errors#exports")
        for name in args.panel or ():
            PANELS.find(name, "--panel")
        if args.look is not None:
            read_view_state(args.look)
        refuse_unwritable(path)

    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        from quatviz.export.figures.drawing import draw_figure
        from quatviz.export.figures.paper import Paper

        look, quantities, panels = chosen_view_state(args, run.preset), args.quantity or (), args.panel or ()
        has_selection = bool(quantities or panels)
        if not has_selection and (args.look is not None or look.panels or look.overview):
            panels = visible_panels(run, look)
        figure = make_run_figure(run, quantities, panels=panels, view_state=look)
        if not (figure.panels or has_selection):  # No panel is selected, or none applies to these lanes.
            figure = make_run_figure(run, DEFAULT_QUANTITIES, view_state=look)
        draw_figure(figure, Paper()).save(path)
