"""A session: a preset with everything that was done to it, and how a window showed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from quatviz.core.coerce import shown
from quatviz.core.errors import Refusal, phrase
from quatviz.core.parameters import refuse_unknown
from quatviz.core.preset import Preset

MODES = ("body", "ghost", "plots", "hidden")
_MANY = 1000
"""More lanes, panels or items than any window has."""
_LONG = 4000
_LARGE = 1e9


@dataclass(frozen=True)
class View:
    """What a window shows of a run. Whoever shows it takes what it knows of and leaves the rest.

    cursor [s]; speed, seconds of motion a second; loop; selected, two times [s] or none; body, the number of the lane that
    is drawn solid; colours and modes, one for each lane; panels and items by name, whether they are shown; views and
    arrangement in the window's own words; sections that are unfolded.
    """

    cursor: float = 0.0
    speed: float = 1.0
    loop: bool = False
    selected: tuple[float, ...] = ()
    body: int = 0
    colours: tuple[int, ...] = ()
    modes: tuple[str, ...] = ()
    panels: Mapping[str, bool] = field(default_factory=dict)
    items: Mapping[str, bool] = field(default_factory=dict)
    views: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    arrangement: str = ""
    reference: str = ""
    difference: bool = False

    def to_table(self) -> dict[str, Any]:
        """Plain values, without those that are as at a first start."""
        plain = View()
        return {
            each.name: list(value) if isinstance(value, tuple) else value
            for each in fields(self)
            if (value := getattr(self, each.name)) != getattr(plain, each.name)
        }

    @classmethod
    def from_table(cls, table: Any) -> View:
        """The view that a table `view` describes; refused with the key at fault."""
        if not isinstance(table, Mapping):
            raise _refusal("view", "a table [view]", table)
        refuse_unknown(table, [each.name for each in fields(cls)], "view")
        return cls(**{name: _READERS[name](f"view.{name}", value) for name, value in table.items()})


@dataclass(frozen=True)
class Session:
    """What is saved, recovered and copied."""

    preset: Preset
    view: View = View()


def _number(key: str, value: Any) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not abs(value) <= _LARGE:
        raise _refusal(key, phrase("a number up to {most:g}", most=_LARGE), value)
    return float(value)


def _count(key: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value < _MANY:
        raise _refusal(key, phrase("a whole number from 0 to {most}", most=_MANY - 1), value)
    return value


def _truth(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refusal(key, "true or false", value)
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONG:
        raise _refusal(key, phrase("a text of at most {most} characters", most=_LONG), value)
    return value


def _mode(key: str, value: Any) -> str:
    if value not in MODES:
        raise _refusal(key, phrase("one of {modes}", modes=", ".join(MODES)), value)
    return str(value)


def _each(read: Any) -> Any:
    def reader(key: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > _MANY:
            raise _refusal(key, "a list", value)
        return tuple(read(f"{key}[{place}]", item) for place, item in enumerate(value))

    return reader


def _named(read: Any) -> Any:
    def reader(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or len(value) > _MANY:
            raise _refusal(key, "a table", value)
        return {name: read(f"{key}.{name}", item) for name, item in value.items()}

    return reader


def _range(key: str, value: Any) -> tuple[float, ...]:
    times: tuple[float, ...] = _each(_number)(key, value)
    if len(times) not in (0, 2):
        raise _refusal(key, "two times", value)
    return times


_READERS: dict[str, Any] = {
    "cursor": _number,
    "speed": _number,
    "loop": _truth,
    "selected": _range,
    "body": _count,
    "colours": _each(_count),
    "modes": _each(_mode),
    "panels": _named(_truth),
    "items": _named(_truth),
    "views": _named(_text),
    "sections": _each(_text),
    "arrangement": _text,
    "reference": _text,
    "difference": _truth,
}


def _refusal(key: str, expected: str, value: Any) -> Refusal:
    return Refusal(
        key, expected=expected, found=shown(value), remedy="correct it, or remove the key", key=key
    )
