"""Base classes of the parts of the verification."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from quatviz.verification.check import Check, check_exceeds, check_zero

MIN_DIFFERENCE = 1e-2
"""Smallest accepted magnitude of a difference that must not vanish, for example between two quantities that a
document wrongly equates."""


class VerificationPart(ABC):
    """Base class of parts of the verification.

    The contract, from which a part can be written:

    1. A module in `quatviz/verification/parts/`, or in another package behind an entry point of the group
       `quatviz.parts`, defines one concrete subclass. `name` is the name of the module (free for a plug-in), `title` is
       a heading.
    2. `checks` computes and yields checks. It iterates over registries, so that new formulations and integrators are
       checked without a change here. Random numbers have fixed seeds.
    3. `full` requests the complete verification. Without it all parts together take less than a minute once kernels
       are compiled.
    4. References come from documents or from computations that share no code with what is checked.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def checks(self, full: bool) -> Iterator[Check]:
        """Compute and yield all checks."""


class IdentityVerificationPart(VerificationPart):
    """A part whose checks are equations at random states.

    A subclass returns the residuals (n, ...) of its equations by name. Equations with the same name before " for "
    are summarized together. Differences returned by `expected_differences` must not vanish.
    """

    seed: ClassVar[int]
    count: ClassVar[int] = 500
    tolerance: ClassVar[float] = 1e-12

    @abstractmethod
    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Return left side minus right side (count, ...) of each equation, at `count` random states."""

    def expected_differences(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Return differences (count, ...) of quantities that must not be equal."""
        return {}

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(self.seed)
        count = 20 * self.count if full else self.count
        run = f"identity, {count} random states"
        for name, residual in self.residuals(random, count).items():
            yield check_zero(name, residual, self.tolerance, run, name.partition(" for ")[0])
        for name, difference in self.expected_differences(random, count).items():
            yield check_exceeds(name, float(np.abs(difference).max()), MIN_DIFFERENCE, run)
