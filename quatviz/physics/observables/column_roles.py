"""Roles of the columns of a file.

The user assigns the roles one after another, so that some may still be missing. In the column fields of
`ReadOptions` an empty name stands for a column that is not assigned yet, and an empty tuple for a group without
columns. None has another meaning there: the columns are then determined from the file.
"""

from typing import Any, NamedTuple

from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.physics.observables.read_options import ATTITUDES, ReadOptions

_GROUP_FIELDS = {"attitude": "attitude_columns", "rate": "rate_columns", "gravity": "gravity_columns"}
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class ColumnRole(NamedTuple):
    """Role of a column: "time", or a component of an "attitude", a "rate" or an accelerometer's "gravity"."""

    group: str
    component: int = 0


def roles_by_column(options: ReadOptions) -> dict[str, ColumnRole]:
    """Return the roles of the columns by name. Columns without a role are omitted.

    >>> roles = roles_by_column(ReadOptions(file="a.csv", time="t", rate_columns=["x", "", "z"]))
    >>> roles["t"], roles["z"]
    (ColumnRole(group='time', component=0), ColumnRole(group='rate', component=2))
    >>> list(roles)
    ['t', 'x', 'z']
    """
    roles = {options.time: ColumnRole("time")} if options.time else {}
    for group, name in _GROUP_FIELDS.items():
        for component, column in enumerate(getattr(options, name) or ()):
            if column:
                roles.setdefault(column, ColumnRole(group, component))
    return roles


def all_roles(options: ReadOptions) -> list[ColumnRole]:
    """Return every role that can be assigned, for the attitude format of the options."""
    counts = {"attitude": ATTITUDES[options.attitude or "none"], "rate": 3, "gravity": 3}
    return [
        ColumnRole("time"),
        *(ColumnRole(group, component) for group, count in counts.items() for component in range(count)),
    ]


def with_role(options: ReadOptions, column: str, role: ColumnRole | None) -> ReadOptions:
    """Return the options with another role for `column`. If another column has this role, it receives the previous role
    of `column`.

    >>> options = with_role(ReadOptions(file="a.csv", rate_columns=["x", "y", "z"]), "x", ColumnRole("rate", 2))
    >>> options.rate_columns
    ('z', 'y', 'x')
    """
    roles = roles_by_column(options)
    previous = roles.pop(column, None)
    other = next((name for name, other_role in roles.items() if other_role == role), None)
    if other is not None:
        del roles[other]
        if previous is not None:
            roles[other] = previous
    if role is not None:
        roles[column] = role
    return _with_roles(options, roles)


def with_attitude(options: ReadOptions, attitude: str) -> ReadOptions:
    """Return the options with another attitude format. Columns keep their roles if the new format has the
    same components."""
    roles = {
        name: role
        for name, role in roles_by_column(options).items()
        if role.group != "attitude" or role.component < ATTITUDES[attitude]
    }
    return _with_roles(options.with_fields(attitude=attitude), roles)


def missing_role_error(options: ReadOptions) -> InputError | None:
    """Return an error that names the first role to which no column is assigned, or None if the roles are
    complete.
    """
    if not options.time:
        return _refusal("time", phrase("a column of times"), phrase("none"))
    counts = {"attitude": ATTITUDES[options.attitude or "none"], "rate": 3, "gravity": 3}
    named_columns = {
        group: [name for name in getattr(options, key) or () if name] for group, key in _GROUP_FIELDS.items()
    }
    for group, key in _GROUP_FIELDS.items():
        required = counts[group] if named_columns[group] or group == "attitude" else 0
        if len(named_columns[group]) != required:
            missing = [str(role_title(role, options)) for role in all_roles(options) if role.group == group]
            missing = [
                name
                for component, name in enumerate(missing)
                if component not in _filled_components(options, key)
            ]
            return _refusal(
                key,
                phrase("{width} columns", width=required),
                phrase("no column for {names}", names=", ".join(missing)),
            )
    if not named_columns["attitude"] and not named_columns["rate"]:
        return _refusal(
            "rate_columns", phrase("columns of an attitude or an angular velocity"), phrase("none")
        )
    return None


def role_title(role: ColumnRole, options: ReadOptions) -> Phrase:
    """Return the title of a column with this role: its symbol and unit."""
    number = role.component + 1
    if role.group == "time":
        return phrase("t [{unit}]", unit=options.time_unit or "s")
    if role.group == "rate":
        return phrase("ω{number} [{unit}]", number=_subscript(number), unit=options.rate_unit or "rad/s")
    if role.group == "gravity":
        return phrase("a{number} [m/s²]", number=_subscript(number))
    unit = options.angle_unit or "rad"
    match options.attitude:
        case "quaternion":
            index = (number % 4) if options.order == "scalar_last" else number - 1
            return (
                phrase("e{number}, scalar", number=_subscript(0))
                if index == 0
                else phrase("e{number}", number=_subscript(index))
            )
        case "matrix":
            return phrase(
                "A{number}", number=_subscript(10 * (role.component // 3 + 1) + role.component % 3 + 1)
            )
        case "angles":
            axis = (options.sequence or "321")[role.component]
            return phrase("angle {number}, axis {axis} [{unit}]", number=number, axis=axis, unit=unit)
        case _:
            return phrase("φ{number} [{unit}]", number=_subscript(number), unit=unit)


def unit_field(role: ColumnRole | None, options: ReadOptions) -> str:
    """Return the name of the option that holds the unit of a column with this role, or "".

    >>> unit_field(ColumnRole("rate", 1), ReadOptions(file="a.csv")), unit_field(None, ReadOptions(file="a.csv"))
    ('rate_unit', '')
    """
    if role is None:
        return ""
    if role.group == "attitude":
        return "angle_unit" if options.attitude in ("angles", "rotation_vector") else ""
    return {"time": "time_unit", "rate": "rate_unit"}.get(role.group, "")


def _filled_components(options: ReadOptions, key: str) -> set[int]:
    return {component for component, name in enumerate(getattr(options, key) or ()) if name}


def _with_roles(options: ReadOptions, roles: dict[str, ColumnRole]) -> ReadOptions:
    values: dict[str, Any] = {
        "time": next((name for name, role in roles.items() if role.group == "time"), "")
    }
    counts = {"attitude": ATTITUDES[options.attitude or "none"], "rate": 3, "gravity": 3}
    for group, key in _GROUP_FIELDS.items():
        names = [""] * counts[group]
        for name, role in roles.items():
            if role.group == group:
                names[role.component] = name
        values[key] = tuple(names) if any(names) else None if getattr(options, key) is None else ()
    return options.with_fields(**values)


def _subscript(number: int) -> str:
    return str(number).translate(_SUBSCRIPTS)


def _refusal(key: str, expected: str, found: str) -> InputError:
    return InputError(
        phrase("column roles"), expected=expected, found=found,
        remedy="give each column its role in the row above the numbers", key=key, topic="recordings#column-detection",
    )  # fmt: skip
