"""The protocol of a table's file format."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.export.table import Table


class TableFormat(ABC):
    """One file format. The contract, from which a format can be written:

    1. One module in `quatviz/export/formats/`, or in an outside package behind an entry point of the group
       `quatviz.formats`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what people
       read, `suffixes` the endings of its files in lower case, each with its dot.
    2. `write` writes all of a `Table` to `path`, an empty file that is there already: names, values to the last bit, unit,
       frame and title of each column, and the four texts of `settings`. It is renamed to its place by the caller. It
       calls `table.progress` now and then with the share that is written, and lets what that raises go through.
    3. `read_preset_text` returns the text `settings["preset"]` of such a file, unchanged, and fails by any exception
       where there is none. It never unpickles or runs what a file holds.
    4. `read` returns what `write` wrote, by `Table.from_arrays`, and fails by any exception where it cannot. It runs nothing
       either, and adds up what a file claims to hold before it takes memory for it: `files.limits.reserve_array_bytes`.
    5. Libraries are imported inside the methods: nobody waits for those of a format that is not used.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def write(self, table: Table, path: Path) -> None:
        """Write `table` to `path`."""

    @abstractmethod
    def read(self, path: Path) -> Table:
        """The table in the file `path`."""

    @abstractmethod
    def read_preset_text(self, path: Path) -> str:
        """The preset's text in the file `path`."""
