"""Changed values for every field of a view state. New fields are included automatically."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from quatviz.base.errors import InputError
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.schema import Record

NAMES = ("omega", "h", "euler_angles", "Body")
"""Names of panels, an item and a section, as values of fields that hold names."""
_CANDIDATE_VALUES: tuple[Any, ...] = (
    True, False, 2, 2.5, 125, "omega", "light",
    (1.5, 3.5), (0.25, 0.75), (300, 500, 420), ("Lanes", "Body", "omega"), (("h", "omega"), ("drift",)),
    {"h": True}, {"drift": False}, {"sequence": "313"}, {"drift": (60, 70, 500, 400)}, {2: True}, {1: "hamilton"},
    {1: {"target": [0.5, 0.0, 0.0], "back": [0.6, 0.0, 0.8], "shown": 3.0}},
)  # fmt: skip
"""Candidate values. Every field accepts at least one that differs from its default."""


def other_values(field: Any, record: Record) -> Iterator[tuple[str, Any]]:
    """Yield the name and a changed value of a field of `record`, or one for each of its fields if it is a nested record."""
    current = getattr(record, field.name)
    if isinstance(current, LaneStyles):
        yield field.name, LaneStyles.default_for(2).with_color(1, 5).with_mode(0, "plots")
    elif isinstance(current, Record):
        for inner in fields(current):  # type: ignore[arg-type]
            for name, value in other_values(inner, current):
                yield f"{field.name}.{name}", replace(current, **{inner.name: value})  # type: ignore[type-var]
    else:
        yield field.name, next(_fitting_values(field, record, current))


def _fitting_values(field: Any, record: Any, current: Any) -> Iterator[Any]:
    for value in _CANDIDATE_VALUES:
        if (isinstance(value, Mapping), isinstance(value, tuple)) != (
            isinstance(current, Mapping),
            isinstance(current, tuple),
        ):
            continue
        try:
            changed = getattr(replace(record, **{field.name: value}), field.name)
        except InputError:
            continue
        if changed != current:
            yield changed


def single_field_changes() -> list[tuple[str, str, ViewState]]:
    """Return the path, the field name and a view state that differs in this field only, for every nested field."""
    first = ViewState()
    return [
        (name, field.name, replace(first, **{field.name: value}))
        for field in fields(ViewState)
        for name, value in other_values(field, first)
    ]


def all_fields_changed() -> ViewState:
    """Return a view state in which every field differs from its default."""
    values: dict[str, Any] = {}
    for field in fields(ViewState):
        for name, value in other_values(field, ViewState()):
            inner = name.rpartition(".")[2]
            before = values.get(field.name)
            values[field.name] = replace(before, **{inner: getattr(value, inner)}) if before else value
    return ViewState(**values)
