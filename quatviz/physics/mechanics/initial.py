"""The initial state of a run: an orientation and a rate of rotation."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.parameters import (
    Numbers,
    Parameterized,
    from_table,
    is_zero_vector,
    parameter,
    to_table,
    validate,
)
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import (
    ANGLE_SYMBOLS,
    SEQUENCES,
    angles_from_p,
    canonical_sequence,
    p_from_angles,
)
from quatviz.physics.mechanics.rotations import from_rotation_vector, normalize, to_rotation_vector

_UNIT_TOLERANCE = 1e-6
"""Largest accepted deviation of |p| from 1. Rounded numbers cause a small deviation; a larger one indicates a typing
error."""


@dataclass(frozen=True, eq=False)
class Angles(ArrayEquality):
    """Three Euler angles (3,) [deg] in the order of the rotations of `sequence`, body to space."""

    sequence: str = parameter(choices=SEQUENCES, explanation="axes in the order of the rotations")
    degrees: Numbers = parameter(
        unit="deg",
        title="angles",
        shape=(3,),
        symbols=" ".join(ANGLE_SYMBOLS),
        span=(-180.0, 180.0),
        explanation="angles in the order of the rotations",
    )

    def __post_init__(self) -> None:
        if isinstance(self.sequence, str):
            object.__setattr__(self, "sequence", canonical_sequence(self.sequence))
        validate(self)


@dataclass(frozen=True, eq=False)
class AxisAngle(ArrayEquality):
    """A rotation by an angle [deg] about an axis (3,) of any length, which has the same components in body and space.

    It is an alternative notation for a rotation vector.

    >>> AxisAngle([0.0, 0.0, 2.0], 90.0).rotation_vector.round(6).tolist()
    [0.0, 0.0, 1.570796]
    """

    axis: Numbers = parameter(shape=(3,), explanation="axis of rotation, of any length")
    degrees: float = parameter(
        unit="deg", span=(-180.0, 180.0), title="angle", explanation="rotation angle about the axis"
    )

    def __post_init__(self) -> None:
        validate(self)
        if is_zero_vector(self.axis):
            raise InputError(
                "AxisAngle.axis",
                expected="an axis",
                found="three zeros, which have no direction",
                remedy="write [0, 0, 1] for the third axis",
                key="axis",
                topic="errors#initial-state",
            )

    @property
    def rotation_vector(self) -> np.ndarray:
        """Rotation vector (3,) [rad]: the unit axis times the angle."""
        size = float(np.abs(self.axis).max())
        unit: np.ndarray = self.axis / size / np.linalg.norm(self.axis / size)
        return math.radians(self.degrees) * unit

    @classmethod
    def from_rotation_vector(cls, rotation_vector: np.ndarray, axis: np.ndarray) -> "AxisAngle":
        """Return axis and angle of a rotation vector (3,) [rad].

        The axis is `axis` (3,) if the rotation vector is parallel to it; the angle is then negative if they have opposite
        directions. Otherwise the axis is the direction of the rotation vector.
        """
        size, unit_axis = float(np.linalg.norm(rotation_vector)), axis / np.linalg.norm(axis)
        if np.linalg.norm(np.cross(rotation_vector, unit_axis)) <= 1e-9 * size:
            return cls(axis, math.degrees(float(rotation_vector @ unit_axis)))
        return cls(rotation_vector / size, math.degrees(size))


@dataclass(frozen=True, eq=False)
class Initial(Parameterized, ArrayEquality):
    """Attitude and angular velocity at t = 0. Every array is read-only float64.

    Exactly one attitude is given: `euler_parameters` (4,), scalar first; `angles`, an `Angles` or a table {sequence,
    degrees}; or `rotation_vector` (3,) [rad]. Exactly one rate is given, in body components: `angular_momentum`
    (3,) [kg m^2/s] or `angular_velocity` (3,) [rad/s].

    Euler parameters keep the digits given; `p()` normalizes them. If |p| differs from 1 by more than 1e-6 they are
    refused, and the message proposes the normalized values: a typing error in one component gives another rotation,
    which silent normalization would hide.

    >>> start = Initial(rotation_vector=[0.0, 0.0, np.pi], angular_momentum=[0.0, 2.0, 0.0])
    >>> start.p().round(12).tolist(), start.omega(Body(inertia=[1.0, 2.0, 3.0])).tolist()
    ([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    """

    euler_parameters: Numbers = parameter(
        shape=(4,),
        default=None,
        symbols="e₀ e₁ e₂ e₃",
        span=(-1.0, 1.0),
        explanation="unit quaternion, scalar first, body to space",
    )
    angles: Any = None
    rotation_vector: Numbers = parameter(
        unit="rad", shape=(3,), default=None, explanation="axis times angle, body to space"
    )
    angular_momentum: Numbers = parameter(
        unit="kg m^2/s",
        shape=(3,),
        default=None,
        symbols="h₁ h₂ h₃",
        explanation="angular momentum, body components",
    )
    angular_velocity: Numbers = parameter(
        unit="rad/s",
        shape=(3,),
        default=None,
        symbols="ω₁ ω₂ ω₃",
        explanation="angular velocity, body components",
    )
    position: Numbers = parameter(
        unit="m",
        shape=(3,),
        default=None,
        symbols="x y z",
        explanation="center of mass of a free body, in space; else the origin",
    )
    velocity: Numbers = parameter(
        unit="m/s",
        shape=(3,),
        default=None,
        explanation="velocity of the center of mass of a free body, in space",
    )

    def __post_init__(self) -> None:
        validate(self)
        self._require_exactly_one("euler_parameters", "angles", "rotation_vector")
        self._require_exactly_one("angular_momentum", "angular_velocity")
        if self.angles is not None and not isinstance(self.angles, Angles):
            object.__setattr__(self, "angles", from_table(Angles, self.angles, "angles"))
        if self.euler_parameters is not None:
            refuse_not_unit(self.euler_parameters)

    def p(self) -> np.ndarray:
        """Return unit Euler parameters (4,), scalar first, body to space."""
        if self.euler_parameters is not None:
            return normalize(self.euler_parameters)
        if self.angles is not None:
            return p_from_angles(np.radians(self.angles.degrees), self.angles.sequence)
        return from_rotation_vector(self.rotation_vector)

    def omega(self, body: Body) -> np.ndarray:
        """Return the angular velocity (3,) [rad/s, body] of `body`."""
        if self.angular_velocity is not None:
            return self.angular_velocity.copy()
        return body.initial_omega(self.angular_momentum)

    def _require_exactly_one(self, *names: str) -> None:
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            raise InputError(
                "Initial",
                expected=phrase("exactly one of {names}", names=", ".join(names)),
                found=join_phrases(given, "and") or "none of them",
                remedy="remove all but one" if given else phrase("add one, such as {name}", name=names[0]),
                key=given[1] if given else "",
            )


def refuse_not_unit(p: np.ndarray) -> None:
    """Raise `InputError` if the length of Euler parameters (4,) differs from 1 by more than `_UNIT_TOLERANCE`."""
    if not p.any():
        raise InputError(
            "Initial.euler_parameters",
            expected="a unit quaternion, scalar first",
            found="the zero quaternion, which is no orientation",
            remedy="write [1, 0, 0, 0] for a body aligned with space",
            key="euler_parameters",
        )
    length = math.hypot(*p)  # does not overflow
    if abs(length - 1.0) > _UNIT_TOLERANCE:
        raise InputError(
            "Initial.euler_parameters",
            expected=phrase("a unit quaternion, |p| within {tolerance:g} of 1", tolerance=_UNIT_TOLERANCE),
            found=f"|p| = {length:.9g}",
            remedy=phrase(
                "normalize the quaternion, if only the length is wrong: {unit}",
                unit=", ".join(f"{x:.9g}" for x in normalize(p / np.abs(p).max())),
            ),
            key="euler_parameters",
        )


def convert_initial(initial: Initial, body: Body, key: str, axis: np.ndarray | None = None) -> dict[str, Any]:
    """Return one field of an initial state in another notation, as a table with this single field.

    Parameters
    ----------
    initial
        Initial state to convert.
    body
        Body whose inertia relates angular momentum and angular velocity.
    key
        Notation to convert to: "euler_parameters", "angles", "rotation_vector", "axis_angle", "angular_velocity" or
        "angular_momentum".
    axis
        Preferred axis (3,) of "axis_angle", by default the third one.

    Returns
    -------
    dict
        The given value unchanged if it is in this notation already, otherwise the rounded converted value.
    """
    given = initial_table(initial)
    if key in given:
        return {key: given[key]}
    if key == "axis_angle":
        vector = (
            to_rotation_vector(initial.p()) if initial.rotation_vector is None else initial.rotation_vector
        )
        return {
            key: axis_angle_table(
                AxisAngle.from_rotation_vector(vector, np.eye(3)[2] if axis is None else axis)
            )
        }
    if key == "euler_parameters":
        return {key: round_values(initial.p())}
    if key == "rotation_vector":
        return {key: round_values(to_rotation_vector(initial.p()))}
    if key == "angles":
        return angles_table(initial.p(), "321")
    omega = initial.omega(body)
    return {key: round_values(omega if key == "angular_velocity" else body.initial_momentum(omega))}


def angles_table(p: np.ndarray, sequence: str) -> dict[str, Any]:
    """Return the attitude of unit Euler parameters (4,) as a table of the angles [deg] of a sequence."""
    degrees = round_values(np.degrees(angles_from_p(p, sequence)))
    return {"angles": {"sequence": sequence, "degrees": degrees}}


_SIGNIFICANT_DIGITS = 12
"""Significant digits of a converted value. The remaining digits are rounding errors, which would clutter a field."""


def round_values(values: np.ndarray) -> list[float]:
    """Return numbers (n,) rounded to `_SIGNIFICANT_DIGITS`."""
    return [float(f"{value:.{_SIGNIFICANT_DIGITS}g}") + 0.0 for value in values]


def axis_angle_table(axis_angle: AxisAngle) -> dict[str, Any]:
    """Return the table of an axis and an angle, rounded to `_SIGNIFICANT_DIGITS`."""
    return {"axis": round_values(axis_angle.axis), "degrees": round_values(np.array([axis_angle.degrees]))[0]}


def initial_table(initial: Initial) -> dict[str, Any]:
    """Return the fields that are set in an initial state, with angles as a nested table."""
    table = to_table(initial)
    if initial.angles is not None:
        table["angles"] = to_table(initial.angles)
    return table
