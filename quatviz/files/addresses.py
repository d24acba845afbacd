"""Access to single values of a preset by addresses such as `body.inertia[2]`, `loads[0].weight` or `lanes[1].dt`.

Presets are frozen: the functions return changed copies.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.base.formatting import humanize
from quatviz.base.parameters import is_numeric, parameters_of, quote_value
from quatviz.base.translation import tr
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import Body, is_diagonal

_ALTERNATIVE_KEYS = (
    {"euler_parameters", "angles", "rotation_vector"},
    {"angular_momentum", "angular_velocity"},
)
"""Groups of parameters that describe the same initial quantity in different ways. Setting a parameter clears the others
of its group."""
_NAME_PATTERN, _INDEX_PATTERN = r"[A-Za-z_]\w*", r"\[(\d+)\]"
"""Regular expressions for a name and for an index in an address."""
_SYMBOLS_OF_KEYS = {"inertia": "J", "angular_velocity": "ω", "angular_momentum": "h", "euler_parameters": "e"}
_MAX_LISTED_ADDRESSES = 40
"""Largest number of addresses that an error lists."""


def with_value(preset: Preset, address: str, value: Any) -> Preset:
    """Return a copy of the preset with a value of any type at an address.

    Raises
    ------
    InputError
        If the preset has no such address or rejects the value, with the address as key.

    Examples
    --------
    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 2, 0.1])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start)
    >>> with_value(preset, "run", qv.RunSettings(4.0, 1e-3, 0.01)).run.duration
    4.0
    """
    return _with_values(preset, {address: value})


def with_number(preset: Preset, address: str, number: float) -> Preset:
    """Return a copy of the preset with a number at an address.

    `body.inertia[k]` is a principal moment if the inertia matrix is diagonal; `body.inertia[i][j]` sets both
    symmetric elements. `initial.angular_velocity[k]` is accepted even if the preset gives the angular momentum, and
    vice versa; the other components of the vector in the address keep their values.

    Raises
    ------
    InputError
        If the address is not in `number_addresses`, or if the number is not accepted there.

    Examples
    --------
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
    """Return a copy of the preset with several numbers, given by address: see `with_number`.

    Numbers are set together because a single one may give an invalid preset. Numbers of the initial state are set
    last, since an angular momentum depends on the new inertia.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start)
    >>> with_numbers(preset, {f"body.inertia[{k}]": 10.0 + k for k in range(3)}).body.inertia.diagonal().tolist()
    [10.0, 11.0, 12.0]
    """
    other_numbers = {
        address: number for address, number in numbers.items() if not address.startswith("initial.")
    }
    for batch in (
        other_numbers,
        {address: number for address, number in numbers.items() if address not in other_numbers},
    ):
        for address in batch:
            candidate = _with_addressed_rate(preset, address)
            try:
                value_at(candidate, address)
            except (LookupError, AttributeError):
                raise _address_error(preset, address) from None
            preset = candidate
        preset = _with_values(preset, batch) if batch else preset
    return preset


def number_at(preset: Preset, address: str) -> float | None:
    """Return the number at an address, or None for an optional number that is not given, such as the `dt` of a lane
    with the default step.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> preset = qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start, lanes=["hamilton"])
    >>> number_at(preset, "initial.angular_velocity[1]"), number_at(preset, "lanes[0].dt")
    (2.0, None)
    """
    try:
        value = value_at(_with_addressed_rate(preset, address), address)
    except (LookupError, AttributeError):
        raise _address_error(preset, address) from None
    return None if value is None or not is_numeric(value) else float(value)


