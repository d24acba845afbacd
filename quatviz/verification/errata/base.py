"""What an erratum states, and how its check is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

STATE_COUNT = 200
"""Random states at which an equation is evaluated."""


class Residuals(NamedTuple):
    """Left side minus right side (n, ...) of an equation as corrected, and as printed.

    `printed` is None where the print gives nothing that can be evaluated, such as an illegible factor.
    """

    corrected: np.ndarray
    printed: np.ndarray | None = None


@dataclass(frozen=True)
class Erratum:
    """One misprint or error of a source document, in Markdown with formulae.

    Parameters
    ----------
    place
        Where it stands, such as "S3(7), third row".
    topic
        What it is about, in a few words. Place and topic are its heading in the help.
    printed, correct
        What the document has, and what is right.
    derivation
        Why, in two or three lines.
    check
        Name of the check of `quatviz verify` that proves it; "" for words, which nothing can be computed of.
    part
        Part of the verification that has this check.
    residuals
        What the check evaluates, from a generator of random states; given if and only if `part` is "errata".
    """

    place: str
    topic: str
    printed: str
    correct: str
    derivation: str
    check: str = ""
    part: str = "errata"
    residuals: Callable[[np.random.Generator], Residuals] | None = None

    @property
    def heading(self) -> str:
        """Place and topic."""
        return f"{self.place}: {self.topic}"
