"""Plots for print, as vectors."""

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import look_of
from quatviz.display.panels import PANELS
from quatviz.display.view_state.view_state import read_look
from quatviz.export.figures.figure import (
    QUANTITIES_OF_A_FIGURE,
    figure_of_run,
    panels_of,
    refuse_quantities,
)
from quatviz.files.files import refuse_place
from quatviz.simulation.simulation import Simulation


class Figure(Output):
    """Quantities over time, all lanes, or panels as the window has them: those that are named, or those of a look, which may be the
    preset's own."""

    name = "figure"
    title = "a figure for print"
    suffixes = (".pdf", ".svg")

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("figures")
        group.add_argument(
            "--quantity", action="append", metavar="NAME", help="such as h or angles_313; may be repeated"
        )
        group.add_argument(
            "--panel",
            action="append",
            metavar="NAME",
            help="a panel of the window, such as multiplier; may be repeated",
        )

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        refuse_quantities(choice.quantity or (), "--quantity", topic="errors#exports")
        for name in choice.panel or ():
            PANELS.find(name, "--panel")
        if choice.look is not None:
            read_look(choice.look)
        refuse_place(path)

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        from quatviz.export.figures.drawing import draw
        from quatviz.export.figures.paper import Paper

        look, quantities, panels = look_of(choice, run.preset), choice.quantity or (), choice.panel or ()
        asked = bool(quantities or panels)
        if not asked and (choice.look is not None or look.panels):
            panels = panels_of(run, look)
        picture = figure_of_run(run, quantities, panels=panels, look=look)
        if not (picture.panels or asked):  # nothing is proposed, or other lanes have nothing of it
            picture = figure_of_run(run, QUANTITIES_OF_A_FIGURE, look=look)
        draw(picture, Paper()).save(path)
