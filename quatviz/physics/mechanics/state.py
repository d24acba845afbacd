"""What the components of an integrated state are: blocks of a kind, by which events act, never by a name."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple


class StateVariable(Enum):
    """What a block of components means. Vectors have three components, Euler parameters and what belongs to them four, scalar
    first; a velocity changes its sign where time is reversed."""

    EULER_PARAMETERS = "p, or a base point of it"
    EULER_RATES = "p'"
    EULER_MOMENTA = "g = 2 L^T h/|p|^2, the momenta conjugate to p"
    BODY_RATE = "omega in body components"
    SPACE_RATE = "omega in space components"
    BODY_MOMENTUM = "h in body components"
    SPACE_MOMENTUM = "h in space components"
    COORDINATES = "any other coordinates of the attitude"
    COORDINATE_RATES = "their rates"
    INNER_COORDINATES = "coordinates of what moves inside the body"
    INNER_RATES = "velocities of what moves inside the body"
    ROTOR_MOMENTA = "momenta of rotors about their axes"

    @property
    def is_velocity(self) -> bool:
        """Whether it is of odd order in time: a rate or a momentum."""
        return self not in (
            StateVariable.EULER_PARAMETERS,
            StateVariable.COORDINATES,
            StateVariable.INNER_COORDINATES,
        )


class StateBlock(NamedTuple):
    """Neighbours in a state that belong together, and their names."""

    variable: StateVariable
    names: tuple[str, ...]


def numbered_block(
    variable: StateVariable, stem: str, numbers: Iterable[int], suffix: str = ""
) -> StateBlock:
    """A block whose names are a stem with numbers: e0, e1, ..."""
    return StateBlock(variable, tuple(f"{stem}{number}{suffix}" for number in numbers))


EULER_PARAMETERS = numbered_block(StateVariable.EULER_PARAMETERS, "e", range(4))
EULER_RATES = numbered_block(StateVariable.EULER_RATES, "e", range(4), "_rate")
EULER_MOMENTA = numbered_block(StateVariable.EULER_MOMENTA, "g", range(4))
BODY_RATE = numbered_block(StateVariable.BODY_RATE, "omega", (1, 2, 3))
BODY_MOMENTUM = numbered_block(StateVariable.BODY_MOMENTUM, "h", (1, 2, 3))
"""What most states are made of."""


def component_names(blocks: Sequence[StateBlock]) -> tuple[str, ...]:
    """The names of all components, in order."""
    names: tuple[str, ...] = ()
    for block_ in blocks:
        names += tuple(block_.names)
    return names


def component_indices(blocks: Sequence[StateBlock], *variables: StateVariable) -> list[int]:
    """Where the components of these kinds stand in a state, in its order; empty where it has none."""
    component_variables = [block_.variable for block_ in blocks for _ in block_.names]
    return [index for index, variable in enumerate(component_variables) if variable in variables]
