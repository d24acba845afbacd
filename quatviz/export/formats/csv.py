"""Table format with comma-separated values, which every program reads."""

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from quatviz.export.formats.base import TableFormat
from quatviz.export.table import Table
from quatviz.files.files import escape_inner_formulas, format_csv_row, unescape_spreadsheet_formula
from quatviz.files.limits import max_array_bytes, reserve_array_bytes

_INDENT = "#   "
_JSON_SETTINGS = ("versions", "lanes", "part")
"""Settings that are stored as one line of JSON each."""
_ROWS_AT_ONCE = 2000
"""Number of rows written between two progress reports."""
_LONGEST_LINE = 1_000_000
"""Largest number of characters read as one line. A file of another program may have no line ends."""


class CSV(TableFormat):
    """Text in UTF-8 with one line per sample and cells separated by commas.

    Lines that begin with `#` contain preset, versions, statuses and units. A line with column names and the lines with
    numbers follow. Cells are empty after the early end of a lane, and for quantities that a formulation does not have.
    """

    name = "csv"
    title = "CSV"
    suffixes = (".csv",)

    def write(self, table: Table, path: Path) -> None:
        names = [name for column in table.columns for name, _ in column.scalars]
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in _header_lines(table))
            file.write(format_csv_row(["t", *names]))
            file.writelines(f"{line}\n" for line in _data_lines(table))

    def read(self, path: Path) -> Table:
        settings = {"preset": self.read_preset_text(path)}
        names: list[str] = []
        with path.open(encoding="utf-8", newline="\n") as file:
            lines = iter(partial(file.readline, _LONGEST_LINE), "")
            for line in lines:
                if not line.startswith("#"):
                    names = list(map(unescape_spreadsheet_formula, next(csv.reader([line]))))
                    break
                name, _, value = line.removeprefix("# ").partition(": ")
                if name in _JSON_SETTINGS:
                    settings[name] = value.strip()
            shape = (_line_count(path), len(names))
            reserve_array_bytes("the table", shape, max_array_bytes(path))
            values, rows = np.empty(shape), 0
            for rows, line in enumerate(lines, 1):
                values[rows - 1] = [float(cell or "nan") for cell in line.rstrip("\n").split(",")]
        return Table.from_arrays(dict(zip(names, values[:rows].T, strict=True)), settings)

    def read_preset_text(self, path: Path) -> str:
        lines = []
        with path.open(encoding="utf-8", newline="\n") as file:
            for line in iter(partial(file.readline, _LONGEST_LINE), ""):
                if not line.startswith("#"):
                    break
                if line.startswith(_INDENT):
                    lines.append(line[len(_INDENT) :])
                elif line == "#\n":
                    lines.append("\n")
        if not lines:
            raise ValueError("no header with a preset")
        return "".join(lines)


def _line_count(path: Path) -> int:
    """Return an upper bound of the number of lines in a file."""
    with path.open("rb") as file:
        return 1 + sum(block.count(b"\n") for block in iter(partial(file.read, 2**20), b""))


def _header_lines(table: Table) -> Iterator[str]:
    yield "# quatviz table, SI units; the preset that repeats this run:"
    for line in table.settings["preset"].split("\n"):
        yield _INDENT + escape_inner_formulas(line) if line else "#"
    for name in _JSON_SETTINGS:
        yield f"# {name}: {escape_inner_formulas(table.settings[name])}"
    for quantity in dict.fromkeys(column.quantity for column in table.columns):
        unit = f" [{quantity.unit}]" if quantity.unit else ""
        frame = f", {quantity.frame} components" if quantity.frame else ""
        yield f"# {', '.join(quantity.columns)}: {quantity.title.lower()}{unit}{frame}"


def _data_lines(table: Table) -> Iterator[str]:
    for start in range(0, len(table.t), _ROWS_AT_ONCE):
        table.progress(start / len(table.t))
        rows = slice(start, start + _ROWS_AT_ONCE)
        values = np.hstack([table.t[rows, None], *(column.values[rows] for column in table.columns)])
        for t, *row in values.tolist():
            # repr is the shortest text from which the same number is read; only NaN differs from itself
            yield ",".join([f"{t:.15g}", *("" if value != value else repr(value) for value in row)])
