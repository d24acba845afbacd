"""Reading a table whose `kind` says what it describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quatviz.core.coerce import shown
from quatviz.core.errors import Refusal, phrase
from quatviz.core.parameters import from_table
from quatviz.core.registry import Registry


def of_kind(registry: Registry[Any], table: Any, key: str) -> Any:
    """What a table describes whose `kind` names a class of `registry`; `key` is the table's path."""
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if not isinstance(kind, str):
        raise Refusal(
            f"{key}.kind",
            expected=phrase("a table with the key kind, one of {names}", names=", ".join(registry)),
            found="no such key" if isinstance(table, Mapping) and kind is None else shown(kind or table),
            remedy='add kind = "...", with quotes',
            key=f"{key}.kind",
        )
    cls = registry.find(kind, key=f"{key}.kind")
    return from_table(cls, {name: value for name, value in table.items() if name != "kind"}, key)
