"""The shape protocol: what a body can look like without a mesh file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.geometry.polyhedron import Polyhedron


class Mass(NamedTuple):
    """Volume [m^3], centre of mass (3,) [m] and inertia about it per density (3, 3) [m^5]."""

    volume: float
    centre: np.ndarray
    inertia: np.ndarray


class Shape(ABC):
    """A solid of uniform density. The contract, from which one can be written:

    1. One module in `quatviz/shapes/`, or in an outside package behind an entry point of the group `quatviz.shapes`, defines
       one concrete subclass. `name` is the module's name and the `shape` of a preset's `[body]`; `title` is for people.
    2. `solid` is its surface in body axes, closed, with faces that are counterclockwise from outside, in a natural size [m].
       Parts may touch and stand apart, but never overlap: what they share would weigh twice.
    3. `sized` stretches it to `size`, the lengths [m] of the box around it, and puts its centre of mass at the origin.
    4. `mass` follows from the surface. A round shape, whose surface has been flattened, overrides it by its formula.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    @abstractmethod
    def solid(cls) -> Polyhedron:
        """Its surface in its natural size."""

    @classmethod
    def sized(cls, size: np.ndarray | None) -> Polyhedron:
        """Its surface about its centre of mass, in the box `size` (3,) [m], or in its natural size."""
        solid = cls.solid()
        if size is not None:
            solid = solid.scaled(np.asarray(size) / solid.extents)
        return solid.moved(-solid.mass_properties()[1])

    @classmethod
    def mass(cls, size: np.ndarray | None) -> Mass:
        """What it weighs per density, about its centre of mass."""
        return Mass(*cls.sized(size).mass_properties())
