"""A part of the verification."""

from collections.abc import Iterator

from quatviz.verification.check import Check, vanishing
from quatviz.verification.parts.base import Part


class Sums(Part):
    name = "sums"
    title = "Sums from outside"

    def checks(self, full: bool) -> Iterator[Check]:
        yield vanishing("1 + 1 = 2", 1.0 + 1.0 - 2.0, 1e-15, "identity")
