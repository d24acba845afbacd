"""The protocol of a boundary between motions of different kinds."""

from abc import ABC, abstractmethod
from typing import ClassVar

from quatviz.files.preset import Preset


class Boundary(ABC):
    """Where motions become others, in theory. The contract, from which one can be written:

    1. One module in `quatviz/analysis/sweeps/boundaries/`, or in an outside package behind an entry point of the group
       `quatviz.boundaries`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what people
       read, `source` where it stands, `measures` the sweep measures over whose maps it is drawn.
    2. `applies_to` says whether the motions of a preset, and those beside it, have it.
    3. `value` of a preset is above zero on one side and below on the other, and continuous.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    measures: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def applies_to(cls, preset: Preset) -> bool:
        """Whether it is that of such motions."""

    @classmethod
    @abstractmethod
    def value(cls, preset: Preset) -> float:
        """A number that changes its sign at the boundary."""
