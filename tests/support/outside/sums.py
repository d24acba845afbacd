"""A part of the verification."""

from collections.abc import Iterator

from quatviz.verification.check import Check, check_zero
from quatviz.verification.parts.base import VerificationPart


class Sums(VerificationPart):
    name = "sums"
    title = "Sums from outside"

    def checks(self, full: bool) -> Iterator[Check]:
        yield check_zero("1 + 1 = 2", 1.0 + 1.0 - 2.0, 1e-15, "identity")
