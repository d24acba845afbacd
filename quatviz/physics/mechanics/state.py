"""The meaning of the components of an integrated state. Events act on blocks by this meaning, never by component
names."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple


class StateVariable(Enum):
    """Meaning of a block of state components.

    Vectors have three components; Euler parameters, their rates and momenta have four, scalar first. Velocities change
    their sign under time reversal.
    """

    EULER_PARAMETERS = "p, or a reference value of it"
    EULER_RATES = "p'"
    EULER_MOMENTA = "g = 2 L^T h/|p|^2, the momenta conjugate to p"
    BODY_RATE = "omega in body components"
    SPACE_RATE = "omega in space components"
    BODY_MOMENTUM = "h in body components"
    SPACE_MOMENTUM = "h in space components"
    COORDINATES = "any other coordinates of the attitude"
    COORDINATE_RATES = "rates of these coordinates"
    INNER_COORDINATES = "coordinates of what moves inside the body"
    INNER_RATES = "velocities of what moves inside the body"
    ROTOR_MOMENTA = "momenta of rotors about their axes"
    CENTER = "center of mass in space"
    LINEAR_MOMENTUM = "m c' in space"

    @property
    def is_velocity(self) -> bool:
        """True if the quantity changes its sign under time reversal, as rates and momenta do."""
        return self not in (
            StateVariable.EULER_PARAMETERS,
            StateVariable.COORDINATES,
            StateVariable.INNER_COORDINATES,
            StateVariable.CENTER,
        )


class StateBlock(NamedTuple):
    """Adjacent components of a state with a common meaning, and their names."""

    variable: StateVariable
    names: tuple[str, ...]


def numbered_block(
    variable: StateVariable, stem: str, numbers: Iterable[int], suffix: str = ""
) -> StateBlock:
    """Return a block of the given meaning with numbered component names, such as e0, e1, ...

    Each name consists of `stem`, a number and `suffix`.
    """
    return StateBlock(variable, tuple(f"{stem}{number}{suffix}" for number in numbers))


# Blocks of the usual state variables
EULER_PARAMETERS = numbered_block(StateVariable.EULER_PARAMETERS, "e", range(4))
"""Euler parameters p (4), scalar first."""
EULER_RATES = numbered_block(StateVariable.EULER_RATES, "e", range(4), "_rate")
"""Rates p' (4) of the Euler parameters [1/s]."""
EULER_MOMENTA = numbered_block(StateVariable.EULER_MOMENTA, "g", range(4))
"""Momenta g (4) conjugate to the Euler parameters [kg m^2/s]."""
BODY_RATE = numbered_block(StateVariable.BODY_RATE, "omega", (1, 2, 3))
"""Angular velocity omega (3) [rad/s, body]."""
BODY_MOMENTUM = numbered_block(StateVariable.BODY_MOMENTUM, "h", (1, 2, 3))
"""Angular momentum h (3) [kg m^2/s, body]."""

# Blocks that a state contains only if rotation and translation are coupled
CENTER = StateBlock(StateVariable.CENTER, ("c_x", "c_y", "c_z"))
"""Center of mass c (3) [m, space]."""
LINEAR_MOMENTUM = StateBlock(StateVariable.LINEAR_MOMENTUM, ("momentum_x", "momentum_y", "momentum_z"))
"""Linear momentum m c' (3) [kg m/s, space]."""


def component_names(blocks: Sequence[StateBlock]) -> tuple[str, ...]:
    """Return the names of all components, in the order of the state."""
    names: tuple[str, ...] = ()
    for block_ in blocks:
        names += tuple(block_.names)
    return names


def component_indices(blocks: Sequence[StateBlock], *variables: StateVariable) -> list[int]:
    """Return the indices of the state components that represent the given variables, in the order of the
    state."""
    component_variables = [block_.variable for block_ in blocks for _ in block_.names]
    return [index for index, variable in enumerate(component_variables) if variable in variables]
