"""The command line: reads arguments, calls what does the work, turns a refusal into a message and a status."""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import quatviz
from quatviz.core.errors import Refusal

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; 2 for what cannot be used, told in one message."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS.get(words[0]) if words else None
    try:
        return _window(words) if command is None else command(words[1:])
    except Refusal as refusal:
        print(f"quatviz: {refusal}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130


def _window(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="quatviz",
        description="Rigid-body rotation, seen through every way of writing its equations of motion.",
        epilog=f"Other commands, each with --help: {', '.join(f'quatviz {name}' for name in COMMANDS)}.",
    )
    parser.add_argument("--version", action="version", version=f"quatviz {quatviz.__version__}")
    parser.add_argument(
        "--present",
        metavar="FOLDER",
        type=Path,
        help="play the preset, leave a picture of the window and a table of the run in FOLDER, and close",
    )
    parser.add_argument(
        "preset", nargs="?", default="torque_free", help="a preset's name, or the path of a TOML file"
    )
    choice = parser.parse_args(words)
    preset = quatviz.load_preset(choice.preset)
    from quatviz.app import run_window

    try:
        return run_window(preset, choice.present)
    except Refusal as refusal:
        from quatviz.core.preset_text import located

        raise located(refusal, preset) from None


def _bench(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="quatviz bench", description="Measure speed on this machine.")
    parser.add_argument("what", nargs="?", choices=("engine", "ui"), default="engine")
    parser.add_argument("--json", action="store_true", help="print a list of objects instead of a table")
    choice = parser.parse_args(words)
    from quatviz.bench import figures

    measured = importlib.import_module(f"quatviz.bench.{choice.what}").measure()
    print(figures.as_json(measured) if choice.json else figures.as_text(measured))
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"bench": _bench}