def label_at(preset: Preset, address: str) -> str:
    """Return the displayed name of the number at an address, such as "ω₂", "J₁₂", or "weight (gravity)".

    >>> import quatviz as qv
    >>> preset = qv.load_preset("heavy_top")
    >>> [label_at(preset, address) for address in ("body.inertia[0]", "initial.angular_velocity[1]", "loads[0].weight")]
    ['J₁', 'ω₂', 'weight (gravity)']
    """
    parts = _split_address(address)
    position = _last_name_position(parts)
    name = str(parts[position])
    indices = [part for part in parts[position:] if isinstance(part, int)]
    first = 0 if name == "euler_parameters" else 1
    subscripts = "".join(chr(0x2080 + first + index) for index in indices)
    label = (
        _SYMBOLS_OF_KEYS[name] + subscripts
        if name in _SYMBOLS_OF_KEYS and indices
        else f"{humanize(name)} {subscripts}".rstrip()
    )
    if parts[:2] == ["body", "rotors"]:
        return f"{label} ({tr('rotor')} {int(parts[2]) + 1})"
    owner: Any = getattr(preset, str(parts[0]))
    if isinstance(parts[1], int):
        owner = owner[parts[1]]
        owner_name = getattr(owner, "name", None) or getattr(owner, "formulation", None)
        return f"{label} ({owner_name if parts[0] == 'lanes' else humanize(type(owner).name)})"
    return label


def unit_at(preset: Preset, address: str) -> str:
    """Return the unit of the number at an address, or ""."""
    parts = _split_address(address)
    last_name = _last_name_position(parts)
    owner: Any = preset
    for part in parts[:last_name]:
        owner = owner[part] if isinstance(part, int) else getattr(owner, part)
    return "" if _is_named_numbers(owner) else parameters_of(type(owner))[str(parts[last_name])].unit


def _last_name_position(parts: Sequence[str | int]) -> int:
    """Return the index of the last name among the parts of an address. All later parts are indices."""
    return max(position for position, part in enumerate(parts) if isinstance(part, str))


def number_addresses(preset: Preset) -> list[str]:
    """Return the addresses of all numbers of a preset, including optional numbers of its lanes that are not given.

    >>> import quatviz as qv
    >>> start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[0, 4, 3])
    >>> number_addresses(qv.Preset(body=qv.Body(inertia=[1, 2, 3]), initial=start))[:4]
    ['body.inertia[0]', 'body.inertia[1]', 'body.inertia[2]', 'initial.euler_parameters[0]']
    """
    addresses: list[str] = []
    for name in ("body", "initial", "loads", "run", "lanes", "events"):
        addresses += _addresses_in(getattr(preset, name), name)
    return addresses


def full_address(preset: Preset, name: str) -> str:
    """Return the full address of the number whose address ends with `name`, such as `loads[0].weight` for `weight`.
    A full address, or a name with which no address ends, is returned unchanged.

    Raises
    ------
    InputError
        If several addresses end with `name`.

    Examples
    --------
    >>> import quatviz as qv
    >>> preset = qv.load_preset("heavy_top")
    >>> full_address(preset, "weight"), full_address(preset, "inertia[2]"), full_address(preset, "run.dt")
    ('loads[0].weight', 'body.inertia[2]', 'run.dt')
    """
    addresses = _addresses_with_alternatives(preset)
    if name in addresses:
        return name
    matches = [address for address in addresses if address.endswith(f".{name}")]
    if len(matches) > 1:
        raise InputError(
            name, expected="an ending that matches only one address", found=", ".join(matches), remedy="write one of these",
            key=name, topic="sweeps#axes",
        )  # fmt: skip
    return matches[0] if matches else name


def _addresses_with_alternatives(preset: Preset) -> list[str]:
    """Return the addresses of all numbers. The initial rotation has addresses both as angular velocity and as angular
    momentum."""
    addresses = number_addresses(preset)
    rates = [
        f"initial.{key}[{index}]" for key in ("angular_velocity", "angular_momentum") for index in range(3)
    ]
    return list(dict.fromkeys([*addresses, *rates]))


