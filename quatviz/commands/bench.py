"""`quatviz bench`: speed on this machine.

quatviz bench                               speed on this machine, each figure beside a reference of the same run
quatviz bench loads --plot loads.pdf        how it grows, fitted and drawn
"""

import argparse
import importlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from quatviz.base.errors import InputError
from quatviz.commands.benchmarks import BENCHES
from quatviz.commands.benchmarks._results import Growth, markdown_of, text_of
from quatviz.commands.support.terminal import Parser, print_json
from quatviz.export.figures.paper import refuse_figure

PLACE = 80


def main(words: Sequence[str]) -> int:
    """Print the figures of one bench."""
    choice = _parser().parse_args(words)
    if choice.plot is not None:
        refuse_figure(choice.plot)
    with tempfile.TemporaryDirectory() as folder:
        # As after a first start; and a person's layout must not remember what a bench has shown.
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        found = list(importlib.import_module(BENCHES[choice.what].module).measure())
    growths = [one for one in found if isinstance(one, Growth)]
    if choice.plot is not None:
        _plot(growths, choice.plot, choice.what)
    if choice.json:
        print_json(one.as_dict() for one in found)
    else:
        print((markdown_of if choice.markdown else text_of)(found))
    return 0


def _parser() -> Parser:
    width = max(map(len, BENCHES))
    parser = Parser(
        prog="quatviz bench",
        description="Measure speed on this machine. Times move from machine to machine, so each figure stands beside a "
        "reference that the same run has taken.",
        epilog="\n".join(f"  {name:{width}}  {bench.purpose}" for name, bench in BENCHES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", choices=tuple(BENCHES), default="engine")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw how it grows: .svg, .pdf or .png")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of objects instead of tables")
    form.add_argument("--markdown", action="store_true", help="print the tables in Markdown")
    return parser


def _plot(growths: Sequence[Growth], path: Path, what: str) -> None:
    if not growths:
        raise InputError(
            "--plot",
            expected="a bench that measures how something grows",
            found=f"{what}, which measures no growth",
            remedy="quatviz bench loads",
            topic="errors#benchmarks",
        )
    from quatviz.commands.benchmarks._plot import write_plot

    write_plot(growths, path)
