"""Writing and reading of table files. A table file also contains the preset that repeats the run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase
from quatviz.base.registry import Registry
from quatviz.display.view_state.session import Session, parse_session, session_from_document
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.formats import format_of
from quatviz.export.formats.base import TableFormat
from quatviz.export.table import NO_PRESET_PREFIX, Progress, Table, TableSelection, ignore_progress
from quatviz.files.files import refuse_unwritable, replace_atomically
from quatviz.files.preset_reading import read_document
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS
from quatviz.simulation.simulation import Simulation

ResultT = TypeVar("ResultT")


def write_table(
    run: Simulation,
    path: str | Path,
    part: TableSelection | None = None,
    progress: Progress = ignore_progress,
    view_state: ViewState | None = None,
) -> None:
    """Write every sample of every lane, or the selected `part`, to a table file. The suffix of `path` determines
    the format.

    The file is written atomically: an existing file is only replaced by a complete one.

    Parameters
    ----------
    run
        The run.
    path
        File to write.
    part
        Selection of quantities, lanes and times; None for all samples of the default quantities.
    progress
        Function that is called with the completed fraction. An exception that it raises ends the export.
    view_state
        View state that is saved with the preset.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    refuse_target(path)
    write_table_file(Table.from_run(run, part or TableSelection(), progress, view_state), path)


def write_table_file(table: Table, path: str | Path) -> None:
    """Write a table to `path` atomically."""
    format_class = format_of(path)
    with replace_atomically(path) as fresh:
        try:
            format_class().write(table, fresh)
        except SystemExit as fault:
            raise InputError(
                str(path), expected=phrase("a file format that works: {title}", title=format_class.title),
                found=describe_exception(fault, [format_class.__module__]), remedy="choose another ending", topic="errors#files",
            ) from fault  # fmt: skip


def refuse_target(path: str | Path) -> None:
    """Raise an `InputError` for a `path` that `write_table` would reject. Call this before a long run."""
    format_of(path)
    refuse_unwritable(path)


def read_session_of_table(path: str | Path) -> Session:
    """Return the session stored in a table file. It repeats the run with all overrides, and contains the view state
    if it was saved.

    The preset has no path, because there is no TOML file to which it could be saved.
    """
    return session_from_text(_read_file(path, lambda reader, path: reader.read_preset_text(path)), path)


def read_table(path: str | Path, convert: Callable[[Table], ResultT]) -> ResultT:
    """Read a table file, and return the result of `convert` for the table. Exceptions in `convert` are reported by the
    same `InputError` as read errors."""
    return _read_file(path, lambda reader, path: convert(reader.read(path)))


def session_from_text(text: str, path: str | Path) -> Session:
    """Parse the text of the session stored in the table file `path`."""
    source_name = phrase("the preset stored in {path}", path=Path(path))
    if text.startswith(NO_PRESET_PREFIX):
        raise InputError(
            source_name, expected="a run that can be repeated from text", found=text.splitlines()[0].removeprefix(NO_PRESET_PREFIX),
            remedy="run its script again; quatviz.load_run returns the recorded data", topic="scripting#tables",
        )  # fmt: skip
    session = parse_session(text, source_name)
    return replace(session, preset=replace(session.preset, name=Path(path).stem))


def session_without_missing(text: str, path: str | Path) -> tuple[Session, list[str]]:
    """Parse the text of a session, but omit loads and events of packages that are not installed. Return the
    session, and a sentence for each omission."""
    missing: dict[str, str] = {}

    def keep_known(tables: Any, registry: Registry[Any]) -> Any:
        if not isinstance(tables, list):
            return tables
        known_tables = []
        for table in tables:
            type_name = table.get("kind") if isinstance(table, dict) else None
            if isinstance(type_name, str) and type_name not in registry:
                missing[type_name] = registry.family
            else:
                known_tables.append(table)
        return known_tables

    def read(document: dict[str, Any]) -> Session:
        for key, registry in (("loads", LOADS), ("events", EVENTS)):
            if key in document:
                document[key] = keep_known(document[key], registry)
        for event in document.get("events", ()):
            if isinstance(event, dict) and "loads" in event:
                event["loads"] = keep_known(event["loads"], LOADS)
        return session_from_document(document)

    session = read_document(text, phrase("the preset stored in {path}", path=Path(path)), read)
    session = replace(session, preset=replace(session.preset, name=Path(path).stem))
    return session, [missing_package_text(name, family) for name, family in missing.items()]


def missing_package_text(name: str, family: str) -> str:
    """Return a sentence which says that `name` of the registry `family` is missing, because its package is not installed."""
    return f"{name} is not among the {family}: install the package that adds it"


def _read_file(path: str | Path, read: Callable[[TableFormat, Path], ResultT]) -> ResultT:
    path = Path(path)
    reader = format_of(path)()
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a folder, a pipe or a device")
        return read(reader, path)
    except InputError:
        raise
    except (
        PLUGIN_EXCEPTIONS
    ) as error:  # the file may contain anything, and each library raises its own exceptions
        missing = isinstance(error, OSError) and error.strerror
        raise InputError(
            str(path),
            expected=phrase("a table that quatviz wrote as {title}", title=reader.title),
            found=missing
            or phrase("other contents ({kind}: {error})", kind=type(error).__name__, error=error),
            remedy="check the path, or give a preset's name or TOML file",
            topic="errors#files",
        ) from None
