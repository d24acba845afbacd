"""Another value for every field of a look, made from the field itself: a field added tomorrow is walked over too."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from quatviz.base.errors import InputError
from quatviz.display.view_state.lane_styles import Display
from quatviz.display.view_state.view_state import Look
from quatviz.files.schema import Plain

NAMES = ("omega", "h", "euler_angles", "Body")
"""Names of panels, of an item, of a section: one of them stands for a name wherever there is one."""
_TRIED: tuple[Any, ...] = (
    True, False, 2, 2.5, 125, "omega", "light",
    (1.5, 3.5), (0.25, 0.75), (300, 500, 420), ("Lanes", "Body", "omega"), (("h", "omega"), ("drift",)),
    {"h": True}, {"drift": False}, {"sequence": "313"}, {"drift": (60, 70, 500, 400)}, {2: True}, {1: "hamilton"},
    {1: {"target": [0.5, 0.0, 0.0], "back": [0.6, 0.0, 0.8], "shown": 3.0}},
)  # fmt: skip
"""One of these is another value of whatever field."""


def others(field: Any, plain: Plain) -> Iterator[tuple[str, Any]]:
    """Names and other values of one field of `plain`; those of its own fields where it is nested, one after the other."""
    now = getattr(plain, field.name)
    if isinstance(now, Display):
        yield field.name, Display.of(2).coloured(1, 5).shown_as(0, "plots")
    elif isinstance(now, Plain):
        for inner in fields(now):  # type: ignore[arg-type]
            for name, value in others(inner, now):
                yield f"{field.name}.{name}", replace(now, **{inner.name: value})  # type: ignore[type-var]
    else:
        yield field.name, next(_fitting(field, plain, now))


def _fitting(field: Any, plain: Any, now: Any) -> Iterator[Any]:
    for value in _TRIED:
        if (isinstance(value, Mapping), isinstance(value, tuple)) != (
            isinstance(now, Mapping),
            isinstance(now, tuple),
        ):
            continue
        try:
            changed = getattr(replace(plain, **{field.name: value}), field.name)
        except InputError:
            continue
        if changed != now:
            yield changed


def changes() -> list[tuple[str, str, Look]]:
    """For every field of a look, and every field in it: its name, the field's name, and a look that differs there alone."""
    first = Look()
    return [
        (name, field.name, replace(first, **{field.name: value}))
        for field in fields(Look)
        for name, value in others(field, first)
    ]


def everything() -> Look:
    """A look of which every field is another one than at a first start."""
    made: dict[str, Any] = {}
    for field in fields(Look):
        for name, value in others(field, Look()):
            inner = name.rpartition(".")[2]
            before = made.get(field.name)
            made[field.name] = replace(before, **{inner: getattr(value, inner)}) if before else value
    return Look(**made)
