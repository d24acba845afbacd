"""A page for a browser."""

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import look_of
from quatviz.display.view_state.choices import SEQUENCE
from quatviz.display.view_state.view_state import Look
from quatviz.export.web.packing import RATE
from quatviz.export.web.page import LOOKS, SUFFIXES, refuse_page, refuse_settings, write_page
from quatviz.files.preset import Preset
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
        theme, sequence, _ = _chosen(choice)
        refuse_settings(theme, sequence, choice.rate)

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        theme, sequence, look = _chosen(choice, run.preset)
        seen = look.lanes.of_as_many(len(run.lanes))
        lanes = [lane.name for number, lane in enumerate(run) if seen.mode(number) != "hidden"]
        write_page(run, path, lanes or None, theme=theme, sequence=sequence, rate=choice.rate, look=look)


def _chosen(choice: argparse.Namespace, preset: Preset | None = None) -> tuple[str, str | None, Look]:
    """Theme, Euler sequence and look: as options say, or the look, which may be in a theme that pages do not have. Without one it
    is the preset's own."""
    look = look_of(choice, preset)
    own = look.theme if choice.look is not None and look.theme in LOOKS else _THEME
    return choice.theme or own, choice.sequence or look.options.get(SEQUENCE.name), look
