"""`quatviz [PRESET]`: the window.

quatviz                                     the window
"""

import argparse
import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import quatviz
from quatviz.commands import COMMANDS
from quatviz.commands.support.terminal import CommandParser
from quatviz.physics.kernels.compiler_pool import CompilerPool, has_cached_kernels

if TYPE_CHECKING:
    from quatviz.app import WindowController

PLACE = 0


def main(argv: Sequence[str], on_created: "Callable[[WindowController], None] | None" = None) -> int:
    """Open the window, and return when it is closed. `on_created` is given its session before it opens, to watch it."""
    width = max(map(len, COMMANDS))
    parser = CommandParser(
        prog="quatviz",
        description="Rigid-body rotation, seen through every way of writing its equations of motion.",
        epilog="other commands, each with --help:\n"
        + "\n".join(
            f"  quatviz {name:{width}}  {purpose}"
            for name, (_, purpose, _) in COMMANDS.items()
            if name != "window"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"quatviz {quatviz.__version__}")
    parser.add_argument(
        "--present",
        metavar="FOLDER",
        type=Path,
        help="play the preset, leave a picture of the window and a table of the run in FOLDER, and close",
    )
    parser.add_argument(
        "--tour",
        action=argparse.BooleanOptionalAction,
        help="begin with the tour of the window, or leave it out at a first start",
    )
    parser.add_argument(
        "--look", metavar="FILE", type=Path, help="how to show the run: a file of a look, or a session"
    )
    parser.add_argument(
        "preset",
        nargs="?",
        help="a preset's name, or the path of a TOML file, which may be a session, of a table that `quatviz run` wrote, or of a "
        "lesson (.md); "
        "without it the window begins with its start page",
    )
    args = parser.parse_args(argv)
    gc.disable()  # what a start makes lasts as long as the window: to look through it for garbage was a tenth of the time
    compiler_pool = CompilerPool()
    try:
        if not has_cached_kernels():
            compiler_pool.start()  # before anything else: it imports the compiler while this process imports the window
        from quatviz.commands.support.window_startup import open_window

        return open_window(args, compiler_pool, on_created)
    finally:
        compiler_pool.shutdown()
        gc.enable()
