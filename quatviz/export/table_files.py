"""Tables on disk, and the preset that repeats the run read back from one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from quatviz.base.errors import FAULTS, InputError, phrase, told_of
from quatviz.base.registry import Registry
from quatviz.display.view_state.session import Session, parse_session, session_of
from quatviz.display.view_state.view_state import Look
from quatviz.export.formats import format_of
from quatviz.export.formats.base import TableFormat
from quatviz.export.table import NO_TEXT, Part, Progress, Table, unheard
from quatviz.files.files import refuse_place, replacing
from quatviz.files.preset_reading import read_document
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS
from quatviz.simulation.simulation import Simulation

Read = TypeVar("Read")


def write_table(
    run: Simulation,
    path: str | Path,
    part: Part | None = None,
    progress: Progress = unheard,
    look: Look | None = None,
) -> None:
    """Write every sample of every lane, or the chosen `part`, to `path`, in the format that its ending names.

    The file appears whole or not at all; one that was there before stays until then. `progress` hears what share is done;
    what it raises ends the writing. A `look` is kept beside the preset. `InputError` for an unknown ending or a place that
    cannot be written.
    """
    refuse_target(path)
    write_whole(Table.of(run, part or Part(), progress, look), path)


def write_whole(table: Table, path: str | Path) -> None:
    """Write a table to `path`, whole or not at all."""
    kind = format_of(path)
    with replacing(path) as fresh:
        try:
            kind().write(table, fresh)
        except SystemExit as fault:
            raise InputError(
                str(path), expected=phrase("a format that writes: {title}", title=kind.title),
                found=told_of(fault, [kind.__module__]), remedy="choose another ending", topic="errors#files",
            ) from fault  # fmt: skip


def refuse_target(path: str | Path) -> None:
    """Refuse, before a long run, the `path` that `write_table` would refuse after it."""
    format_of(path)
    refuse_place(path)


def read_settings(path: str | Path) -> Session:
    """The preset that repeats the run whose table is in the file `path`, lanes and all overrides included, and how it is
    shown where that was kept.

    The preset has no path of its own: there is no TOML file to save it to.
    """
    return settings_in(_read(path, lambda reader, path: reader.read_preset_text(path)), path)


def read_table(path: str | Path, made: Callable[[Table], Read]) -> Read:
    """What is `made` of the table in the file `path`, as it was written; what it raises refuses the file, as reading does."""
    return _read(path, lambda reader, path: made(reader.read(path)))


def settings_in(text: str, path: str | Path) -> Session:
    """What a table's text says; it is read from the file `path`."""
    place = phrase("{path}, the preset in it", path=Path(path))
    if text.startswith(NO_TEXT):
        raise InputError(
            place, expected="a run that a text can repeat", found=text.splitlines()[0].removeprefix(NO_TEXT),
            remedy="run its script again; quatviz.load_run gives what was recorded", topic="scripting#tables",
        )  # fmt: skip
    session = parse_session(text, place)
    return replace(session, preset=replace(session.preset, name=Path(path).stem))


def settings_as_far(text: str, path: str | Path) -> tuple[Session, list[str]]:
    """The same without the loads and events that packages add which are not here, and a sentence for each of them."""
    absent: dict[str, str] = {}

    def known(tables: Any, registry: Registry[Any]) -> Any:
        if not isinstance(tables, list):
            return tables
        kept = []
        for table in tables:
            kind = table.get("kind") if isinstance(table, dict) else None
            if isinstance(kind, str) and kind not in registry:
                absent[kind] = registry.family
            else:
                kept.append(table)
        return kept

    def read(document: dict[str, Any]) -> Session:
        for place, registry in (("loads", LOADS), ("events", EVENTS)):
            if place in document:
                document[place] = known(document[place], registry)
        for event in document.get("events", ()):
            if isinstance(event, dict) and "loads" in event:
                event["loads"] = known(event["loads"], LOADS)
        return session_of(document)

    session = read_document(text, phrase("{path}, the preset in it", path=Path(path)), read)
    session = replace(session, preset=replace(session.preset, name=Path(path).stem))
    return session, [lacking(name, family) for name, family in absent.items()]


def lacking(name: str, family: str) -> str:
    """That a part of a package is not here."""
    return f"{name} is not among the {family}: install the package that adds it"


def _read(path: str | Path, read: Callable[[TableFormat, Path], Read]) -> Read:
    path = Path(path)
    reader = format_of(path)()
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a folder, a pipe or a device")
        return read(reader, path)
    except InputError:
        raise
    except FAULTS as error:  # the file may hold anything, and each library complains in its own way
        missing = isinstance(error, OSError) and error.strerror
        raise InputError(
            str(path),
            expected=phrase("a table that quatviz wrote as {title}", title=reader.title),
            found=missing
            or phrase("something else ({kind}: {error})", kind=type(error).__name__, error=error),
            remedy="check the path, or give a preset's name or TOML file",
            topic="errors#files",
        ) from None
