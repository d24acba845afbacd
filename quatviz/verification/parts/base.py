"""The protocol of a part of the verification, and the parts that are equations at random states."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from quatviz.verification.check import Check, check_exceeds, check_zero

MIN_DIFFERENCE = 1e-2
"""What must not vanish exceeds this somewhere."""


class VerificationPart(ABC):
    """One kind of check. The contract, from which a part can be written:

    1. One module in `quatviz/verification/parts/`, or in an outside package behind an entry point of the group `quatviz.parts`,
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
        """Compute and yield all checks."""


class IdentityVerificationPart(VerificationPart):
    """A part whose checks are equations at random states.

    A subclass returns the residuals (n, ...) of its equations by name. Names that differ only behind " for " are reported
    together, by the worst of them. What `expected_differences` returns must not vanish.
    """

    seed: ClassVar[int]
    count: ClassVar[int] = 500
    tolerance: ClassVar[float] = 1e-12

    @abstractmethod
    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Left side minus right side (count, ...) by equation, at `count` random states."""

    def expected_differences(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Differences (count, ...) of quantities that must not be equal."""
        return {}

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(self.seed)
        count = 20 * self.count if full else self.count
        run = f"identity, {count} random states"
        for name, residual in self.residuals(random, count).items():
            yield check_zero(name, residual, self.tolerance, run, name.partition(" for ")[0])
        for name, difference in self.expected_differences(random, count).items():
            yield check_exceeds(name, float(np.abs(difference).max()), MIN_DIFFERENCE, run)
