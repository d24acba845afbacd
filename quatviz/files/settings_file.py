"""Small TOML files in the user's settings folder that several windows read and write at the same time."""

import logging
import shutil
import threading
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.files.files import FileLock, write_text
from quatviz.files.limits import read_limited, refuse_unreadable
from quatviz.files.toml_lines import parse_toml_error
from quatviz.files.toml_text import toml_pairs

log = logging.getLogger(__name__)

LOCK_TIMEOUT = 0.5
"""Time [s] for which a window waits while another window writes the same file. Writing takes a few milliseconds."""
MAX_LOCK_DELAY = 20.0
"""Time [s] after which a change is discarded if another window does not release the lock. Until then, the process of a
closed window keeps running."""

Edit = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Function that returns the new table, given the table currently in the file."""


class SettingsFile:
    """A table in a TOML file. The file is read again before each change and written under a lock, so that no window
    overwrites the changes of another.

    Parameters
    ----------
    name
        Name of the file in the settings folder.
    format_table
        Function that formats the table as TOML.
    """

    def __init__(self, name: str, format_table: Callable[[Mapping[str, Any]], str] = toml_pairs) -> None:
        self.path = resources.settings_folder() / name
        self._format_table = format_table
        self._pending: list[Edit] = []
        """Changes that are not in the file yet, oldest first."""
        self._mutex = threading.RLock()
        self._thread: threading.Thread | None = None
        """Thread that writes the pending changes as soon as another window releases the lock, or None."""

    def read(self) -> dict[str, Any]:
        """Return the table including pending changes. It is empty if the file is missing or unreadable."""
        with self._mutex:
            table = read_settings(self.path)[0]
            for edit in self._pending:
                table = dict(edit(table))
            return table

    def update(self, edit: Edit, durable: bool = True) -> None:
        """Replace the table by `edit(table)`. If the settings folder is not writable, this is logged, and no error
        is raised.

        A damaged file is copied before it is replaced. The file is never written without its lock. If another
        window does not release the lock within `LOCK_TIMEOUT`, a thread waits for it. The thread then applies the
        change to the table that the other window has written.

        Parameters
        ----------
        edit
            Function that returns the new table, given the table in the file.
        durable
            True to wait until the file is on the disk, which takes about 20 ms.
        """
        with self._mutex:
            self._pending.append(edit)
            is_waiting = self._thread is not None
        if is_waiting or self._write_pending(LOCK_TIMEOUT, durable):
            return
        log.info("another window holds the lock of %s: the change is kept", self.path)
        # Not a daemon: the process ends when the change is written.
        self._thread = threading.Thread(target=self._write_later, args=(durable,), name="quatviz-settings")
        self._thread.start()

    def wait_written(self) -> None:
        """Wait until the pending changes are written or discarded."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _write_later(self, durable: bool) -> None:
        is_written = self._write_pending(MAX_LOCK_DELAY, durable)
        with self._mutex:
            self._thread = None
            if is_written and self._pending:  # a change came after the others were written
                is_written = self._write_pending(LOCK_TIMEOUT, durable)
            if not is_written:
                log.warning(
                    "the settings in %s could not be written: another window holds the lock", self.path
                )
                self._pending.clear()

    def _write_pending(self, timeout: float, durable: bool) -> bool:
        """Write the pending changes. Return False if another window did not release the lock within `timeout` [s]."""
        lock = FileLock(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not lock.acquire(timeout):
                if lock.error is None:
                    return False
                raise lock.error
            with self._mutex:
                table = self.read()
                self._pending.clear()
                text = self._format_table(table)
                refuse_unreadable(text, str(self.path))
                if read_settings(self.path)[1]:
                    back_up(self.path)
                write_text(self.path, text, durable)
        except (OSError, InputError) as error:
            self._pending.clear()
            log.warning("the settings in %s could not be written: %s", self.path, error)
        finally:
            with suppress(OSError):
                lock.release()
        return True


def back_up(path: Path) -> Path:
    """Copy a damaged file before it is overwritten, and return the path of the copy. Raise an `OSError` if this fails."""
    backup = path.with_name(path.name + ".bak")
    shutil.copyfile(path, backup)
    return backup


def read_settings(path: Path) -> tuple[dict[str, Any], str]:
    """Return the table in a file, and one sentence on why the file cannot be read, or "". The table is empty if the
    file is missing or unreadable."""
    try:
        data = read_limited(path)
    except OSError:
        return {}, ""
    except InputError:
        return {}, tr("the file is too large")
    try:
        source = data.decode("utf-8")
        refuse_unreadable(source, str(path))
        if source and not source.endswith("\n"):
            return {}, tr("the file is truncated")
        return tomllib.loads(source), ""
    except UnicodeDecodeError:
        return {}, tr("the file is not a text")
    except (InputError, RecursionError):
        return {}, tr("the file is too large")
    except ValueError as error:
        return {}, tr("line {number} is not a valid setting", number=parse_toml_error(error, source)[1] or 1)


_MISSING: Any = object()
"""Placeholder for the value of a key that a table does not contain."""


def merge_changes(
    table: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `table` with the changes from `before` to `after` applied. Nested tables are merged key by key.

    >>> merge_changes({"theme": "light", "views": {"a": 1}}, {"views": {"a": 1}}, {"views": {"a": 1, "b": 2}})
    {'theme': 'light', 'views': {'a': 1, 'b': 2}}
    >>> merge_changes({"theme": "light", "scale": 150}, {"scale": 150}, {})
    {'theme': 'light'}
    """
    merged = dict(table)
    for key in {**before, **after}:
        old, new = before.get(key, _MISSING), after.get(key, _MISSING)
        if old == new:
            continue
        if all(value is _MISSING or isinstance(value, Mapping) for value in (old, new)):
            current = table.get(key)
            entries = merge_changes(
                current if isinstance(current, Mapping) else _entries(old), _entries(old), _entries(new)
            )
            if entries or new is not _MISSING:
                merged[key] = entries
            else:
                merged.pop(key, None)
        elif new is _MISSING:
            merged.pop(key, None)
        else:
            merged[key] = new
    return merged


def _entries(table: Any) -> Mapping[str, Any]:
    """Return the value if it is a table, or an empty table if the key is missing."""
    return {} if table is _MISSING else table
