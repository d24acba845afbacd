"""Tables on disk: written whole or not at all, and read back as the preset that repeats the run."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from quatviz.core.errors import Refusal, phrase
from quatviz.core.preset import Preset
from quatviz.core.preset_text import parse_preset
from quatviz.export.formats import format_of
from quatviz.export.table import Part, Progress, Table, unheard
from quatviz.simulation.simulation import Simulation


def write_table(
    run: Simulation, path: str | Path, part: Part | None = None, progress: Progress = unheard
) -> None:
    """Write every sample of every lane, or the chosen `part`, to `path`, in the format that its ending names.

    The file appears whole or not at all; one that was there before stays until then. `progress` hears what share is done;
    what it raises ends the writing. `Refusal` for an unknown ending or a place that cannot be written.
    """
    write = format_of(path)().write
    with replacing(path) as fresh:
        write(Table.of(run, part or Part(), progress), fresh)


def refuse_target(path: str | Path) -> None:
    """Refuse, before a long run, the `path` that `write_table` would refuse after it."""
    format_of(path)
    refuse_place(path)


def refuse_place(path: str | Path) -> None:
    """Refuse a `path` at which no file can be written."""
    path = Path(path).resolve()
    if not path.parent.is_dir() or path.is_dir():
        raise _not_writable(path, FileNotFoundError())
    if not os.access(path.parent, os.W_OK):
        raise _not_writable(path, PermissionError())


def read_settings(path: str | Path) -> Preset:
    """The preset that repeats the run whose table is in the file `path`, lanes and all overrides included.

    It has no path of its own: there is no TOML file to save it to.
    """
    path = Path(path)
    reader = format_of(path)()
    try:
        text = reader.read_preset_text(path)
    except Exception as error:  # the file may hold anything, and each library complains in its own way
        missing = isinstance(error, OSError) and error.strerror
        raise Refusal(
            str(path),
            expected=phrase("a table that quatviz wrote as {title}", title=reader.title),
            found=missing
            or phrase("something else ({kind}: {error})", kind=type(error).__name__, error=error),
            remedy="check the path, or give a preset's name or TOML file",
            topic="errors#files",
        ) from None
    return replace(parse_preset(text, phrase("{path}, the preset in it", path=path)), name=path.stem)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """An empty file beside `path`, to be written; it takes the place of `path` only once that has succeeded, and is on
    the disk before it does.

    Whatever happens, a full disk or a killed process, a file that was there before is whole. A `Refusal` says why a file
    could not be written; any other exception goes through.
    """
    path = Path(path).resolve()  # a link stays a link
    fresh = None
    try:
        handle, name = tempfile.mkstemp(suffix=path.suffix, prefix=f".{path.stem}-", dir=path.parent)
        os.close(handle)
        fresh = Path(name)
        yield fresh
        _flush(fresh)
        os.chmod(fresh, 0o666 & ~_umask())  # a temporary file is private, a table is not
        os.replace(fresh, path)
        _flush(path.parent)
    except Exception as error:
        if not isinstance(error, OSError) and not _is_full(error):
            raise
        raise _not_writable(path, error) from error
    finally:
        if fresh is not None:
            with suppress(OSError):
                fresh.unlink()


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, UTF-8, whole or not at all: see `replacing`."""
    with replacing(path) as fresh:
        fresh.write_text(text, "utf-8", newline="\n")


def _flush(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk. Some systems cannot say that of a folder."""
    with suppress(PermissionError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_full(error: Exception) -> bool:
    """Whether the disk is full: not every library that writes files says so by an `OSError` with its number."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    return any(f"errno = {number}," in str(error) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def _not_writable(path: Path, error: Exception) -> Refusal:
    """Why `path` could not be written, and what to try."""
    if _is_full(error):
        found, remedy = "no space left on the disk", "make room there, or choose a folder on another disk"
    elif not path.parent.is_dir():
        found, remedy = (
            "no such folder",
            phrase("make the folder {folder}, or choose another", folder=path.parent),
        )
    elif isinstance(error, PermissionError):
        found, remedy = "no permission to write there", "choose a folder of your own"
    elif path.is_dir():
        found, remedy = "a folder of that name", "choose another name"
    else:
        found, remedy = str(getattr(error, "strerror", "") or error), "choose another folder"
    found = phrase(found)
    if path.is_file():
        found = phrase("{found}; nothing was written; the file that was there before is whole", found=found)
    else:
        found = phrase("{found}; nothing was written", found=found)
    return Refusal(
        phrase("the file {path}", path=path),
        expected="a place where a file can be written",
        found=found,
        remedy=remedy,
        topic="errors#files",
    )


def _umask() -> int:
    """The permissions that new files are made without; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
