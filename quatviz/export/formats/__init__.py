"""File formats of tables, one file each."""

from pathlib import Path

from quatviz.base.registry import Registry
from quatviz.export.formats.base import TableFormat
from quatviz.files.files import find_by_ending

FORMATS: Registry[type[TableFormat]] = Registry(__name__, TableFormat, ending_attribute="suffixes")


def is_table(path: str | Path) -> bool:
    """Whether `path` ends as a table does."""
    return Path(path).suffix.lower() in FORMATS.entries_by_ending


def format_of(path: str | Path) -> type[TableFormat]:
    """The format that the ending of `path` names; an `InputError` that lists the endings where there is none."""
    return find_by_ending(FORMATS, path, "run.parquet")
