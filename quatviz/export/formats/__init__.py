"""File formats of tables, one module each."""

from pathlib import Path

from quatviz.base.registry import Registry
from quatviz.export.formats.base import TableFormat
from quatviz.files.files import find_by_ending

FORMATS: Registry[type[TableFormat]] = Registry(__name__, TableFormat, ending_attribute="suffixes")


def is_table(path: str | Path) -> bool:
    """Return True if `path` has the suffix of a table format."""
    return Path(path).suffix.lower() in FORMATS.entries_by_ending


def format_of(path: str | Path) -> type[TableFormat]:
    """Return the format given by the suffix of `path`.

    Raises
    ------
    InputError
        If the suffix is unknown. The error lists the known suffixes.
    """
    return find_by_ending(FORMATS, path, "run.parquet")
