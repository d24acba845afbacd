"""Reading of presets from TOML text. The format is specified in `quatviz.files.preset.Preset`."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from quatviz.base.class_metadata import from_tagged_table
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import from_table, quote_value, refuse_unknown_keys
from quatviz.files.limits import read_limited, refuse_unreadable, refuse_version
from quatviz.files.preset import Lane, MapAxis, MapSettings, Preset, RunSettings
from quatviz.files.preset_writing import FORMAT_VERSION, MAP_AXES, TEXT_KEYS
from quatviz.files.preset_writing import format_preset as format_preset
from quatviz.files.schema import schema_error
from quatviz.files.toml_lines import KeyLines, parse_toml_error
from quatviz.physics.events import EVENTS
from quatviz.physics.geometry.meshes import is_mesh
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.observables.read_options import ReadOptions, require_beside_preset
from quatviz.physics.typed_formulations.definition import TypedFormulation

Read = TypeVar("Read")

ORIGIN_KEY = "origin"
"""Key of a session that holds the name of the preset from which its run was made."""

_KEYS = (
    "format", *TEXT_KEYS, "speed", "body", "rotors", "initial", "loads", "events", "formulations", "run", "lanes", "map"
)  # fmt: skip


def read_preset(path: str | Path) -> Preset:
    """Read the preset in a file, under the name of the file. For a session, return the preset that it contains.

    Raises
    ------
    InputError
        If the file cannot be used. The error names file and line.

    Examples
    --------
    >>> from quatviz.base.resources import preset_folder
    >>> read_preset(preset_folder() / "torque_free.toml").name
    'torque_free'
    """
    path = Path(path)
    return replace(parse_preset(read_text_file(path), str(path), path.parent), name=path.stem, path=path)


def read_text_file(path: Path) -> str:
    """Return the text in a file. Raise an `InputError` if it is unreadable or too large."""
    try:
        data = read_limited(path)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            str(path),
            expected="a preset file that can be read",
            found=(error.strerror if isinstance(error, OSError) else None) or str(error),
            remedy="check the path and your permission to read it",
            topic="errors#preset-files",
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            phrase("{path}, line {line}", path=path, line=data.count(10, 0, error.start) + 1),
            expected="text in UTF-8",
            found=phrase("the byte 0x{byte:02x}, which is not UTF-8", byte=data[error.start]),
            remedy="save the file as UTF-8, or check that it is a preset",
            topic="errors#preset-files",
        ) from None


_PRESET_LINE = re.compile(r"^[ \t]*(\w+[ \t]*=|\[)", re.MULTILINE)
"""Pattern of a line that every preset contains and that is rare in other texts."""


def parse_preset(text: str, position: str = "<preset>", folder: Path | None = None) -> Preset:
    """Return the preset that a text describes. For a session, return the preset that it contains.

    Parameters
    ----------
    text
        TOML text.
    position
        Name of the text in error messages.
    folder
        Folder of the mesh and the recordings that the preset names.

    Raises
    ------
    InputError
        If the text is not a valid preset. The error names the line; its key is the dotted path of the rejected
        parameter.

    Examples
    --------
    >>> preset = parse_preset('''
    ... format = 1
    ... title = "A brick"
    ... body = { inertia = [1, 2, 3] }
    ... initial = { euler_parameters = [1, 0, 0, 0], angular_velocity = [0, 2, 0.1] }
    ... run = { duration = 4, dt = 1e-3, sample_interval = 0.01 }
    ... ''')
    >>> preset.body.inertia.diagonal().tolist(), preset == parse_preset(format_preset(preset))
    ([1.0, 2.0, 3.0], True)
    """

    def build_preset(document: dict[str, Any]) -> Preset:
        view_keys = ("session", "view", "look") if "session" in document else ("look",)
        tables = {key: value for key, value in document.items() if key not in view_keys}
        return (
            session_preset_from_tables(tables, folder)
            if "session" in document
            else preset_from_tables(tables, folder)
        )

    return read_document(text, position, build_preset)


def read_document(text: str, position: str, build: Callable[[dict[str, Any]], Read]) -> Read:
    """Return `build(tables)` for the tables of a TOML text.

    If `build` raises an `InputError` with a key, the line of this key is added to the error.
    """
    try:
        refuse_unreadable(text, position)
        try:
            return build(_parse_toml(text, position))
        except InputError as refusal:
            if not refusal.key:
                raise
            line = KeyLines(text).line(refusal.key)
            raise refusal.with_place(_line_location(position, line, refusal.key)) from None
    except RecursionError:
        raise InputError(
            position,
            expected="values nested a few levels deep",
            found="brackets nested too deeply to read",
            remedy="check that the file is a preset",
            topic="errors#preset-files",
        ) from None


def locate_error(refusal: InputError, preset: Preset) -> InputError:
    """Return the error about a preset with the file and the line of its key added. If the preset has no file, the error is
    unchanged."""
    if not refusal.key or preset.path is None:
        return refusal
    try:
        text = read_text_file(preset.path)
    except InputError:  # the file was removed meanwhile
        return refusal
    return refusal.with_place(_line_location(preset.path, KeyLines(text).line(refusal.key), refusal.key))


def _line_location(position: str | Path, line: int, key: str) -> str:
    return phrase("{place}, line {line}, {key}", place=position, line=line, key=key)


def _parse_toml(text: str, position: str) -> dict[str, Any]:
    """Return the tables of a TOML text."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        if not _PRESET_LINE.search(text):
            raise InputError(
                position,
                expected='a preset or a session: TOML text, with lines such as title = "..."',
                found="a text without such a line",
                remedy="check the file; to open a table of numbers, import it as a recording",
                topic="errors#preset-files",
            ) from None
        message, line = parse_toml_error(error, text)
        if line is not None:
            position = phrase("{place}, line {line}", place=position, line=line)
        raise InputError(
            position,
            expected="TOML text",
            found=message,
            remedy="see toml.io; texts need quotes, numbers a decimal point, and every key may occur only once",
            topic="errors#preset-files",
        ) from None


