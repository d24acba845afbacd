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
from quatviz.commands.benchmarks._results import ScalingResult, markdown_of, text_of
from quatviz.commands.support.terminal import CommandParser, print_json
from quatviz.export.figures.paper import refuse_figure

PLACE = 80


def main(argv: Sequence[str]) -> int:
    """Print the figures of one bench."""
    args = _parser().parse_args(argv)
    if args.plot is not None:
        refuse_figure(args.plot)
    with tempfile.TemporaryDirectory() as folder:
        # As after a first start; and a person's layout must not remember what a bench has shown.
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        results = list(importlib.import_module(BENCHES[args.what].module).measure())
    growths = [result for result in results if isinstance(result, ScalingResult)]
    if args.plot is not None:
        _write_plot(growths, args.plot, args.what)
    if args.json:
        print_json(result.as_dict() for result in results)
    else:
        print((markdown_of if args.markdown else text_of)(results))
    return 0


def _parser() -> CommandParser:
    width = max(map(len, BENCHES))
    parser = CommandParser(
        prog="quatviz bench",
        description="Measure speed on this machine. Times move from machine to machine, so each figure stands beside a "
        "reference that the same run has taken.",
        epilog="\n".join(f"  {name:{width}}  {bench.purpose}" for name, bench in BENCHES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", choices=tuple(BENCHES), default="engine")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw how it grows: .svg, .pdf or .png")
    output_format = parser.add_mutually_exclusive_group()
    output_format.add_argument(
        "--json", action="store_true", help="print a list of objects instead of tables"
    )
    output_format.add_argument("--markdown", action="store_true", help="print the tables in Markdown")
    return parser


def _write_plot(growths: Sequence[ScalingResult], path: Path, bench_name: str) -> None:
    if not growths:
        raise InputError(
            "--plot",
            expected="a bench that measures how something grows",
            found=f"{bench_name}, which measures no growth",
            remedy="quatviz bench loads",
            topic="errors#benchmarks",
        )
    from quatviz.commands.benchmarks._plot import write_plot

    write_plot(growths, path)