def value_at(preset: Preset, address: str) -> Any:
    """Return the value at the address of a number: a number, an expression of time, or None. Raise `LookupError` if
    the address is not that of a number."""
    value: Any = preset
    path = _split_address(address)
    for depth, part in enumerate(path):
        if isinstance(part, int):
            if isinstance(value, np.ndarray) and depth == len(path) - 1 and value.ndim == 2:
                value = np.diagonal(value) if is_diagonal(value) else value
            value = _item_at(value, part)
        elif _is_named_numbers(value):
            if part not in dict(value):
                raise LookupError(part)
            value = dict(value)[part]
        elif not is_dataclass(value) or part not in _given_fields(value):
            raise LookupError(part)
        else:
            known = parameters_of(type(value)).get(part)
            value = getattr(value, part)
            if (
                value is None
                and depth == len(path) - 1
                and known
                and known.value_type is float
                and not known.shape
            ):
                return None
    if np.ndim(value) or (not is_numeric(value) and not hasattr(value, "is_constant")):
        raise LookupError(address)
    return value


def _is_named_numbers(value: Any) -> bool:
    """Return True if a value is a tuple of (name, number) pairs, such as the gains of a load."""
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) for item in value)
    )


def _given_fields(owner: Any) -> list[str]:
    """Return the names of the fields that the constructor of a dataclass takes. Computed fields, such as the
    constants of a compiled torque law, have no address."""
    return [field.name for field in fields(owner) if field.init]


def _item_at(sequence: Any, index: int) -> Any:
    if not isinstance(sequence, Sequence | np.ndarray) or isinstance(sequence, str) or index >= len(sequence):
        raise LookupError(index)
    return sequence[index]


def _addresses_in(container: Any, address: str) -> Iterator[str]:
    if _is_named_numbers(container):
        yield from (f"{address}.{name}" for name, _ in container)
    elif hasattr(container, "is_constant"):  # an expression of time instead of a number
        yield address
    elif is_dataclass(container):
        parameters = parameters_of(type(container))
        for name in _given_fields(container):
            value, parameter = getattr(container, name), parameters.get(name)
            child_address = f"{address}.{name}"
            if (
                value is None
                and parameter is not None
                and parameter.value_type is float
                and not parameter.shape
                and "lanes" in address
            ):
                yield child_address
            elif value is not None:
                yield from _addresses_in(value, child_address)
    elif isinstance(container, np.ndarray) and container.ndim == 2:
        count = len(container)
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        yield from (
            [f"{address}[{i}]" for i in range(count)]
            if is_diagonal(container)
            else [f"{address}[{i}][{j}]" for i, j in pairs]
        )
    elif isinstance(container, Sequence | np.ndarray) and not isinstance(container, str):
        for number, item in enumerate(container):
            yield from _addresses_in(item, f"{address}[{number}]")
    elif is_numeric(container):
        yield address


def _address_error(preset: Preset, address: str) -> InputError:
    addresses = number_addresses(preset)
    listed_addresses = ", ".join(addresses[:_MAX_LISTED_ADDRESSES]) + (
        ", ..." if len(addresses) > _MAX_LISTED_ADDRESSES else ""
    )
    return InputError(
        address, expected=phrase("the address of a number in the preset: {names}", names=listed_addresses),
        found=_describe_value_at(preset, address), key=address,
        remedy=suggest_name(address, _addresses_with_alternatives(preset), otherwise="choose one of these"), topic="sweeps#axes",
    )  # fmt: skip


def _describe_value_at(preset: Preset, address: str) -> str:
    """Describe in words the value at an address whose value is not a number."""
    value: Any = preset
    try:
        for part in _split_address(address):
            value = value[part] if isinstance(part, int) else getattr(value, part)
    except (AttributeError, IndexError, TypeError, LookupError):
        return phrase("no such address")
    return phrase(
        "the address of {value}, which is not a number",
        value=quote_value(value) if np.ndim(value) or isinstance(value, str) else repr(address),
    )


def _split_address(address: str) -> list[str | int]:
    """Return the names and indices of an address in their order. Raise `AttributeError` if the text is not an address."""
    if not re.fullmatch(rf"{_NAME_PATTERN}({_INDEX_PATTERN}|\.{_NAME_PATTERN})*", address):
        raise AttributeError(address)
    return [
        part or int(number) for part, number in re.findall(rf"({_NAME_PATTERN})|{_INDEX_PATTERN}", address)
    ]


