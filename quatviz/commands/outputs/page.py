"""Output of `quatviz render`: a web page."""

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.commands.support.offscreen import chosen_view_state
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.web.packing import MAX_SAMPLE_RATE
from quatviz.export.web.page import PAGE_THEMES, SUFFIXES, refuse_page, refuse_settings, write_page
from quatviz.files.preset import Preset
from quatviz.simulation.simulation import Simulation

_THEME = "light"


class Page(Output):
    """One HTML file with the body in 3D, plots, lanes and a time slider."""

    name = "page"
    title = "a web page, which needs no network"
    suffixes = SUFFIXES

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("pages")
        group.add_argument("--sequence", metavar="IJK", help="sequence of the Euler angles, such as 321")
        group.add_argument(
            "--rate",
            type=float,
            default=MAX_SAMPLE_RATE,
            metavar="N",
            help=f"samples per second in the page ({MAX_SAMPLE_RATE:g})",
        )

    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        refuse_page(path)
        theme, sequence, _ = _chosen_view(args)
        refuse_settings(theme, sequence, args.rate)

    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        theme, sequence, look = _chosen_view(args, run.preset)
        styles = look.lanes.matching(len(run.lanes))
        lanes = [lane.name for number, lane in enumerate(run) if styles.mode(number) != "hidden"]
        write_page(run, path, lanes or None, theme=theme, sequence=sequence, rate=args.rate, view_state=look)


def _chosen_view(args: argparse.Namespace, preset: Preset | None = None) -> tuple[str, str | None, ViewState]:
    """Return the theme, the Euler sequence and the view state of a page.

    Options take precedence over the view state. The view state may have a theme that pages do not support; the default theme
    is then used. Without `--look` it is the view state of the preset.
    """
    look = chosen_view_state(args, preset)
    default_theme = look.theme if args.look is not None and look.theme in PAGE_THEMES else _THEME
    return args.theme or default_theme, args.sequence or look.options.get(SEQUENCE_CHOICE.name), look
