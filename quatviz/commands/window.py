"""`quatviz [PRESET]`: open the window.

quatviz                                     open the window
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
    """Open the window, and return when it is closed. `on_created` receives its controller before it opens."""
    width = max(map(len, COMMANDS))
    parser = CommandParser(
        prog="quatviz",
        description="Visualize rigid-body rotation with many formulations of the equations of motion.",
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
        help="play the preset, save a picture of the window and a table of the run in FOLDER, and close",
    )
    parser.add_argument(
        "--tour",
        action=argparse.BooleanOptionalAction,
        help="start with the tour of the window, or omit it at the first start",
    )
    parser.add_argument(
        "--look", metavar="FILE", type=Path, help="view settings: a file of a look, or a session"
    )
    parser.add_argument(
        "preset",
        nargs="?",
        help="name of a preset, or path of a TOML file (preset or session), of a table written by `quatviz run`, or of a "
        "lesson (.md); "
        "without it the window opens with the start page",
    )
    args = parser.parse_args(argv)
    gc.disable()  # Objects made at the start live as long as the window; collecting garbage took a tenth of the time.
    compiler_pool = CompilerPool()
    try:
        if not has_cached_kernels():
            compiler_pool.start()  # First of all, because the child imports the compiler while this process imports the window.
        from quatviz.commands.support.window_startup import open_window

        return open_window(args, compiler_pool, on_created)
    finally:
        compiler_pool.shutdown()
        gc.enable()
