"""Plots for print, as vectors."""

from __future__ import annotations

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.core.errors import Refusal
from quatviz.core.observables import QUANTITIES
from quatviz.export.files import refuse_place
from quatviz.simulation.simulation import Simulation


class Figure(Output):
    """Quantities over time, all lanes."""

    name = "figure"
    title = "a figure for print"
    suffixes = (".pdf", ".svg")

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("figures")
        group.add_argument(
            "--quantity", action="append", metavar="NAME", help="such as h or angles_313; may be repeated"
        )

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        for name in choice.quantity or ():
            if name not in QUANTITIES:
                known = ", ".join(name for name, kind in QUANTITIES.items() if not kind.sequence)
                raise Refusal(
                    "--quantity",
                    expected=f"some of {known}",
                    found=repr(name),
                    remedy="correct the spelling",
                    topic="errors#exports",
                )
        refuse_place(path)

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        from quatviz.export.figures.drawing import draw
        from quatviz.export.figures.of_run import QUANTITIES_OF_A_FIGURE, picture_of
        from quatviz.export.figures.paper import Paper, save

        picture, paper = picture_of(run, choice.quantity or QUANTITIES_OF_A_FIGURE), Paper()
        save(draw(picture, paper), path, paper, picture.title)
