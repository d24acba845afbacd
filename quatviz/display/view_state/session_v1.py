"""Reader for session files of version 1. It converts their table `view` to a view state."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quatviz.base.errors import InputError
from quatviz.base.parameters import join_key, refuse_unknown_keys
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.lane_styles import MODES, LaneStyles
from quatviz.display.view_state.view_layout import VIEW_COUNTS, ViewLayout
from quatviz.display.view_state.view_state import DEFAULT_SECTIONS, ViewState
from quatviz.files.schema import (
    choice_reader,
    list_reader,
    mapping_reader,
    read_count,
    read_string,
    schema_error,
)

FIRST_VERSION = 1
"""Version number of the session format that this module reads."""

_UNCHANGED_KEYS = (
    "cursor",
    "speed",
    "loop",
    "selected",
    "panels",
    "items",
    "sections",
    "reference",
    "difference",
)
_CHANGED_KEYS = {
    "body": read_count,
    "colours": list_reader(read_count),
    "modes": list_reader(choice_reader(MODES)),
    "views": mapping_reader(read_string),
    "arrangement": read_string,
}
"""Readers of the fields of version 1 whose names or format have changed."""
_SEEN_FROM_BODY = {"body": True, "space": False}


def view_state_from_v1(table: Any, key: str = "view") -> ViewState:
    """Return the view state of a table `view`.

    Version 1 stored the views and the arrangement in an internal format of the window. Invalid values in the
    views or the arrangement are replaced by defaults.

    Raises
    ------
    InputError
        If another field is invalid. The error names its key.
    """
    if not isinstance(table, Mapping):
        raise schema_error(key, "a table [view]", table)
    refuse_unknown_keys(table, (*_UNCHANGED_KEYS, *_CHANGED_KEYS), key)
    view_state = ViewState.from_table(
        {"speed": 1.0, **{name: table[name] for name in _UNCHANGED_KEYS if name in table}}, key
    )
    view = {
        name: read(join_key(key, name), table[name]) for name, read in _CHANGED_KEYS.items() if name in table
    }
    words = view.get("views", {})
    return replace(
        view_state,
        sections=view_state.sections or DEFAULT_SECTIONS,
        lanes=_lane_styles(view),
        layout=_layout(view.get("arrangement", "")),
        views=_view_layout(words),
        cameras=_cameras(words),
    )


def _lane_styles(view: Mapping[str, Any]) -> LaneStyles:
    table = {name: view[name] for name in ("colours", "modes", "body") if name in view}
    with suppress(InputError):
        return LaneStyles.from_table(table)
    return LaneStyles()


def _view_layout(words: Mapping[str, str]) -> ViewLayout:
    frames = words.get("frames", "").split()
    from_body = {
        view_number: _SEEN_FROM_BODY[word]
        for view_number, word in enumerate(frames, 1)
        if word in _SEEN_FROM_BODY
    }
    return ViewLayout(
        number=next((number for number in VIEW_COUNTS if str(number) == words.get("number")), 1),
        each=words.get("each") != "all",
        linked=words.get("linked") != "free",
        from_body=from_body if len(frames) == VIEW_COUNTS[-1] else {},
    )


def _cameras(words: Mapping[str, str]) -> dict[int, CameraPose]:
    poses = {}
    for view_number in range(1, VIEW_COUNTS[-1] + 1):
        with suppress(ValueError):
            target, back, shown = _split_pose(
                [float(word) for word in words.get(f"camera_{view_number}", "").split()]
            )
            poses[view_number] = CameraPose(target, back, shown)
    return poses


def _split_pose(numbers: list[float]) -> tuple[Any, Any, float]:
    if len(numbers) != 7:
        raise ValueError("target, direction and reach are seven numbers")
    return tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6]


def _layout(arrangement: str) -> PanelLayout:
    try:
        table = json.loads(arrangement) if arrangement else {}
        blocks = [[str(name) for name in block] for block in table["blocks"]] if table else []
        floating = {str(name): _box(box) for name, box in table["floating"].items()} if table else {}
        return PanelLayout(
            tuple(map(tuple, blocks)), tuple(map(str, table["fronts"] if table else ())), floating
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return PanelLayout()


def _box(value: object) -> Any:
    """Return left, top, width and height of a window [pixels] from the list `value`, or () if they are missing.
    `PanelLayout` checks the numbers."""
    return tuple(value) if isinstance(value, list) and len(value) == 4 else ()
