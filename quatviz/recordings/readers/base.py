"""The protocol of a kind of file that recordings are read from."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from quatviz.recordings.columns import FileColumns


class Reader(ABC):
    """One kind of file. The contract, from which a reader can be written:

    1. One module in `quatviz/recordings/readers/`, or in an outside package behind an entry point of the group `quatviz.readers`,
       defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what people read, `suffixes`
       the endings of its files in lower case, each with its dot, which no other reader has.
    2. `read` gives the columns of a part of the file by their names, (n,) each, NaN where a cell is empty or no number; the first
       part where none is named. What the format itself says of them stands in `FileColumns.declared`, fields of
       `physics.observables.read_options.ReadOptions`: it is proposed to a person, and holds where a preset leaves it open. What
       it does not say it leaves out.
    3. It runs nothing that stands in the file, opens no other file, and computes sizes before it takes memory for them
       (`table.MAX_NUMBERS`). It fails by any exception; an `InputError` names file and line.
       A format whose files begin with certain words whatever their ending has these in `magic`.
    4. What is left out it counts in `FileColumns.remarks`, phrases.
    5. Libraries are imported inside the methods.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    magic: ClassVar[bytes] = b""

    @abstractmethod
    def read(self, path: Path, part: str | None) -> FileColumns:
        """What is in the file `path`, or in the named part of it."""
