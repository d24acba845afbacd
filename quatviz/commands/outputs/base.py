"""Base class of the outputs of `quatviz render`."""

import argparse
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.simulation.simulation import Simulation


class Output(ABC):
    """Base class of output formats.

    The contract, from which an output can be written:

    1. A module in `quatviz/commands/outputs/`, or in another package behind an entry point of the group
       `quatviz.outputs`, defines one concrete subclass. `name` is the name of the module (free for a plug-in),
       `title` is displayed, and `suffixes` are the suffixes of its files in lower case with the dot. Suffixes are
       unique among the outputs.
    2. `add_options` adds the options of this output to the help of `quatviz render`.
    3. `refuse` raises an `InputError`, before a long run, for a path or options that `write` would refuse after it.
    4. `write` writes a computed run completely or not at all: see `files.files.replace_atomically`.
    5. Libraries are imported inside the methods.
    6. `paints` is True if the output uses Qt: without a display the command then runs on a virtual one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    paints: ClassVar[bool] = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command-line options of this output, if there are any."""
        return

    @abstractmethod
    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        """Raise `InputError` if the path or the options cannot be used. It is called before the run is computed."""

    def description(self, args: argparse.Namespace) -> str:
        """Return a description of the written file for the user, including choices that `title` does not mention."""
        return self.title

    @abstractmethod
    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        """Write the computed run `run` to the file `path`."""
