"""The protocol of a part of the verification."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from quatviz.verify.check import Check


class Part(ABC):
    """One kind of check. The contract, from which a part can be written:

    1. One module in `quatviz/verify/parts/`, or in an outside package behind an entry point of the group `quatviz.parts`,
       defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` a heading for people.
    2. `checks` computes and yields. It goes over the registries, so that a new formulation or integrator is
       checked without an edit here. Random numbers come from fixed seeds.
    3. `full` asks for the whole grid; without it all parts together take less than a minute once kernels are compiled.
    4. References come from documents or from arithmetic that shares nothing with what is checked.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def checks(self, full: bool) -> Iterator[Check]:
        """What holds, and what does not."""
