"""What the components of an integrated state are: blocks of a kind, by which events act, never by a name."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
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

    @property
    def is_velocity(self) -> bool:
        """Whether it is of odd order in time: a rate or a momentum."""
        return self not in (Kind.EULER_PARAMETERS, Kind.COORDINATES, Kind.INNER_COORDINATES)


class Block(NamedTuple):
    """Neighbours in a state that belong together, and their names."""

    kind: Kind
    names: tuple[str, ...]


def block(kind: Kind, stem: str, numbers: Iterable[int], end: str = "") -> Block:
    """A block whose names are a stem with numbers: e0, e1, ..."""
    return Block(kind, tuple(f"{stem}{number}{end}" for number in numbers))


EULER_PARAMETERS = block(Kind.EULER_PARAMETERS, "e", range(4))
EULER_RATES = block(Kind.EULER_RATES, "e", range(4), "_rate")
EULER_MOMENTA = block(Kind.EULER_MOMENTA, "g", range(4))
BODY_RATE = block(Kind.BODY_RATE, "omega", (1, 2, 3))
BODY_MOMENTUM = block(Kind.BODY_MOMENTUM, "h", (1, 2, 3))
"""What most states are made of."""


def names_of(blocks: Sequence[Block]) -> tuple[str, ...]:
    """The names of all components, in order."""
    return tuple(name for each in blocks for name in each.names)


def places_of(blocks: Sequence[Block], *kinds: Kind) -> list[int]:
    """Where the components of these kinds stand in a state, in its order; empty where it has none."""
    owners = [each.kind for each in blocks for _ in each.names]
    return [place for place, kind in enumerate(owners) if kind in kinds]
