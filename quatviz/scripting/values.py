"""What a caller gives: numbers, and values for a preset's keys."""

import re
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import Parameter, coerced, shown
from quatviz.text.preset import Preset

_ONE_OF = (
    {"euler_parameters", "angles", "rotation_vector"},
    {"angular_momentum", "angular_velocity"},
)
"""Ways to say the same of a start: one that is given takes the place of the others."""
_JOBS = Parameter(
    name="jobs", title="Jobs", kind=int, minimum=1, optional=True, default=None,
    explanation="how many compute at once, one for each processor where it is left out",
)  # fmt: skip


def jobs_of(given: int | None) -> int | None:
    """How many are to compute at once, None for one on each processor; `InputError` for what is no whole number from 1."""
    found: int | None = coerced(_JOBS, given)
    return found


def numbers(given: ArrayLike, what: str, width: int | None = None) -> np.ndarray:
    """A copy of the numbers that were given, `width` of them in a row where that is said; `InputError` for what is none."""
    try:
        found = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.array(None)
    if found.dtype == object or (width is not None and found.shape[-1:] != (width,)):
        raise InputError(
            what,
            expected="numbers"
            if width is None
            else phrase("{width} numbers, or rows of as many", width=width),
            found=shown(given),
            remedy="correct the values",
            topic="scripting#what-a-lane-knows",
        )
    return found


def changed(preset: Preset, key: str, value: Any) -> Preset:
    """The preset with this value at a key such as `body.inertia` or `loads[0].weight`. `InputError`, with the key, for one that
    is not there and for what the value may not be."""
    path = [part or int(number) for part, number in re.findall(r"([A-Za-z_]\w*)|\[(\d+)\]", key)]
    try:
        made: Preset = _with(preset, path, value)
    except InputError as refusal:
        raise refusal.at(key, key) from None
    except (AttributeError, IndexError, TypeError):
        raise InputError(
            key, expected="a key of the preset, such as body.inertia or loads[0].weight",
            found=phrase("no such key"), remedy="correct the spelling", key=key,
        ) from None  # fmt: skip
    return made


def _with(thing: Any, path: list[str | int], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    if isinstance(first, int):
        items = list(thing)
        items[first] = _with(items[first], rest, value)
        return tuple(items)
    others = {name for group in _ONE_OF if first in group for name in group - {first}}
    known = {field.name for field in fields(thing)}
    if first not in known:
        raise AttributeError(first)
    cleared: dict[str, Any] = dict.fromkeys(others & known)
    return replace(thing, **cleared, **{first: _with(getattr(thing, first), rest, value)})
