"""`quatviz [PRESET]`: the window."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import quatviz
from quatviz.commands import COMMANDS
from quatviz.core.errors import Refusal
from quatviz.core.preset_text import located
from quatviz.core.session import View
from quatviz.core.session_text import read_session

FIRST = "torque_free"
"""The preset behind the start page, and on a machine without a display."""


def main(words: Sequence[str]) -> int:
    """Open the window, and return when it is closed."""
    width = max(map(len, COMMANDS))
    parser = argparse.ArgumentParser(
        prog="quatviz",
        description="Rigid-body rotation, seen through every way of writing its equations of motion.",
        epilog="other commands, each with --help:\n"
        + "\n".join(f"  quatviz {name:{width}}  {purpose}" for name, purpose in COMMANDS.items()),
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
        "preset",
        nargs="?",
        help="a preset's name, or the path of a TOML file, which may be a session, or of a table that `quatviz run` wrote; "
        "without it the window begins with its start page",
    )
    choice = parser.parse_args(words)
    preset = quatviz.load_preset(choice.preset or FIRST)
    from quatviz.app import run_window

    try:
        view = View() if preset.path is None else read_session(preset.path).view
        seen = None if view == View() else view
        return run_window(preset, choice.present, choice.tour, seen, start_page=choice.preset is None)
    except Refusal as refusal:
        raise located(refusal, preset) from None
