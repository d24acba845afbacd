"""`quatviz figures -o FOLDER`: compute the figures and tables of the documents for print.

quatviz figures -o figures                  write Figures 2 to 8 and Tables 3 and 5 of S3: see export.md
"""

import argparse
import signal
from collections.abc import Sequence
from pathlib import Path

from quatviz.commands.support.terminal import CommandParser, print_safe, show_progress
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit_writer import write_exhibits
from quatviz.export.figures.paper import FONT_FAMILIES, FORMATS, Paper

PLACE = 60


def main(argv: Sequence[str]) -> int:
    """Write figures and tables to a folder, and return 0."""
    args = _parser().parse_args(argv)
    height = args.height
    paper = Paper(args.width, height, FONT_FAMILIES.get(args.font, args.font), args.size)
    # The program that reads the progress cancels by SIGINT, which a child process of a script may ignore.
    if args.progress:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        paths = write_exhibits(
            args.output,
            [file_format.strip().lower() for file_format in args.format.split(",")],
            args.only or (),
            paper,
            _print_progress if args.progress else _show_exhibit_progress,
        )
    finally:
        show_progress()
    print_safe(f"{len(paths)} files written to {args.output}; see {paths[-1].name} for descriptions")
    return 0


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="quatviz figures",
        description="Compute and draw Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, the tables with "
        "the published values. All curves are computed; nothing is digitized.",
        epilog="exit status: 0 all written, 2 bad input, 130 cancelled (files written so far are complete)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FOLDER", help="folder to write to"
    )
    parser.add_argument(
        "--format",
        default=",".join(FORMATS),
        metavar="F,F,...",
        help=f"formats, some of {', '.join(FORMATS)}",
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help=f"{', '.join(EXHIBITS)}; may be repeated (default: all)",
    )
    parser.add_argument("--width", type=float, default=180.0, metavar="MM", help="width of a figure (180)")
    parser.add_argument("--height", type=float, metavar="MM", help="height of a figure (default: automatic)")
    parser.add_argument(
        "--font", default="Inter", choices=list(FONT_FAMILIES.values()), help="typeface (Inter)"
    )
    parser.add_argument("--size", type=float, default=8.0, metavar="PT", help="font size (8)")
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)
    return parser


def _show_exhibit_progress(title: str, done: int, total: int) -> None:
    show_progress(f"{title} ...  {done} of {total}")


def _print_progress(title: str, done: int, total: int) -> None:
    """Print progress as a line that a calling program can parse."""
    print(f"{done}/{total}", flush=True)
