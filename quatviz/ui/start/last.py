"""The run that was open when the window was closed last, to go on with."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.session import Session
from quatviz.core.session_text import format_session, read_session
from quatviz.export.files import write_text
from quatviz.export.mesh_beside import bring_mesh

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Last:
    """What was open, in which file that is kept, and when the window was closed."""

    session: Session
    path: Path
    closed: float
    """[s] since 1970."""


def keep_last(session: Session) -> None:
    """Remember what is open now, in place of what was open before; a place that cannot be written is no reason to stay."""
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear(path.parent, session.preset.body.folder)
        bring_mesh(session.preset.body, path.parent)
        write_text(path, format_session(session))
    except (OSError, Refusal) as error:
        log.info("what is open is not remembered: %s", error)


def last() -> Last | None:
    """What was open when the window was closed last; None where nothing is remembered that can be read."""
    path = _path()
    if not path.is_file():
        return None
    try:
        return Last(read_session(path), path, path.stat().st_mtime)
    except (OSError, Refusal) as error:
        log.info("what was open last cannot be read: %s", error)
        return None


def _clear(folder: Path, used: Path | None) -> None:
    """Delete the mesh of the run before, which may have the name of this one's."""
    if used is None or used.resolve() != folder.resolve():
        for old in folder.iterdir():
            old.unlink()


def _path() -> Path:
    return resources.settings_folder() / "last" / "session.toml"
