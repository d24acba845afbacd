"""A session as text: that of its preset, with the view in a table of its own. A preset is a session without a view."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from quatviz.core.preset_text import format_preset, preset_of, read_document, read_text
from quatviz.core.session import Session, View
from quatviz.core.text_version import refuse_version
from quatviz.core.toml_text import toml_pairs

VERSION = 1


def parse_session(text: str, place: str = "<session>", folder: Path | None = None) -> Session:
    """The session, or the preset, that `text` describes; `Refusal` as `preset_text.parse_preset`."""
    return read_document(text, place, lambda document: _from_document(document, folder))


def read_session(path: str | Path) -> Session:
    """The session or preset in the file `path`. `Refusal` names the file and the line."""
    path = Path(path)
    session = parse_session(read_text(path), str(path), path.parent)
    return replace(session, preset=replace(session.preset, name=path.stem, path=path))


def format_session(session: Session) -> str:
    """The text of a session, such that `parse_session` gives an equal one."""
    view = session.view.to_table()
    tables = {name: view.pop(name) for name in ("panels", "items", "views") if view.get(name)}
    parts = [
        f"session = {VERSION}\n" + format_preset(session.preset),
        "[view]\n" + toml_pairs(view),
        *(f"[view.{name}]\n" + toml_pairs(table) for name, table in tables.items()),
    ]
    return "\n".join(parts)


def _from_document(document: dict[str, Any], folder: Path | None) -> Session:
    given, view = document.pop("session", None), document.pop("view", None)
    if given is None and view is None:
        return Session(preset_of(document, folder))
    refuse_version(given, "session", VERSION)
    return Session(preset_of(document, folder), View() if view is None else View.from_table(view))