def preset_from_tables(document: dict[str, Any], folder: Path | None = None) -> Preset:
    """Return the preset that the tables of a text describe. `folder` is the folder of the mesh and the recordings
    that it names."""
    refuse_version(document.get("format"), "format", FORMAT_VERSION)
    refuse_unknown_keys(document, _KEYS, "")
    for key in ("title", "body", "initial", "run"):
        if key not in document:
            raise _missing_key_error(key)
    definitions = _read_formulations(document)
    return Preset(
        body=_read_body_with_rotors(document, folder),
        initial=from_table(Initial, document["initial"], "initial"),
        loads=_read_tables(document, "loads", lambda table, key: from_tagged_table(LOADS, table, key)),
        events=_read_tables(document, "events", lambda table, key: from_tagged_table(EVENTS, table, key)),
        run=from_table(RunSettings, document["run"], "run"),
        lanes=_read_tables(document, "lanes", lambda table, key: _read_lane(table, key, folder, definitions)),
        map=_read_map(document["map"], "map") if "map" in document else None,
        **{key: document[key] for key in (*TEXT_KEYS, "speed") if key in document},
    )


def session_preset_from_tables(document: dict[str, Any], folder: Path | None = None) -> Preset:
    """Return the preset in a session, which may also have the key `origin`."""
    tables = {key: value for key, value in document.items() if key != ORIGIN_KEY}
    origin = document.get(ORIGIN_KEY, "")
    if not isinstance(origin, str):
        raise schema_error(ORIGIN_KEY, "the name of a preset", origin)
    return replace(preset_from_tables(tables, folder), origin=origin)


def _missing_key_error(key: str) -> InputError:
    return InputError(
        expected=phrase("the key {key}", key=key) if key == "title" else phrase("the table {key}", key=key),
        found="no such key",
        remedy='add title = "..." above the first table'
        if key == "title"
        else phrase("add a table [{key}]", key=key),
        key=key,
    )


def _read_tables(
    document: Mapping[str, Any], key: str, read: Callable[[Any, str], Any], path: str = ""
) -> list[Any]:
    """Return the result of `read` for each table in the array of tables called `key`.

    If `path` is given, it replaces the key in error messages.
    """
    tables = document.get(key, [])
    key = path or key
    if not isinstance(tables, list):
        raise InputError(
            expected=phrase("any number of tables [[{key}]]", key=re.sub(r"\[\d+\]", "", key)),
            found=quote_value(tables),
            remedy=phrase("write [[{key}]] with two brackets on each side", key=re.sub(r"\[\d+\]", "", key)),
            key=key,
        )
    return [read(table, f"{key}[{n}]") for n, table in enumerate(tables)]


