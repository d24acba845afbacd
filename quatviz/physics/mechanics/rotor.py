"""Rotors: wheels that turn about axes fixed in the body."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import (
    Numbers,
    Parameterized,
    Timed,
    has_expression,
    is_zero_vector,
    parameter,
    parameters_of,
    quote_value,
    validate,
)

LAWS = ("free", "constant_speed", "constant_momentum", "motor", "attitude_control")
"""Laws of rotors, which determine how a rotor turns.

- `free`: only bearing friction acts.
- `constant_speed`: constant speed relative to the body.
- `constant_momentum`: constant axial momentum.
- `motor`: a motor torque, given as a number or an expression of time.
- `attitude_control`: a motor that turns the body to a target attitude.
"""
LAW_TITLES = {
    "free": "Free, bearing friction",
    "constant_speed": "Constant speed",
    "constant_momentum": "Constant momentum",
    "motor": "Motor torque",
    "attitude_control": "Attitude control",
}
"""Displayed title of each of the `LAWS` of a rotor."""
SPEED_MARGIN = 0.02
"""Width of the speed range below the largest speed in which the torque of a motor falls linearly to zero, as a fraction
of the largest speed. Without this range the equations would be discontinuous.
"""

CONTROLLER_PARAMETERS = ("stiffness", "damping", "target")
"""Parameters that must be equal for all rotors of the law `attitude_control`, since a single controller
divides its torque among them.
"""

_LAW_PARAMETERS = {
    "free": ("speed", "friction"),
    "constant_speed": ("speed",),
    "constant_momentum": ("momentum",),
    "motor": ("speed", "friction", "torque", "max_torque", "max_speed"),
    "attitude_control": ("speed", "friction", "stiffness", "damping", "target", "max_torque", "max_speed"),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Rotor(Parameterized, ArrayEquality):
    """An axisymmetric wheel that turns about an axis fixed in the body and has its center of mass on that axis.

    The inertia of the body is that of the whole with the rotors locked, so that the position of a rotor has no effect
    on the motion. With the unit axis a, the axial inertia I and the speed W relative to the body, its axial momentum is
    h = I (a.omega + W). The motor torque tau and the bearing friction c give h' = tau - c W.

    `law` determines how the rotor turns. Parameters of other laws are refused, since they would have no effect.

    >>> wheel = Rotor(axis=[0.0, 0.0, 2.0], inertia=0.1, speed=50.0)
    >>> wheel.law, wheel.unit_axis.tolist(), wheel.has_state
    ('free', [0.0, 0.0, 1.0], True)
    """

    title: ClassVar[str] = "Rotor"

    axis: Numbers = parameter(
        shape=(3,), symbols="a₁ a₂ a₃", explanation="direction of the axis in the body, of any length"
    )
    inertia: float | None = parameter(
        unit="kg m^2",
        default=None,
        above=0,
        symbols="I",
        explanation="moment of inertia about its axis, included in the inertia of the body",
    )
    law: str = parameter(default="free", choices=LAWS, explanation="law of its rotation")
    speed: float = parameter(
        unit="rad/s", default=0.0, symbols="Ω", explanation="speed relative to the body at t = 0"
    )
    momentum: float | None = parameter(
        unit="kg m^2/s",
        default=None,
        symbols="h",
        explanation="constant momentum about its axis, for the law constant_momentum",
    )
    friction: float = parameter(
        unit="N m s",
        default=0.0,
        minimum=0,
        symbols="c",
        explanation="friction torque of the bearing per speed",
    )
    torque: Timed = parameter(
        unit="N m",
        default=0.0,
        timed=True,
        symbols="τ",
        explanation="motor torque on the rotor, for the law motor",
    )
    stiffness: float = parameter(
        unit="N m",
        default=0.0,
        minimum=0,
        symbols="K",
        explanation="torque on the body at half a turn from the target, for the law attitude_control",
    )
    damping: float = parameter(
        unit="N m s",
        default=0.0,
        minimum=0,
        symbols="D",
        explanation="torque on the body per angular velocity, for the law attitude_control",
    )
    target: Numbers = parameter(
        shape=(4,),
        default=(1.0, 0.0, 0.0, 0.0),
        symbols="e₀ e₁ e₂ e₃",
        explanation="Euler parameters to reach, scalar first, for the law attitude_control",
    )
    max_torque: float | None = parameter(
        unit="N m", default=None, above=0, title="largest torque", explanation="largest torque of the motor"
    )
    max_speed: float | None = parameter(
        unit="rad/s",
        default=None,
        above=0,
        title="largest speed",
        explanation="speed relative to the body above which the motor does not accelerate it",
    )
    position: Numbers = parameter(
        unit="m",
        shape=(3,),
        default=(0.0, 0.0, 0.0),
        symbols="x y z",
        explanation="position at which it is drawn in the body, without effect on the motion",
    )
    radius: float | None = parameter(
        unit="m",
        default=None,
        above=0,
        explanation="radius at which it is drawn, without effect on the motion",
    )

    def __post_init__(self) -> None:
        validate(self)
        for name in ("axis", "target"):
            if is_zero_vector(getattr(self, name)):
                raise InputError(
                    f"Rotor.{name}",
                    expected="a direction, numbers that are not all zero"
                    if name == "axis"
                    else "four Euler parameters that are not all zero",
                    found="zeros",
                    remedy="write for example [0, 0, 1]; the length does not matter"
                    if name == "axis"
                    else "write for example [1, 0, 0, 0]; the length does not matter",
                    key=name,
                )
        self._require("momentum" if self.law == "constant_momentum" else "inertia")
        for name in unused_parameters(self.law):
            declaration, value = parameters_of(Rotor)[name], getattr(self, name)
            is_default = (
                value is None if declaration.default is None else np.array_equal(value, declaration.default)
            )
            if not is_default:
                raise InputError(
                    f"Rotor.{name}",
                    expected=phrase(
                        "no key {name}, because the law {law} does not use it", name=name, law=self.law
                    ),
                    found=quote_value(value),
                    remedy="remove the key, or choose another law",
                    key=name,
                )

    def _require(self, name: str) -> None:
        """Refuse a rotor whose parameter `name` is not given although its law needs it."""
        declaration = parameters_of(Rotor)[name]
        if getattr(self, name) is None:
            raise InputError(
                f"Rotor.{name}",
                expected=phrase(
                    "the key {name!r} for the law {law}: {expected}",
                    name=name,
                    law=self.law,
                    expected=declaration.expected,
                ),
                found="no such key",
                remedy=phrase(
                    "add {name} = ... ({meaning})", name=name, meaning=phrase(declaration.explanation)
                ),
                key=name,
            )

    @property
    def unit_axis(self) -> np.ndarray:
        """Unit vector a (3,) along the axis, in body components."""
        scaled = self.axis / np.abs(self.axis).max()
        axis: np.ndarray = scaled / np.linalg.norm(scaled)
        return axis

    @property
    def moment(self) -> float:
        """Axial inertia I [kg m^2].

        It is 0 for a rotor whose inertia is not given: the limit of a small and fast rotor.
        """
        return self.inertia or 0.0

    @property
    def axial_inertia(self) -> np.ndarray:
        """I a a^T (3, 3) [kg m^2], the contribution of the locked rotor to the inertia of the body; zeros if I is not
        given.
        """
        return self.moment * np.outer(self.unit_axis, self.unit_axis)

    @property
    def has_state(self) -> bool:
        """True if the axial momentum is integrated: the law fixes neither momentum nor speed."""
        return self.law not in ("constant_speed", "constant_momentum")

    @property
    def has_motor(self) -> bool:
        """True if a motor with torque and speed limits drives the rotor."""
        return self.law in ("motor", "attitude_control")

    @property
    def conserves_energy(self) -> bool:
        """True if the bearing has no friction and the motor does no work, except to hold a constant speed or
        momentum."""
        if self.friction > 0.0 or self.law == "attitude_control":
            return False
        return self.law != "motor" or (not has_expression(self.torque) and self.torque == 0.0)


def unused_parameters(law: str) -> tuple[str, ...]:
    """Return the names of the parameters of `Rotor` that have no effect with this law."""
    names = {name for parameters in _LAW_PARAMETERS.values() for name in parameters}
    return tuple(name for name in parameters_of(Rotor) if name in names and name not in _LAW_PARAMETERS[law])
