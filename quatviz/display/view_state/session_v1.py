"""Reads the view of sessions of the first version, which are still opened, as a look."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quatviz.base.errors import InputError
from quatviz.base.parameters import joined, refuse_unknown
from quatviz.display.view_state.arrangement import Layout
from quatviz.display.view_state.camera import Stance
from quatviz.display.view_state.lane_styles import MODES, Display
from quatviz.display.view_state.view_layout import NUMBERS, Plan
from quatviz.display.view_state.view_state import SECTIONS, Look
from quatviz.files.schema import count, each, named, one_of, refusal, text

FIRST = 1
"""The version."""

_AS_NOW = "cursor", "speed", "loop", "selected", "panels", "items", "sections", "reference", "difference"
_READERS = {
    "body": count,
    "colours": each(count),
    "modes": each(one_of(MODES)),
    "views": named(text),
    "arrangement": text,
}
"""Of what is said otherwise now."""
_BODY = {"body": True, "space": False}


def look_of_first(table: Any, key: str = "view") -> Look:
    """What a table `view` described; refused with the key at fault. Views and arrangement were in the window's own words:
    what cannot be read of these is as at a first start."""
    if not isinstance(table, Mapping):
        raise refusal(key, "a table [view]", table)
    refuse_unknown(table, (*_AS_NOW, *_READERS), key)
    look = Look.from_table({"speed": 1.0, **{name: table[name] for name in _AS_NOW if name in table}}, key)
    view = {name: read(joined(key, name), table[name]) for name, read in _READERS.items() if name in table}
    words = view.get("views", {})
    return replace(
        look,
        sections=look.sections or SECTIONS,
        lanes=_lanes(view),
        layout=_layout(view.get("arrangement", "")),
        views=_plan(words),
        cameras=_cameras(words),
    )


def _lanes(view: Mapping[str, Any]) -> Display:
    table = {name: view[name] for name in ("colours", "modes", "body") if name in view}
    with suppress(InputError):
        return Display.from_table(table)
    return Display()


def _plan(words: Mapping[str, str]) -> Plan:
    frames = words.get("frames", "").split()
    said = {place: _BODY[word] for place, word in enumerate(frames, 1) if word in _BODY}
    return Plan(
        number=next((one for one in NUMBERS if str(one) == words.get("number")), 1),
        each=words.get("each") != "all",
        linked=words.get("linked") != "free",
        from_body=said if len(frames) == NUMBERS[-1] else {},
    )


def _cameras(words: Mapping[str, str]) -> dict[int, Stance]:
    found = {}
    for place in range(1, NUMBERS[-1] + 1):
        with suppress(ValueError):
            target, back, shown = _parted([float(word) for word in words.get(f"camera_{place}", "").split()])
            found[place] = Stance(target, back, shown)
    return found


def _parted(numbers: list[float]) -> tuple[Any, Any, float]:
    if len(numbers) != 7:
        raise ValueError("target, direction and reach are seven numbers")
    return tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6]


def _layout(arrangement: str) -> Layout:
    try:
        said = json.loads(arrangement) if arrangement else {}
        blocks = [[str(name) for name in block] for block in said["blocks"]] if said else []
        floating = {str(name): _place(box) for name, box in said["floating"].items()} if said else {}
        return Layout(tuple(map(tuple, blocks)), tuple(map(str, said["fronts"] if said else ())), floating)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Layout()


def _place(value: object) -> Any:
    """Left, top, width and height, or nothing; a `Layout` looks at the numbers."""
    return tuple(value) if isinstance(value, list) and len(value) == 4 else ()
