"""Writing of presets as TOML text, the inverse of `preset_reading`. This module does not import `Preset`, so that
`Preset` can import it."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import to_table
from quatviz.files.toml_text import toml_pairs
from quatviz.physics.events.base import Event
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotor import Rotor, unused_parameters
from quatviz.physics.observables.read_options import ReadOptions, require_beside_preset
from quatviz.physics.typed_formulations.definition import TypedFormulation

FORMAT_VERSION = 1
"""Version of the preset format."""
TEXT_KEYS = ("title", "source", "summary", "watch", "depends")
"""Keys of a preset that are plain text for the reader."""
MAP_AXES = ("across", "up")


def format_preset(preset: Any) -> str:
    """Return a `Preset` as TOML text, from which `parse_preset` reads an equal preset.

    Raises
    ------
    InputError
        If the preset has a load or recording that a script created.
    """
    _refuse_script_loads(preset.loads, "loads")
    for n, lane in enumerate(preset.lanes):
        _refuse_script_loads(lane.loads, f"lanes[{n}].loads")
    texts = {key: getattr(preset, key) for key in TEXT_KEYS if getattr(preset, key) or key == "title"}
    # The default speed is omitted because older versions reject the key.
    speed = {} if preset.speed == 1.0 else {"speed": preset.speed}
    parts = [
        toml_pairs({"format": FORMAT_VERSION, **texts, **speed}),
        "[body]\n" + toml_pairs(_body_table(preset.body)),
        *("[[rotors]]\n" + toml_pairs(rotor_table(rotor)) for rotor in preset.body.rotors),
        "[initial]\n" + toml_pairs(_initial_table(preset.initial)),
        *("[[loads]]\n" + toml_pairs(_load_table(load)) for load in preset.loads),
        *map(_event_text, preset.events),
        *map(_formulation_text, typed_formulations(preset)),
        "[run]\n" + toml_pairs(to_table(preset.run)),
        *(_lane_text(lane, f"lanes[{n}]") for n, lane in enumerate(preset.lanes)),
        *([_map_text(preset.map)] if preset.map is not None else []),
    ]
    return "\n".join(parts)


def _refuse_script_loads(loads: Sequence[Load], key: str) -> None:
    """Raise an `InputError` if a script created one of the loads. The error names the position of the load in the list
    `key`."""
    for n, load in enumerate(loads):
        if LOADS.get(load.name) is not type(load):
            raise InputError(
                expected="loads that can be written as text",
                found=phrase("the load {load}, created by a script", load=load.name),
                remedy="keep the script: its compiled functions cannot be written as text",
                key=f"{key}[{n}]",
            )


def typed_formulations(preset: Any) -> list[TypedFormulation]:
    """Return the typed formulations of the lanes, without duplicates."""
    return list(dict.fromkeys(lane.equations for lane in preset.lanes if lane.equations is not None))


def _formulation_text(definition: TypedFormulation) -> str:
    table = {name: value for name, value in to_table(definition).items() if value != ""}
    numbers = {"numbers": dict(definition.numbers)} if definition.numbers else {}
    return "[[formulations]]\n" + toml_pairs({**table, **numbers})


def _lane_text(lane: Any, key: str) -> str:
    """Return the TOML text of a lane with its loads. The options of a recording are a separate table if they
    contain more than the file name."""
    table = to_table(lane)
    if lane.recording is None:
        parts = ["[[lanes]]\n" + toml_pairs(table)]
        parts += ["[[lanes.loads]]\n" + toml_pairs(_load_table(load)) for load in lane.loads]
        return "\n".join(parts)
    if not isinstance(lane.recording, ReadOptions):
        raise InputError(
            expected="a recording in a file", found=phrase("a recording created by a script"),
            remedy="write it to a file with quatviz.write_recording and use that file", key=f"{key}.recording",
            topic="recordings#in-a-preset",
        )  # fmt: skip
    require_beside_preset(lane.recording, f"{key}.recording")
    reading_table = lane.recording.table()
    if table["formulation"] == "recording":
        del table["formulation"]
    if len(reading_table) == 1:
        return "[[lanes]]\n" + toml_pairs({**table, "recording": reading_table["file"]})
    return "[[lanes]]\n" + toml_pairs(table) + "[lanes.recording]\n" + toml_pairs(reading_table)


def _map_text(settings: Any) -> str:
    parts = ["[map]\n" + toml_pairs({"measure": settings.measure})]
    for name, axis in zip(MAP_AXES, settings.axes, strict=False):
        parts.append(f"[map.{name}]\n" + toml_pairs(to_table(axis)))
    return "".join(parts)


def _load_table(load: Load) -> dict[str, Any]:
    return {"kind": load.name, **to_table(load), **load.undeclared_table()}


def _event_text(event: Event) -> str:
    """Return the TOML text of an event. A new body and new loads are written as separate tables, since they are not
    declared parameters."""
    body, loads = getattr(event, "body", None), getattr(event, "loads", None)
    empty_loads: dict[str, Any] = {"loads": []} if loads == () else {}
    parts = ["[[events]]\n" + toml_pairs({"kind": event.name, **to_table(event), **empty_loads})]
    if body is not None:
        parts.append("[events.body]\n" + toml_pairs(_body_table(body)))
        parts += ["[[events.body.rotors]]\n" + toml_pairs(rotor_table(rotor)) for rotor in body.rotors]
    parts += ["[[events.loads]]\n" + toml_pairs(_load_table(load)) for load in loads or ()]
    return "\n".join(parts)


def _body_table(body: Body) -> dict[str, Any]:
    table = to_table(body)
    moments = np.diagonal(body.inertia)
    if np.array_equal(body.inertia, np.diag(moments)):
        table["inertia"] = moments.tolist()
    if body.ring is not None:
        table["ring"] = to_table(body.ring)
    return table


def rotor_table(rotor: Rotor) -> dict[str, Any]:
    """Return the parameters of a rotor. Those that its torque law does not use are left out."""
    unused = unused_parameters(rotor.law)
    return {name: value for name, value in to_table(rotor).items() if name not in unused}


def _initial_table(initial: Initial) -> dict[str, Any]:
    """Return the parameters of an initial state in the order of the fields, with the angles as a nested table."""
    table = to_table(initial)
    if initial.angles is not None:
        table["angles"] = to_table(initial.angles)
    return {field.name: table[field.name] for field in fields(initial) if field.name in table}
