"""The protocol of what `quatviz render` writes."""

import argparse
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.simulation.simulation import Simulation


class Output(ABC):
    """One kind of output. The contract, from which a kind can be written:

    1. One module in `quatviz/commands/outputs/`, or in an outside package behind an entry point of the group
       `quatviz.outputs`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what
       people read, `suffixes` the endings of its files in lower case, each with its dot; no two kinds share one.
    2. `add_options` adds the options that it alone takes; they stand in the help of `quatviz render`.
    3. `refuse` raises an `InputError`, before a long run, for a path or options that `write` would refuse after it.
    4. `write` writes a computed run, whole or not at all: see `files.files.replace_atomically`.
    5. Libraries are imported inside the methods.
    6. One that `paints` uses Qt: where there is no display, the command is carried out on a virtual one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    paints: ClassVar[bool] = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the options of this kind; there need not be any."""
        return

    @abstractmethod
    def refuse(self, path: Path, args: argparse.Namespace) -> None:
        """Refuse what cannot be written."""

    def description(self, args: argparse.Namespace) -> str:
        """What was written, as people read it; where `title` leaves a choice, what was chosen."""
        return self.title

    @abstractmethod
    def write(self, run: Simulation, path: Path, args: argparse.Namespace) -> None:
        """Write `run` to `path`."""
