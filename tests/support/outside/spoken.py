"""An output of the run command: one sentence."""

import argparse
from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.files.files import refuse_unwritable, write_text
from quatviz.simulation.simulation import Simulation


class Spoken(Output):
    """Names of the lanes."""

    name = "spoken"
    title = "a sentence"
    suffixes = (".sentence",)

    def refuse(self, path: Path, choice: argparse.Namespace) -> None:
        refuse_unwritable(path)

    def write(self, run: Simulation, path: Path, choice: argparse.Namespace) -> None:
        write_text(path, f"lanes: {', '.join(lane.name for lane in run)}\n")
