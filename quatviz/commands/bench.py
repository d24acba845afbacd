"""`quatviz bench`: speed on this machine.

quatviz bench                               speed on this machine
"""

from __future__ import annotations

import argparse
import importlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict

from quatviz.commands._text import print_json

PLACE = 80


def main(words: Sequence[str]) -> int:
    """Print the figures of one bench."""
    parser = argparse.ArgumentParser(prog="quatviz bench", description="Measure speed on this machine.")
    parser.add_argument("what", nargs="?", choices=("engine", "ui", "long"), default="engine")
    parser.add_argument("--json", action="store_true", help="print a list of objects instead of a table")
    choice = parser.parse_args(words)
    from quatviz.bench import figures

    with tempfile.TemporaryDirectory() as folder:
        # As after a first start; and a person's layout must not remember what a bench has shown.
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        measured = importlib.import_module(f"quatviz.bench.{choice.what}").measure()
    if choice.json:
        print_json(map(asdict, measured))
    else:
        print(figures.as_text(measured))
    return 0
