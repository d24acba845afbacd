"""LabVIEW measurement files (.lvm): text tables below a header with tags."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.recordings.columns import ColumnView, FileColumns
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_format import TextFormat, data_start, split_cells
from quatviz.recordings.text_table import parse_columns

_TOPIC = "recordings#tables-of-text"
_END_OF_HEADER = "***End_of_Header***"
_SEPARATORS = {"Tab": "\t", "Comma": ","}
_HEADER_BYTES = 2**18
"""Number of bytes at the beginning of a file within which the headers must end."""


class LabView(Reader):
    """Reader of the first segment of a measurement file. In a file without a column of X, times follow from the tags X0 and
    Delta_X."""

    name = "labview"
    title = "a LabVIEW measurement file"
    suffixes = (".lvm",)
    magic = b"LabVIEW Measurement"

    def read(self, path: Path, part: str | None) -> FileColumns:
        data = path.read_bytes()
        lines = re.split(r"\r\n|\n|\r", data[:_HEADER_BYTES].decode("cp1252", "replace"))
        ends = [number for number, line in enumerate(lines) if line.startswith(_END_OF_HEADER)]
        separator = _SEPARATORS.get(re.split(r"[\t,]", _line_of("Separator", lines) + "\t")[1])
        if len(ends) < 2 or separator is None or len(lines) < ends[1] + 3:
            raise InputError(
                str(path), expected="a header of the file, a header of a segment, and rows",
                found=phrase("{count} complete headers", count=len(ends)), remedy="check that the file is complete", topic=_TOPIC,
            )  # fmt: skip
        tags = {
            line[0]: line[1:] for line in (split_cells(text, separator) for text in lines[: ends[1]]) if line
        }
        head = ends[1] + 2
        width = len(split_cells(lines[head], separator))
        names = _column_names(split_cells(lines[head - 1], separator)[:width], tags)
        start = data_start(data, head)
        next_header = data.find(_END_OF_HEADER.encode(), start)
        remarks = [phrase("only the first segment of the file is read")] if next_header >= 0 else []
        stop = data.rfind(b"Channels", start, next_header) if next_header >= 0 else len(data)
        text_format = TextFormat("cp1252", separator, head, tuple(names), tuple(lines[:head]))
        file_columns = parse_columns(data[:stop], text_format, str(path))
        columns = dict(file_columns.columns)
        if tags.get("X_Columns", [""])[0] == "No":
            first, step = (float(tags[key][0].replace(",", ".")) for key in ("X0", "Delta_X"))
            columns[names[0]] = first + step * np.arange(len(columns[names[0]]))
        return replace(
            file_columns, columns=ColumnView(columns, texts=file_columns.columns), title=self.title,
            remarks=(*remarks, *file_columns.remarks),
        )  # fmt: skip


def _line_of(tag: str, lines: Sequence[str]) -> str:
    return next((line for line in lines if line.startswith(tag)), "")


def _column_names(titles: Sequence[str], tags: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names of the columns, including their units. In the header, each tag has one value per channel."""
    units = iter(tags.get("Y_Unit_Label", ()))
    dimensions = tags.get("X_Dimension", [""])
    names: list[str] = []
    for title in titles:
        if title != "X_Value":
            unit = next(units, "")
            name = f"{title} [{unit}]" if unit else title
        else:
            name = "time [s]" if dimensions[0] == "Time" else title
        names.append(f"{name} ({names.count(name) + 1})" if name in names else name)
    return names