def _read_formulations(document: Mapping[str, Any]) -> dict[str, TypedFormulation]:
    """Return the typed formulations by name. Raise an `InputError` if two have the same name, or if no lane
    uses one of them."""
    definitions: dict[str, TypedFormulation] = {}
    read = _read_tables(document, "formulations", lambda table, key: from_table(TypedFormulation, table, key))
    lanes = document.get("lanes", [])
    used = (
        [lane.get("formulation") for lane in lanes if isinstance(lane, Mapping)]
        if isinstance(lanes, list)
        else []
    )
    for n, definition in enumerate(read):
        if definition.name in definitions:
            raise InputError(
                expected="each name once", found=repr(definition.name), remedy="choose another name",
                key=f"formulations[{n}].name", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        if definition.name not in used:
            raise InputError(
                expected=phrase("a lane with formulation = {name!r}", name=definition.name), found="none",
                remedy="add such a table [[lanes]], or remove the formulation", key=f"formulations[{n}].name",
                topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        definitions[definition.name] = definition
    return definitions


def _read_lane(
    table: Any, key: str, folder: Path | None, definitions: Mapping[str, TypedFormulation]
) -> Lane:
    """Read a lane with its typed equations and loads. File names are relative to `folder`, the folder of the
    preset."""
    if isinstance(table, Mapping) and "equations" in table:
        raise InputError(
            expected="equations in a table [[formulations]]", found="equations of a lane",
            remedy="give them a name there, and write it as the lane's formulation", key=f"{key}.equations",
            topic="own#a-formulation-in-a-preset",
        )  # fmt: skip
    if (
        isinstance(table, Mapping)
        and isinstance(name := table.get("formulation"), str)
        and name in definitions
    ):
        table = {**table, "equations": definitions[name]}
    if isinstance(table, Mapping) and "recording" in table:
        table = {"formulation": "recording", **table}
    if isinstance(table, Mapping) and "loads" in table:
        loads = _read_tables(
            table, "loads", lambda load, position: from_tagged_table(LOADS, load, position), f"{key}.loads"
        )
        table = {**table, "loads": loads}
    lane = from_table(Lane, table, key)
    if isinstance(lane.recording, ReadOptions):
        require_beside_preset(lane.recording, f"{key}.recording")
        lane = replace(lane, recording=lane.recording.in_folder(folder))
    if lane.file is None or folder is None:
        return lane
    return replace(lane, file=str(folder.absolute() / lane.file))


def _read_map(table: Any, key: str) -> MapSettings:
    if not isinstance(table, Mapping):
        remedy = "write its keys below that line"
        raise InputError(
            expected=phrase("a table [{key}]", key=key), found=quote_value(table), remedy=remedy, key=key
        )
    refuse_unknown_keys(table, ("measure", *MAP_AXES), key)
    if "across" not in table:
        raise InputError(
            expected="the key across", found="no such key", key=key,
            remedy="write across = { number = ..., start = ..., stop = ... }", topic="sweeps#maps-of-presets",
        )  # fmt: skip
    axes: dict[str, Any] = {
        name: from_table(MapAxis, table[name], f"{key}.{name}") for name in MAP_AXES if name in table
    }
    try:
        return MapSettings(**axes, **({"measure": table["measure"]} if "measure" in table else {}))
    except InputError as refusal:
        raise refusal.with_place(f"{key}.{refusal.key}", f"{key}.{refusal.key}") from None


def _read_body_with_rotors(document: dict[str, Any], folder: Path | None) -> Body:
    """Read the body including the rotors in the tables [[rotors]]."""
    table = document["body"]
    if "rotors" not in document or not isinstance(table, Mapping):
        return _read_body(table, folder)
    if "rotors" in table:
        raise InputError(
            expected="all rotors in the same array of tables",
            found=phrase("[[rotors]] and [[body.rotors]]"),
            remedy="write all of them as [[rotors]]",
            key="rotors",
        )
    try:
        return _read_body({**table, "rotors": document["rotors"]}, folder)
    except InputError as refusal:
        if not refusal.key.startswith("body.rotors"):
            raise
        key = refusal.key.removeprefix("body.")
        raise refusal.with_place(key, key) from None


def _read_body(table: Any, folder: Path | None) -> Body:
    """Read the body. If it has a mesh but no inertia, the inertia is computed from the mesh."""
    shape = table.get("shape") if isinstance(table, Mapping) else None
    from_mesh = isinstance(shape, str) and is_mesh(shape) and "inertia" not in table and folder is not None
    if not from_mesh:
        return from_table(Body, table, "body").with_folder(folder)
    assert folder is not None
    try:
        return (
            from_table(Body, {**table, "inertia": [1, 1, 1]}, "body").with_folder(folder).with_mesh_inertia()
        )
    except InputError as refusal:
        if refusal.key.startswith("body"):
            raise
        key = f"body.{refusal.key}"
        raise refusal.with_place(key, key) from None
