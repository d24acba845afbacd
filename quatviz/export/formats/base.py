"""Base class of the file formats of tables."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.export.table import Table


class TableFormat(ABC):
    """One file format. The contract for authors of formats:

    1. One module in `quatviz/export/formats/`, or in an outside package behind an entry point of the group
       `quatviz.formats`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` is
       shown
       to the user, and `suffixes` are the suffixes of its files in lower case, with their dots.
    2. `write` writes a whole `Table` to `path`, an existing empty file: names, values to the last bit, unit, frame
       and title of
       each column, and the four texts of `settings`. The caller renames the file. `write` calls `table.progress` from
       time
       to time with the finished fraction, and does not catch what that raises.
    3. `read_preset_text` returns the text `settings["preset"]` of such a file unchanged, and raises any exception if
       there
       is none. It never unpickles or executes anything in the file.
    4. `read` returns what `write` wrote, by `Table.from_arrays`, and raises any exception if it cannot. It executes
       nothing
       either, and checks the sizes that the file claims before it allocates memory
       (`files.limits.reserve_array_bytes`).
    5. Libraries are imported inside the methods, so that unused formats cost no time at start.
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
        """Return the text of the preset in the file `path`."""
