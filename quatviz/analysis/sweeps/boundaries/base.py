"""Base class of theoretical boundaries between types of motion."""

from abc import ABC, abstractmethod
from typing import ClassVar

from quatviz.files.preset import Preset


class Boundary(ABC):
    """Base class of boundaries between types of motion that are known from theory.

    The contract, from which a boundary can be written:

    1. A module in `quatviz/analysis/sweeps/boundaries/`, or in another package behind an entry point of the group
       `quatviz.boundaries`, defines one concrete subclass. `name` is the name of the module (free for a plug-in),
       `title` is displayed, `source` is its reference, and `measures` are the sweep measures whose maps show it.
    2. `applies_to` returns True if the motions of a preset and of its neighbors have this boundary.
    3. `value` is a continuous function of the preset, positive on one side and negative on the other.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    measures: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def applies_to(cls, preset: Preset) -> bool:
        """Return True if the motions of a preset have this boundary."""

    @classmethod
    @abstractmethod
    def value(cls, preset: Preset) -> float:
        """Return a number for the motion of a preset that changes sign at the boundary."""
