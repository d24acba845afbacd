"""`quatviz bench`: measure the speed on this machine.

quatviz bench                               measure the engine, each result with a reference of the same run
quatviz bench loads --plot loads.pdf        measure the cost of loads, fit it and draw it
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
    """Run a benchmark and print its results."""
    args = _parser().parse_args(argv)
    if args.plot is not None:
        refuse_figure(args.plot)
    with tempfile.TemporaryDirectory() as folder:
        # Start without settings, as after an installation, and do not change those of the user.
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
        description="Measure the speed on this machine. Times differ between machines, so each result is shown with a "
        "reference measured in the same run.",
        epilog="\n".join(f"  {name:{width}}  {bench.purpose}" for name, bench in BENCHES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", choices=tuple(BENCHES), default="engine")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the scaling: .svg, .pdf or .png")
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
            expected="a benchmark that measures a scaling",
            found=f"{bench_name}, which measures no scaling",
            remedy="use for example: quatviz bench loads",
            topic="errors#benchmarks",
        )
    from quatviz.commands.benchmarks._plot import write_plot

    write_plot(growths, path)
