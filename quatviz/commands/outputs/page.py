"""A page for a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.export.web.packing import RATE
from quatviz.export.web.page import SUFFIXES, refuse_page, refuse_settings, write_page
from quatviz.simulation.simulation import Simulation

_THEME = "light"


class Page(Output):
    """One HTML file: the body in 3D, plots, lanes, a time slider."""

    name = "page"
    title = "a page for a browser, which needs no network"
    suffixes = SUFFIXES

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("pages")
        group.add_argument("--sequence", metavar="IJK", help="of the page's Euler angles, such as 321")
        group.add_argument(
            "--rate",
            type=float,
            default=RATE,
            metavar="N",
            help=f"samples of a second in the page ({RATE:g})",
        )

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        refuse_page(path)
        refuse_settings(choice.theme or _THEME, choice.sequence, choice.rate)

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        write_page(run, path, theme=choice.theme or _THEME, sequence=choice.sequence, rate=choice.rate)
