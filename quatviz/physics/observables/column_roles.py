"""What each column of a file is, for a person who gives roles to columns one after another: a reading that may still lack some.

A place of a reading's columns that nobody has filled is an empty name, and no columns of a kind are an empty tuple: None would
leave them to the file.
"""

from typing import Any, NamedTuple

from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.physics.observables.read_options import ATTITUDES, Reading

_FIELDS = {"attitude": "attitude_columns", "rate": "rate_columns", "gravity": "gravity_columns"}
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Role(NamedTuple):
    """What a column is: "time", or one of the numbers of an "attitude", a "rate" or what an accelerometer feels, "gravity"."""

    group: str
    place: int = 0


def roles_of(reading: Reading) -> dict[str, Role]:
    """What the columns are, by name; others are nothing.

    >>> roles_of(Reading(file="a.csv", time="t", rate_columns=["x", "", "z"]))
    {'t': Role(group='time', place=0), 'x': Role(group='rate', place=0), 'z': Role(group='rate', place=2)}
    """
    found = {reading.time: Role("time")} if reading.time else {}
    for group, name in _FIELDS.items():
        for place, column in enumerate(getattr(reading, name) or ()):
            if column:
                found.setdefault(column, Role(group, place))
    return found


def all_roles(reading: Reading) -> list[Role]:
    """Every role that there is to give, as the reading has its attitude."""
    counts = {"attitude": ATTITUDES[reading.attitude or "none"], "rate": 3, "gravity": 3}
    return [Role("time"), *(Role(group, place) for group, count in counts.items() for place in range(count))]


def with_role(reading: Reading, column: str, role: Role | None) -> Reading:
    """The same with another role for a column; the column that had it gets what this one had.

    >>> reading = with_role(Reading(file="a.csv", rate_columns=["x", "y", "z"]), "x", Role("rate", 2))
    >>> reading.rate_columns
    ('z', 'y', 'x')
    """
    held = roles_of(reading)
    before = held.pop(column, None)
    other = next((name for name, each in held.items() if each == role), None)
    if other is not None:
        del held[other]
        if before is not None:
            held[other] = before
    if role is not None:
        held[column] = role
    return _with(reading, held)


def with_attitude(reading: Reading, attitude: str) -> Reading:
    """The same with an attitude of another kind, of the same columns as far as they go."""
    held = {
        name: role
        for name, role in roles_of(reading).items()
        if role.group != "attitude" or role.place < ATTITUDES[attitude]
    }
    return _with(reading.with_fields(attitude=attitude), held)


def lacking(reading: Reading) -> InputError | None:
    """What is still to be said of which column is what; None where nothing is."""
    if not reading.time:
        return _refusal("time", phrase("a column of times"), phrase("none"))
    counts = {"attitude": ATTITUDES[reading.attitude or "none"], "rate": 3, "gravity": 3}
    given = {group: [name for name in getattr(reading, key) or () if name] for group, key in _FIELDS.items()}
    for group, key in _FIELDS.items():
        wanted = counts[group] if given[group] or group == "attitude" else 0
        if len(given[group]) != wanted:
            missing = [str(title_of(role, reading)) for role in all_roles(reading) if role.group == group]
            missing = [name for place, name in enumerate(missing) if place not in _places(reading, key)]
            return _refusal(
                key,
                phrase("{width} columns", width=wanted),
                phrase("none for {names}", names=", ".join(missing)),
            )
    if not given["attitude"] and not given["rate"]:
        return _refusal(
            "rate_columns", phrase("columns of an attitude or an angular velocity"), phrase("none")
        )
    return None


def title_of(role: Role, reading: Reading) -> Phrase:
    """The symbol of a number, with its unit."""
    number = role.place + 1
    if role.group == "time":
        return phrase("t [{unit}]", unit=reading.time_unit or "s")
    if role.group == "rate":
        return phrase("ω{number} [{unit}]", number=_low(number), unit=reading.rate_unit or "rad/s")
    if role.group == "gravity":
        return phrase("a{number} [m/s²]", number=_low(number))
    unit = reading.angle_unit or "rad"
    match reading.attitude:
        case "quaternion":
            which = (number % 4) if reading.order == "scalar_last" else number - 1
            return (
                phrase("e{number}, scalar", number=_low(0))
                if which == 0
                else phrase("e{number}", number=_low(which))
            )
        case "matrix":
            return phrase("A{number}", number=_low(10 * (role.place // 3 + 1) + role.place % 3 + 1))
        case "angles":
            axis = (reading.sequence or "321")[role.place]
            return phrase("angle {number}, axis {axis} [{unit}]", number=number, axis=axis, unit=unit)
        case _:
            return phrase("φ{number} [{unit}]", number=_low(number), unit=unit)


def _places(reading: Reading, key: str) -> set[int]:
    return {place for place, name in enumerate(getattr(reading, key) or ()) if name}


def _with(reading: Reading, held: dict[str, Role]) -> Reading:
    says: dict[str, Any] = {"time": next((name for name, role in held.items() if role.group == "time"), "")}
    counts = {"attitude": ATTITUDES[reading.attitude or "none"], "rate": 3, "gravity": 3}
    for group, key in _FIELDS.items():
        names = [""] * counts[group]
        for name, role in held.items():
            if role.group == group:
                names[role.place] = name
        says[key] = tuple(names) if any(names) else None if getattr(reading, key) is None else ()
    return reading.with_fields(**says)


def _low(number: int) -> str:
    return str(number).translate(_SUBSCRIPTS)


def _refusal(key: str, expected: str, found: str) -> InputError:
    return InputError(
        phrase("which column is what"), expected=expected, found=found,
        remedy="give each column its role in the row above the numbers", key=key, topic="recordings#which-column-is-what",
    )  # fmt: skip
