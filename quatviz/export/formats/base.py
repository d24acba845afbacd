"""Base class of the file formats of tables."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.export.table import Table


class TableFormat(ABC):
    """One file format. The contract for authors of formats:

    1. One module in `quatviz/export/formats/`, or in a plug-in package with an entry point of the group
       `quatviz.formats`, defines one concrete subclass. `name` is the name of the module (any name for a plug-in),
       `title` is shown to the user, and `suffixes` are the file suffixes in lower case, each with its dot.
    2. `write` writes a whole `Table` to `path`, an existing empty file. It writes names, exact values, unit, frame
       and title of each column, and the four texts of `settings`. The caller renames the file. `write` calls
       `table.progress` from time to time with the completed fraction, and does not catch its exceptions.
    3. `read_preset_text` returns the text `settings["preset"]` of a written file unchanged. It raises any exception
       if there is none. It never unpickles or executes anything in the file.
    4. `read` returns the table that `write` wrote, by `Table.from_arrays`, and raises any exception if it cannot.
       It executes nothing in the file, and checks the sizes stated in the file before it allocates memory
       (`files.limits.reserve_array_bytes`).
    5. Libraries are imported inside the methods, so that unused formats do not slow down the start.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    @abstractmethod
    def write(self, table: Table, path: Path) -> None:
        """Write `table` to `path`."""

    @abstractmethod
    def read(self, path: Path) -> Table:
        """Return the table in the file `path`."""

    @abstractmethod
    def read_preset_text(self, path: Path) -> str:
        """Return the text of the preset that is stored in the table file `path`."""
