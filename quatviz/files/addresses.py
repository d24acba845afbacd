"""Values of a preset by their addresses, such as `body.inertia[2]`, `loads[0].weight` or `lanes[1].dt`: what is there, and the
preset with another one. Presets are frozen: nothing here changes one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import in_words
from quatviz.base.parameters import all_numbers, declared, shown, suggestion
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import Body, is_diagonal

_ONE_OF = (
    {"euler_parameters", "angles", "rotation_vector"},
    {"angular_momentum", "angular_velocity"},
)
"""Ways to say the same of a start: one that is given takes the place of the others."""
_NAME, _PLACE = r"[A-Za-z_]\w*", r"\[(\d+)\]"
"""What an address is made of."""
_SYMBOLS = {"inertia": "J", "angular_velocity": "ω", "angular_momentum": "h", "euler_parameters": "e"}
_TOLD = 40
"""Addresses that a refusal lists."""


def with_value(preset: Preset, address: str, value: Any) -> Preset:
    """The preset with this value at an address, whatever kind it is of. `InputError`, with the address as its key, where the
    preset has none such, and for what the value may not be.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 2, 0.1])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start)
    >>> with_value(preset, "run", qv.RunSettings(4.0, 1e-3, 0.01)).run.duration
    4.0
    """
    return _with_values(preset, {address: value})


def with_number(preset: Preset, address: str, number: float) -> Preset:
    """The preset with this number at an address.

    `body.inertia[k]` is a principal moment of a body whose axes are principal, `body.inertia[i][j]` an element on both sides
    of the diagonal; `initial.angular_velocity[k]` may be said where the preset gives the angular momentum, and the other way
    round: the other components stay. `InputError` for an address that is none of `numbers_of`, and for a number that the
    value may not be.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start)
    >>> with_number(preset, "initial.angular_velocity[0]", 0.5).initial.angular_velocity.tolist()
    [0.5, 2.0, 1.0]
    >>> with_number(preset, "body.inertia[2]", 2.5).body.inertia.diagonal().tolist()
    [1.0, 2.0, 2.5]
    """
    return with_numbers(preset, {address: number})


def with_numbers(preset: Preset, numbers: Mapping[str, float]) -> Preset:
    """The preset with these numbers by their addresses, all at once, for one of them alone may be none that it can have;
    those of the start after all others, for it may be said by momenta. As `with_number` in all else.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start)
    >>> with_numbers(preset, {f"body.inertia[{k}]": 10.0 + k for k in range(3)}).body.inertia.diagonal().tolist()
    [10.0, 11.0, 12.0]
    """
    first = {address: number for address, number in numbers.items() if not address.startswith("initial.")}
    for some in (first, {address: number for address, number in numbers.items() if address not in first}):
        for address in some:
            said = _said(preset, address)
            try:
                find(said, address)
            except (LookupError, AttributeError):
                raise _no_number(preset, address) from None
            preset = said
        preset = _with_values(preset, some) if some else preset
    return preset


def number_at(preset: Preset, address: str) -> float | None:
    """The number at an address; None where a number may stand and none does, such as the `dt` of a lane that takes the run's.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start, lanes=["hamilton"])
    >>> number_at(preset, "initial.angular_velocity[1]"), number_at(preset, "lanes[0].dt")
    (2.0, None)
    """
    try:
        found = find(_said(preset, address), address)
    except (LookupError, AttributeError):
        raise _no_number(preset, address) from None
    return None if found is None or not all_numbers(found) else float(found)


def words_at(preset: Preset, address: str) -> str:
    """What people call the number at an address: "ω₂", "J₁₂", or "weight (gravity)".

    >>> import quatviz as qv
    >>> preset = qv.load_preset("heavy_top")
    >>> [words_at(preset, said) for said in ("body.inertia[0]", "initial.angular_velocity[1]", "loads[0].weight")]
    ['J₁', 'ω₂', 'weight (gravity)']
    """
    parts = _parts(address)
    name = next(part for part in reversed(parts) if isinstance(part, str))
    places = [part for part in parts[parts.index(name) :] if isinstance(part, int)]
    first = 0 if name == "euler_parameters" else 1
    numbers = "".join(chr(0x2080 + first + place) for place in places)
    said = _SYMBOLS[name] + numbers if name in _SYMBOLS and places else f"{in_words(name)} {numbers}".rstrip()
    owner: Any = getattr(preset, str(parts[0]))
    if isinstance(parts[1], int):
        owner = owner[parts[1]]
        whose = getattr(owner, "name", None) or getattr(owner, "formulation", None)
        return f"{said} ({whose if parts[0] == 'lanes' else in_words(type(owner).name)})"
    return said


def unit_at(preset: Preset, address: str) -> str:
    """The unit of the number at an address; empty for what has none."""
    *path, last = [part for part in _parts(address) if isinstance(part, str)]
    thing: Any = preset
    for part in _parts(address)[: _parts(address).index(last)] if path else ():
        thing = thing[part] if isinstance(part, int) else getattr(thing, part)
    return declared(type(thing))[last].unit


def numbers_of(preset: Preset) -> list[str]:
    """The addresses of all numbers that the preset has, and of those that its lanes may have.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> numbers_of(qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start))[:4]
    ['body.inertia[0]', 'body.inertia[1]', 'body.inertia[2]', 'initial.euler_parameters[0]']
    """
    found: list[str] = []
    for name in ("body", "initial", "loads", "run", "lanes", "events"):
        found += _numbers_in(getattr(preset, name), name)
    return found


def find(preset: Preset, address: str) -> Any:
    """What stands at an address that a number may have; `LookupError` where none may."""
    thing: Any = preset
    path = _parts(address)
    for place, part in enumerate(path):
        if isinstance(part, int):
            if isinstance(thing, np.ndarray) and place == len(path) - 1 and thing.ndim == 2:
                thing = np.diagonal(thing) if is_diagonal(thing) else thing
            thing = _item(thing, part)
        elif not is_dataclass(thing) or part not in {field.name for field in fields(thing)}:
            raise LookupError(part)
        else:
            known = declared(type(thing)).get(part)
            thing = getattr(thing, part)
            if thing is None and place == len(path) - 1 and known and known.kind is float and not known.shape:
                return None
    if np.ndim(thing) or (not all_numbers(thing) and not hasattr(thing, "is_constant")):
        raise LookupError(address)
    return thing


def _item(thing: Any, place: int) -> Any:
    if not isinstance(thing, Sequence | np.ndarray) or isinstance(thing, str) or place >= len(thing):
        raise LookupError(place)
    return thing[place]


def _numbers_in(thing: Any, address: str) -> Iterator[str]:
    if is_dataclass(thing):
        known = declared(type(thing))
        for field in fields(thing):
            value, own = getattr(thing, field.name), known.get(field.name)
            place = f"{address}.{field.name}"
            if (
                value is None
                and own is not None
                and own.kind is float
                and not own.shape
                and "lanes" in address
            ):
                yield place
            elif value is not None:
                yield from _numbers_in(value, place)
    elif isinstance(thing, np.ndarray) and thing.ndim == 2:
        count = len(thing)
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        yield from (
            [f"{address}[{i}]" for i in range(count)]
            if is_diagonal(thing)
            else [f"{address}[{i}][{j}]" for i, j in pairs]
        )
    elif isinstance(thing, Sequence | np.ndarray) and not isinstance(thing, str):
        for number, item in enumerate(thing):
            yield from _numbers_in(item, f"{address}[{number}]")
    elif all_numbers(thing) or hasattr(thing, "is_constant"):
        yield address


def _no_number(preset: Preset, address: str) -> InputError:
    there = numbers_of(preset)
    said = ", ".join(there[:_TOLD]) + (", ..." if len(there) > _TOLD else "")
    return InputError(
        address, expected=phrase("the address of a number of the preset: {names}", names=said),
        found=_instead(preset, address), key=address,
        remedy=suggestion(address, there, otherwise="choose one of these"), topic="sweeps#axes",
    )  # fmt: skip


def _instead(preset: Preset, address: str) -> str:
    """What stands there, if anything does."""
    thing: Any = preset
    try:
        for part in _parts(address):
            thing = thing[part] if isinstance(part, int) else getattr(thing, part)
    except (AttributeError, IndexError, TypeError, LookupError):
        return phrase("nothing of that name")
    return phrase(
        "{value}, which is no number",
        value=shown(thing) if np.ndim(thing) or isinstance(thing, str) else repr(address),
    )


def _parts(address: str) -> list[str | int]:
    """Names and places, in their order; AttributeError for what is no address."""
    if not re.fullmatch(rf"{_NAME}({_PLACE}|\.{_NAME})*", address):
        raise AttributeError(address)
    return [part or int(number) for part, number in re.findall(rf"({_NAME})|{_PLACE}", address)]


def _said(preset: Preset, address: str) -> Preset:
    """The preset with its rate said in the way that the address names it."""
    start = preset.initial
    if address.startswith("initial.angular_velocity[") and start.angular_velocity is None:
        omega = start.omega(preset.body)
        return replace(preset, initial=replace(start, angular_momentum=None, angular_velocity=omega))
    if address.startswith("initial.angular_momentum[") and start.angular_momentum is None:
        h = preset.body.inertia @ start.angular_velocity
        return replace(preset, initial=replace(start, angular_momentum=h, angular_velocity=None))
    return preset


def _with_values(preset: Preset, values: Mapping[str, Any]) -> Preset:
    addresses = list(values)
    try:
        made: Preset = _with(preset, [(_parts(address), value) for address, value in values.items()])
    except InputError as refusal:
        raise refusal.at(", ".join(addresses), addresses[0]) from None
    except (AttributeError, IndexError, TypeError):
        raise InputError(
            addresses[0], expected="a key of the preset, such as body.inertia or loads[0].weight",
            found=phrase("no such key"), remedy="correct the spelling", key=addresses[0],
        ) from None  # fmt: skip
    return made


Change = tuple[Sequence[str | int], Any]
"""A path, and what is to stand there."""


def _with(thing: Any, changes: Sequence[Change]) -> Any:
    """A thing with all these changes, made once."""
    if not changes[0][0]:
        return changes[0][1]
    if isinstance(thing, np.ndarray) and thing.ndim == 2:
        return _with_elements(thing, changes)
    parts: dict[str | int, list[Change]] = {}
    for (first, *rest), value in changes:
        parts.setdefault(first, []).append((rest, value))
    if all(isinstance(first, int) for first in parts):
        items: dict[Any, Any] = dict(enumerate(thing))
        for first, own in parts.items():
            items[first] = _with(_at(items, first), own)
        return tuple(items.values())
    known = {field.name for field in fields(thing)}
    if not known >= parts.keys():
        raise AttributeError(parts)
    others = {name for first in parts for group in _ONE_OF if first in group for name in group - {first}}
    cleared: dict[str, Any] = dict.fromkeys(others & known - parts.keys())
    made = replace(
        thing, **cleared, **{str(name): _with(getattr(thing, str(name)), own) for name, own in parts.items()}
    )
    return made.beside(thing.folder) if isinstance(thing, Body) else made


def _at(items: Mapping[Any, Any], place: Any) -> Any:
    if place not in items:
        raise IndexError(place)
    return items[place]


def _with_elements(matrix: np.ndarray, changes: Sequence[Change]) -> Any:
    """A symmetric matrix with other elements, or of principal moments with other moments."""
    made, diagonal = matrix.copy(), is_diagonal(matrix)
    for path, value in changes:
        if len(path) == 1 and (np.ndim(value) or not diagonal):
            rows: list[Any] = list(made)
            rows[int(path[0])] = value
            return rows
        i, j = (int(path[0]), int(path[-1]))
        made[i, j] = made[j, i] = value
    return made