def _with_addressed_rate(preset: Preset, address: str) -> Preset:
    """Return the preset with its initial angular velocity converted to the angular momentum, or vice versa, if the
    address is a component of the vector that the preset does not contain."""
    start = preset.initial
    if address.startswith("initial.angular_velocity[") and start.angular_velocity is None:
        omega = start.omega(preset.body)
        return replace(preset, initial=replace(start, angular_momentum=None, angular_velocity=omega))
    if address.startswith("initial.angular_momentum[") and start.angular_momentum is None:
        h = preset.body.initial_momentum(start.angular_velocity)
        return replace(preset, initial=replace(start, angular_momentum=h, angular_velocity=None))
    return preset


def _with_values(preset: Preset, values: Mapping[str, Any]) -> Preset:
    addresses = list(values)
    try:
        changed: Preset = _with_changes(
            preset, [(_split_address(address), value) for address, value in values.items()]
        )
    except InputError as refusal:
        raise refusal.with_place(", ".join(addresses), addresses[0]) from None
    except (AttributeError, IndexError, TypeError):
        raise InputError(
            addresses[0], expected="a key of the preset, such as body.inertia or loads[0].weight",
            found=phrase("no such key"), remedy="correct the spelling", key=addresses[0],
        ) from None  # fmt: skip
    return changed


ValueChange = tuple[Sequence[str | int], Any]
"""A change: the path to a value, as names and indices, and the new value."""


def _with_changes(target: Any, changes: Sequence[ValueChange]) -> Any:
    """Return a copy of an object with all changes applied at once."""
    if not changes[0][0]:
        return changes[0][1]
    if isinstance(target, np.ndarray) and target.ndim == 2:
        return _with_elements(target, changes)
    if _is_named_numbers(target):
        if unknown := {path[0] for path, _ in changes} - dict(target).keys():
            raise AttributeError(unknown)
        return tuple({**dict(target), **{str(path[0]): value for path, value in changes}}.items())
    changes_by_key: dict[str | int, list[ValueChange]] = {}
    for (key, *remaining_path), value in changes:
        changes_by_key.setdefault(key, []).append((remaining_path, value))
    if all(isinstance(key, int) for key in changes_by_key):
        items: dict[Any, Any] = dict(enumerate(target))
        for key, own_changes in changes_by_key.items():
            items[key] = _with_changes(_existing_item(items, key), own_changes)
        return tuple(items.values())
    field_names = set(_given_fields(target))
    if not field_names >= changes_by_key.keys():
        raise AttributeError(changes_by_key)
    alternatives = {
        name
        for key in changes_by_key
        for group in _ALTERNATIVE_KEYS
        if key in group
        for name in group - {key}
    }
    cleared: dict[str, Any] = dict.fromkeys(alternatives & field_names - changes_by_key.keys())
    changed = replace(
        target,
        **cleared,
        **{
            str(name): _with_changes(getattr(target, str(name)), own_changes)
            for name, own_changes in changes_by_key.items()
        },
    )
    return changed.with_folder(target.folder) if isinstance(target, Body) else changed


def _existing_item(items: Mapping[Any, Any], key: Any) -> Any:
    if key not in items:
        raise IndexError(key)
    return items[key]


def _with_elements(matrix: np.ndarray, changes: Sequence[ValueChange]) -> Any:
    """Return a copy of a symmetric matrix with changed elements. If the matrix is diagonal, the changes apply
    to its principal moments."""
    changed, was_diagonal = matrix.copy(), is_diagonal(matrix)
    for path, value in changes:
        if len(path) == 1 and (np.ndim(value) or not was_diagonal):
            rows: list[Any] = list(changed)
            rows[int(path[0])] = value
            return rows
        i, j = (int(path[0]), int(path[-1]))
        changed[i, j] = changed[j, i] = value
    return changed
