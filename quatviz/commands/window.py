"""`quatviz [PRESET]`: the window.

quatviz                                     the window
"""

import argparse
import gc
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import quatviz
from quatviz.base.errors import InputError
from quatviz.commands import COMMANDS
from quatviz.export.files import read_settings
from quatviz.export.formats import is_table
from quatviz.kernels import cache
from quatviz.look.look import Look, read_look
from quatviz.look.plain import ROOM
from quatviz.look.session import read_session
from quatviz.simulation.compilation import ChildCompilation
from quatviz.text.preset import Preset
from quatviz.text.preset_text import located

if TYPE_CHECKING:
    from quatviz.app import Session

PLACE = 0


FIRST = "torque_free"
"""The preset behind the start page, and on a machine without a display."""


def main(words: Sequence[str], made: "Callable[[Session], None] | None" = None) -> int:
    """Open the window, and return when it is closed. `made` is given its session before it opens, to watch it."""
    width = max(map(len, COMMANDS))
    parser = argparse.ArgumentParser(
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
        help="a preset's name, or the path of a TOML file, which may be a session, or of a table that `quatviz run` wrote; "
        "without it the window begins with its start page",
    )
    choice = parser.parse_args(words)
    gc.disable()  # what a start makes lasts as long as the window: to look through it for garbage was a tenth of the time
    try:
        return _opened(choice, made)
    finally:
        gc.enable()


def _opened(choice: argparse.Namespace, made: "Callable[[Session], None] | None") -> int:
    preset = quatviz.load_preset(choice.preset or FIRST)
    look = read_look(choice.look) if choice.look is not None else None
    try:
        return _shown(preset, look, choice, made)
    except InputError as refusal:
        raise located(refusal, preset) from None


def _shown(
    preset: Preset, look: Look | None, choice: argparse.Namespace, made: "Callable[[Session], None] | None"
) -> int:
    with cache.at_hand() as lack, closing(ChildCompilation(preset, lack)) as preparation:
        preparation.begin()  # children can compile while the window is imported and made
        from quatviz.app import run_window

        look = _look_of(preset, choice.preset) if choice.look is None else look
        return run_window(preset, choice.present, choice.tour, look, choice.preset is None, preparation, made)


def _look_of(preset: Preset, given: str | None) -> Look | None:
    """How the session or the table shows it that the preset is of, if it is of one, in the room where it is opened."""
    from quatviz.ui.window.settings import Settings

    look = None
    if preset.path is not None:
        look = read_session(preset.path).look
    elif given is not None and is_table(given):
        look = read_settings(given).look
    return None if look is None else look.taking(Settings().look, (ROOM,))
