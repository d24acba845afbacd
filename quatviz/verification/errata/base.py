"""Data of an erratum, and the residuals that prove it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

STATE_COUNT = 200
"""Number of random states at which an equation is evaluated."""


class ErratumResiduals(NamedTuple):
    """Left side minus right side (n, ...) of an equation, as corrected and as printed.

    `printed` is None if the printed form cannot be evaluated, for example because a factor is illegible.
    """

    corrected: np.ndarray
    printed: np.ndarray | None = None


@dataclass(frozen=True)
class Erratum:
    """A misprint or error of a source document, in Markdown with formulas.

    Parameters
    ----------
    location
        Location, such as "S3(7), third row".
    topic
        Subject in a few words. Location and topic are the title in the help.
    printed, correct
        What the document prints, and what is correct.
    derivation
        Reason, in two or three lines.
    check
        Name of the check of `quatviz verify` that proves the erratum; "" for errata about words, which cannot
        be computed.
    part
        Part of the verification that contains the check.
    residuals
        Function that evaluates the residuals with a random generator; given if and only if `part` is "errata".
    """

    location: str
    topic: str
    printed: str
    correct: str
    derivation: str
    check: str = ""
    part: str = "errata"
    residuals: Callable[[np.random.Generator], ErratumResiduals] | None = None

    @property
    def title(self) -> str:
        """Location and topic."""
        return f"{self.location}: {self.topic}"
