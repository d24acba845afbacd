"""Tables on disk: written whole or not at all, and read back as the preset that repeats the run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.core.preset_text import parse_preset
from quatviz.export.formats import format_of
from quatviz.export.table import QUANTITIES_OF_A_TABLE, Table
from quatviz.simulation.simulation import Simulation


def write_table(run: Simulation, path: str | Path, quantities: Sequence[str] = QUANTITIES_OF_A_TABLE) -> None:
    """Write every sample of every lane to `path`, in the format that its ending names.

    The file appears whole or not at all; one that was there before stays until then. `Refusal` for an unknown ending or
    a place that cannot be written.
    """
    write = format_of(path)().write
    with replacing(path) as fresh:
        write(Table.of(run, quantities), fresh)


def refuse_target(path: str | Path) -> None:
    """Refuse, before a long run, the `path` that `write_table` would refuse after it."""
    format_of(path)
    refuse_place(path)


def refuse_place(path: str | Path) -> None:
    """Refuse a `path` at which no file can be written."""
    folder = Path(path).resolve().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise _not_writable(path, "no such folder" if not folder.is_dir() else "no permission to write there")
    if Path(path).is_dir():
        raise _not_writable(path, "a folder of that name")


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
            expected=f"a table that quatviz wrote as {reader.title}",
            found=str(missing or f"something else ({type(error).__name__}: {error})"),
            remedy="check the path, or give a preset's name or TOML file",
        ) from None
    return replace(parse_preset(text, f"{path}, the preset in it"), name=path.stem)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """An empty file beside `path`, to be written; it takes the place of `path` only once that has succeeded."""
    path = Path(path).resolve()  # a link stays a link
    fresh = None
    try:
        handle, name = tempfile.mkstemp(suffix=path.suffix, prefix=f".{path.stem}-", dir=path.parent)
        os.close(handle)
        fresh = Path(name)
        yield fresh
        os.chmod(fresh, 0o666 & ~_umask())  # a temporary file is private, a table is not
        os.replace(fresh, path)
    except OSError as error:
        raise _not_writable(path, error.strerror or str(error)) from error
    finally:
        if fresh is not None:
            with suppress(FileNotFoundError):
                fresh.unlink()


def _not_writable(path: str | Path, found: str) -> Refusal:
    return Refusal(
        f"the file {path}",
        expected="a place where a file can be written",
        found=found,
        remedy="choose another folder, or make room in this one",
    )


def _umask() -> int:
    """The permissions that new files are made without; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
