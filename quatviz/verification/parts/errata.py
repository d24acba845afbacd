"""Misprints of the documents: checks that an equation fails as printed and holds as corrected."""

from collections.abc import Iterator

import numpy as np

from quatviz.verification.check import Check, check_exceeds, check_zero
from quatviz.verification.errata import ERRATA, Erratum
from quatviz.verification.errata.base import STATE_COUNT
from quatviz.verification.parts.base import VerificationPart

RUN_DESCRIPTION = f"identity, {STATE_COUNT} random states"
TOLERANCE = 1e-6
"""Largest accepted residual. Residuals are below 1e-10, except that of the sum over points of an arc, which needs
this value."""
MIN_MISPRINT_RESIDUAL = 1e-2
"""Smallest residual that counts as a visible misprint."""


class Errata(VerificationPart):
    """Checks of those errata that state an equation. Errata about words cannot be computed, and some errata
    are checked in other parts."""

    name = "errata"
    title = "Errata of the documents, largest residual"

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(55)
        for errata in ERRATA.values():
            for erratum in errata:
                yield from check_erratum(erratum, random)


def check_erratum(erratum: Erratum, random: np.random.Generator) -> Iterator[Check]:
    """Check that an equation holds as corrected, and fails as printed if the printed form can be evaluated."""
    if erratum.residuals is None:
        return
    residuals = erratum.residuals(random)
    yield check_zero(f"{erratum.check}, corrected", residuals.corrected, TOLERANCE, RUN_DESCRIPTION)
    if residuals.printed is not None:
        size = float(np.abs(residuals.printed).max())
        yield check_exceeds(f"{erratum.check}, as printed", size, MIN_MISPRINT_RESIDUAL, RUN_DESCRIPTION)
