"""File formats of tables, one file each."""

from __future__ import annotations

from pathlib import Path

from quatviz.core.errors import Refusal, phrase
from quatviz.core.registry import Registry
from quatviz.export.formats.base import TableFormat

FORMATS: Registry[TableFormat] = Registry(__name__, TableFormat)


def is_table(path: str | Path) -> bool:
    """Whether `path` ends as a table does."""
    return any(Path(path).suffix.lower() in kind.suffixes for kind in FORMATS.values())


def format_of(path: str | Path) -> type[TableFormat]:
    """The format that the ending of `path` names; a `Refusal` that lists the endings where there is none."""
    suffix = Path(path).suffix.lower()
    for kind in FORMATS.values():
        if suffix in kind.suffixes:
            return kind
    raise Refusal(
        phrase("the file {path}", path=path),
        expected=phrase(
            "a name ending in {names}",
            names=", ".join(suffix for kind in FORMATS.values() for suffix in kind.suffixes),
        ),
        found=phrase("the ending {suffix!r}", suffix=suffix) if suffix else "no ending",
        remedy=phrase("write for example {name}.parquet", name=Path(path).stem or "run"),
        topic="errors#files",
    )
