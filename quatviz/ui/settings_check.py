"""What a settings file may hold. What it cannot hold is taken out before anybody reads it; the file as it was stays beside."""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from quatviz.ui.tr import tr

log = logging.getLogger(__name__)

Check = Callable[[object], bool]
_LINE = re.compile(r"\[[^\]]+\]|[;#].*|[^=\s][^=]*=.*")


def sound(path: Path, store: QSettings, checks: dict[str, Check]) -> str:
    """Take out of `store`, whose file is `path`, every value that fails the check of its key, or of its group where that
    ends in "/"; all values where the file is no settings file. What was wrong in one sentence, empty if nothing was.

    The file as it was is kept at `path` with ".bak" behind it.
    """
    damage = _damage(path)
    bad = store.allKeys() if damage else [key for key in store.allKeys() if not _passes(store, key, checks)]
    if not damage and not bad:
        return ""
    if not damage:
        damage = tr(
            "{names}{others} could not be read",
            names=", ".join(sorted(bad)[:3]),
            others=tr(" and others") if len(bad) > 3 else "",
        )
    kept = path.with_name(path.name + ".bak")
    try:
        shutil.copyfile(path, kept)
        where = tr("the file as it was is kept as {kept}", kept=kept)
    except OSError as error:
        where = tr("the file as it was could not be kept: {reason}", reason=error.strerror)
    for key in bad:
        store.remove(key)
    store.sync()
    log.info("the settings in %s were damaged: %s", path, damage)
    return tr(
        "The window’s settings were damaged and begin anew where they were: {damage}; {where}",
        damage=damage,
        where=where,
    )


def one_of(*values: object) -> Check:
    """Whether a value is one of these, as text."""
    texts = {str(value) for value in values}
    return lambda value: isinstance(value, (str, int)) and str(value) in texts


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_bytes(value: object) -> bool:
    """Whether a value is what Qt gives for a window's geometry."""
    return isinstance(value, QByteArray)


def is_table(value: object) -> bool:
    """Whether a value is a table written as JSON."""
    try:
        return isinstance(value, str) and isinstance(json.loads(value), dict)
    except (ValueError, RecursionError):
        return False


def _passes(store: QSettings, key: str, checks: dict[str, Check]) -> bool:
    check = checks.get(key) or checks.get(key.split("/")[0] + "/")
    return check is None or check(store.value(key))


def _damage(path: Path) -> str:
    """Why a file holds no settings; empty where it does, or is not there."""
    try:
        data = path.read_bytes()
    except OSError:
        return ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return tr("it is no text")
    if text and not text.endswith("\n"):
        return tr("its end is missing")
    for number, line in enumerate(text.splitlines(), 1):
        if "\0" in line or (line.strip() and not _LINE.fullmatch(line.strip())):
            return tr("line {number} is no setting", number=number)
    return ""
