"""Base class of readers of recordings."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.recordings.columns import FileColumns


class Reader(ABC):
    """Reader of one file format. Contract for new readers:

    1. One module in `quatviz/recordings/readers/`, or in a plug-in package with an entry point of the group
       `quatviz.readers`, defines one concrete subclass. `name` is the name of the module (any name for a plug-in),
       `title` the displayed name, and `suffixes` the file extensions in lower case, each with its dot. No other
       reader may use the same extensions.
    2. `read` returns the columns of a part of the file by name, each (n,), with NaN for cells that are empty or not
       numbers. If `part` is None, it returns the first part. `FileColumns.declared` contains what the format itself
       defines, as fields of `physics.observables.read_options.ReadOptions`. These values are proposed to the user,
       and used where a preset leaves the fields open. Anything that the format does not define is omitted.
    3. A reader executes nothing in the file, opens no other file, and computes sizes before it allocates memory
       (`columns.MAX_NUMBERS`). It may fail with any exception; an `InputError` names file and line. If files of the
       format begin with certain bytes, regardless of their extension, `magic` contains these bytes, or a tuple of
       several beginnings.
    4. Ignored data are counted in `FileColumns.remarks`, as phrases.
    5. Libraries are imported inside the methods.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    magic: ClassVar[bytes | tuple[bytes, ...]] = b""

    @abstractmethod
    def read(self, path: Path, part: str | None) -> FileColumns:
        """Return the content of the file `path` or of its named part."""
