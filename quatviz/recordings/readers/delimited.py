"""Text files of numbers separated by commas, semicolons, tabs, bars or blanks."""

from dataclasses import replace
from pathlib import Path

from quatviz.recordings.columns import FileColumns, select_lane
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_table import read_text_columns


class Delimited(Reader):
    """Reader of text tables whose cells are separated by commas, semicolons, tabs, bars or blanks.

    Separator, decimal comma, byte order mark, comments, header and units are detected from the first lines. Rows with a
    wrong number of cells are ignored. Cells that are not numbers become NaN.
    """

    name = "delimited"
    title = "numbers separated by commas, tabs or blanks"
    suffixes = (".csv", ".tsv", ".tab", ".txt", ".dat", ".log", ".gcsv")

    def read(self, path: Path, part: str | None) -> FileColumns:
        with path.open("rb") as file:
            file_columns = read_text_columns(file, str(path))
        columns, chosen, lanes = select_lane(file_columns.columns, part, str(path))
        return replace(file_columns, columns=columns, part=chosen, parts=lanes if len(lanes) > 1 else ())
