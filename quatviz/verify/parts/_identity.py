"""A part made of equations that hold at random states. Not a part itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from quatviz.verify.check import Check, exceeding, vanishing
from quatviz.verify.parts.base import Part

SEEN = 1e-2
"""What must not vanish exceeds this somewhere."""


class IdentityPart(Part):
    """A subclass gives the residuals (n, ...) of its equations by name, which are told together where they differ in what they
    are "for"; those in `differing` must not vanish."""

    seed: ClassVar[int]
    count: ClassVar[int] = 500
    tolerance: ClassVar[float] = 1e-12

    @abstractmethod
    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Left side minus right side, at `count` random states."""

    def differing(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        """Differences of things that are said to be unequal."""
        return {}

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(self.seed)
        count = 20 * self.count if full else self.count
        run = f"identity, {count} random states"
        for name, residual in self.residuals(random, count).items():
            yield vanishing(name, residual, self.tolerance, run, name.partition(" for ")[0])
        for name, difference in self.differing(random, count).items():
            yield exceeding(name, float(np.abs(difference).max()), SEEN, run)
