"""Options for reading a motion from a file: the roles of its columns and its conventions."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import humanize_title
from quatviz.base.parameters import (
    Numbers,
    Parameterized,
    from_table,
    parameter,
    quote_value,
    to_table,
    validate,
)
from quatviz.base.spelled_units import unit_factor
from quatviz.base.translation import tr
from quatviz.physics.geometry.preset_relative_paths import is_outside_folder
from quatviz.physics.mechanics.euler_sequences import SEQUENCES

ATTITUDES = {
    "quaternion": 4,
    "matrix": 9,
    "angles": 3,
    "rotation_vector": 3,
    "quaternion_vector": 3,
    "none": 0,
}
"""Number of columns by attitude format. "quaternion_vector" is the vector part of a unit quaternion whose
scalar part is not negative, as in Android's rotation vector.
"""
UNITS = {
    "time_unit": ("s", "ms", "us", "ns", "min", "h", "d"),
    "angle_unit": ("rad", "deg", "mrad", "arcmin", "arcsec", "rev"),
    "rate_unit": ("rad/s", "deg/s", "mdeg/s", "mrad/s", "deg/h", "rpm", "rev/s"),
}
"""Common units by field of `ReadOptions`.

Any other unit that `base.spelled_units` understands is accepted too, also with a number before it.
"""


def usual_unit(text: str, field: str) -> str:
    """Return the common spelling of a unit of a field, or the text itself if there is none.

    >>> usual_unit("°/s", "rate_unit"), usual_unit("minutes", "time_unit"), usual_unit("krpm", "rate_unit")
    ('deg/s', 'min', 'krpm')
    """
    factor = unit_factor(text, UNIT_DIMENSIONS[field])
    return next((unit for unit in UNITS[field] if unit_factor(unit, UNIT_DIMENSIONS[field]) == factor), text)


UNIT_DIMENSIONS = {"time_unit": "time", "angle_unit": "angle", "rate_unit": "rate"}


@dataclass(frozen=True, kw_only=True)
class ReadOptions(Parameterized):
    """Options for reading the recording in the file `file`.

    Options that are None are determined from the file, by its format or by the names and values of its columns;
    `recordings.loading.complete_options` fills them in. Columns are named as in the file. The columns of a quaternion
    are in the file's `order`, those of a matrix row by row, and those of angles in the order of the rotations of
    `sequence`.

    >>> import quatviz as qv
    >>> options = qv.ReadOptions(file="throw.csv", order="scalar_last", rate_unit="deg/s")
    >>> qv.Lane("recording", recording=options).recording.table()
    {'file': 'throw.csv', 'order': 'scalar_last', 'rate_unit': 'deg/s'}
    """

    file: str = parameter(explanation="file of the recording, beside the preset")
    part: str | None = parameter(
        default=None, explanation="lane of a table, segment of an attitude file, or topic of a bag"
    )
    time: str | None = parameter(default=None, explanation="column of the times")
    time_unit: str | None = parameter(default=None, explanation="unit of the times, such as ms or 0.01 s")
    attitude: str | None = parameter(
        default=None, choices=tuple(ATTITUDES), explanation="format of the attitude"
    )
    attitude_columns: Any = None
    order: str | None = parameter(
        default=None,
        choices=("scalar_first", "scalar_last"),
        explanation="position of the scalar part of a quaternion",
    )
    direction: str | None = parameter(
        default=None,
        choices=("body_to_space", "space_to_body"),
        explanation="frames between which the attitude maps components",
    )
    product: str | None = parameter(
        default=None, choices=("hamilton", "jpl"), explanation="product of quaternions, ij = k or ij = -k"
    )
    sequence: str | None = parameter(
        default=None, choices=SEQUENCES, explanation="axes of the angles, in the order of the columns"
    )
    axes: str | None = parameter(
        default=None,
        choices=("intrinsic", "extrinsic"),
        explanation="axes of the rotations: those of the rotated body (intrinsic) or fixed ones (extrinsic)",
    )
    signs: str | None = parameter(
        default=None,
        choices=("+++", "-++", "+-+", "++-", "--+", "-+-", "+--", "---"),
        explanation="signs of the angles, in the order of the columns; - is clockwise",
    )
    angle_unit: str | None = parameter(
        default=None, explanation="unit of angles and rotation vectors, such as deg or mrad"
    )
    rate_columns: Any = None
    rate_axes: str | None = parameter(
        default=None,
        choices=("body", "space", "angles"),
        explanation="components of the angular velocity: body axes, space axes, or rates of the angles",
    )
    rate_unit: str | None = parameter(
        default=None, explanation="unit of the angular velocity, such as deg/s or rpm"
    )
    gravity_columns: Any = None
    start: float | None = parameter(
        unit="s",
        default=None,
        explanation="first time in the file that is read, t = 0 of the run; the first sample if left out",
    )
    stop: float | None = parameter(unit="s", default=None, explanation="last time in the file that is read")
    offset: float | None = parameter(
        unit="s", default=None, explanation="time of the run that corresponds to `start`; 0 if left out"
    )
    gap: float | None = parameter(
        unit="s", default=None, above=0, explanation="longest time between samples that is not a gap"
    )
    start_attitude: Numbers = parameter(
        shape=(4,), default=None, explanation="Euler parameters at the start, if the file has only rates"
    )
    turn_space: Numbers = parameter(
        shape=(4,),
        default=None,
        explanation="Euler parameters of the rotation from the file's space to the run's",
    )
    turn_body: Numbers = parameter(
        shape=(4,),
        default=None,
        explanation="Euler parameters of the rotation from the run's body to the file's",
    )
    folder: Path | None = field(default_factory=Path.cwd, init=False, compare=False, repr=False)
    """Folder in which the file is searched: that of the preset that names it, or the working directory for a script."""

    def __post_init__(self) -> None:
        validate(self)
        for name in _COLUMNS:
            object.__setattr__(self, name, _column_names(getattr(self, name), name))
        for name, dimension in UNIT_DIMENSIONS.items():
            unit = getattr(self, name)
            if unit is not None and unit_factor(unit, dimension) is None:
                raise InputError(
                    f"Reading.{name}", expected=phrase("a unit such as {names}", names=", ".join(UNITS[name])),
                    found=quote_value(unit), remedy="write one of these, or a number before it, such as 0.01 s", key=name,
                    topic="recordings#in-a-preset",
                )  # fmt: skip
        if not self.file.strip() or "\0" in self.file:
            raise InputError(
                "Reading.file", expected="the name of a file", found=quote_value(self.file),
                remedy='write for example recording = "throw.csv"', key="file", topic="recordings#in-a-preset",
            )  # fmt: skip
        for name in ("start_attitude", "turn_space", "turn_body"):
            value = getattr(self, name)
            # Tuples can be compared. A zero quaternion is no attitude.
            object.__setattr__(self, name, None if value is None else tuple(value.tolist()))
            if value is not None and not value.any():
                raise InputError(
                    f"Reading.{name}", expected="Euler parameters that are not all zero", found=quote_value(value),
                    remedy="write [1, 0, 0, 0] for no rotation", key=name, topic="recordings#in-a-preset",
                )  # fmt: skip

    @property
    def path(self) -> Path:
        """Path of the file in its folder."""
        return Path(self.file) if self.folder is None else self.folder / self.file

    def in_folder(self, folder: Path | None) -> "ReadOptions":
        """Return a copy of the options whose file is searched in `folder`."""
        other = copy(self)
        object.__setattr__(other, "folder", folder)
        return other

    def with_fields(self, **values: Any) -> "ReadOptions":
        """Return a copy of the options for the same file, with the given values in place of the present ones."""
        return replace(self, **values).in_folder(self.folder)

    @property
    def full_range(self) -> "ReadOptions":
        """Copy of the options that selects the whole file and keeps the times of the file."""
        return self.with_fields(start=None, stop=None, offset=None)

    def with_defaults(self, defaults: Mapping[str, Any]) -> "ReadOptions":
        """Return a copy of the options in which values that are None are taken from `defaults`."""
        missing = {
            name: value
            for name, value in defaults.items()
            if value is not None and getattr(self, name) is None
        }
        return self.with_fields(**missing)

    def table(self) -> dict[str, Any]:
        """Return the given options as plain values: `ReadOptions(**table)` is equal to the original."""
        declared = to_table(self)
        columns = {name: list(getattr(self, name)) for name in _COLUMNS if getattr(self, name) is not None}
        return {
            option.name: {**declared, **columns}[option.name]
            for option in fields(self)
            if option.name in declared or option.name in columns
        }


_COLUMNS = ("attitude_columns", "rate_columns", "gravity_columns")


def _column_names(value: Any, key: str) -> tuple[str, ...] | None:
    """Return names of columns as a tuple. A text is split at its commas."""
    if value is None:
        return None
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"Reading.{key}",
            expected="names of columns",
            found=quote_value(value),
            remedy='write for example ["qw", "qx", "qy", "qz"]',
            key=key,
            topic="recordings#in-a-preset",
        )
    return tuple(names)


def to_read_options(value: Any) -> ReadOptions:
    """Return read options for a value from a preset or a script: a file name, a table, or a `ReadOptions`."""
    if isinstance(value, ReadOptions):
        return value
    if isinstance(value, str | Path):
        return ReadOptions(file=str(value))
    return from_table(ReadOptions, value, "recording")


def require_beside_preset(options: ReadOptions, key: str) -> None:
    """Refuse a file that is not beside the preset which names it, since a preset may not read other files."""
    if is_outside_folder(options.file):
        raise InputError(
            expected="a recording beside the preset, or in a folder below it", found=repr(options.file),
            remedy="copy the file into the preset's folder and write only its name", key=f"{key}.file",
            topic="recordings#in-a-preset",
        )  # fmt: skip


_CHOICE_TITLES = {
    "none": "None, rates only", "quaternion_vector": "Vector part of a quaternion",
    "hamilton": "Hamilton, ij = k", "jpl": "JPL, ij = −k", "intrinsic": "Rotated axes (intrinsic)",
    "extrinsic": "Fixed axes (extrinsic)", "body": "Body axes", "space": "Space axes", "angles": "Rates of the angles",
}  # fmt: skip
"""Titles of choices whose names would not be clear as titles.

`choice_title` adds "Euler angles" for the attitude format "angles".
"""


def choice_title(field: str, value: str) -> str:
    """Return the title of a choice of a field. Units stay as they are; names are humanized.

    >>> choice_title("attitude", "angles"), choice_title("rate_axes", "angles"), choice_title("rate_unit", "deg/s")
    ('Euler angles', 'Rates of the angles', 'deg/s')
    """
    if (field, value) == ("attitude", "angles"):
        return tr("Euler angles")
    if value in _CHOICE_TITLES:
        return tr(_CHOICE_TITLES[value])
    if field in UNIT_DIMENSIONS or field == "signs":
        return value.replace("-", "−") if field == "signs" else value
    return value if (len(value) <= 3 and not value.isdigit()) or "/" in value else humanize_title(value)
