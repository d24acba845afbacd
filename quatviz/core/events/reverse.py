"""The motion, turned back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.errors import phrase
from quatviz.core.events.base import Event, Layout, Offer

_VELOCITY = re.compile(r"(omega|h|g)(_m)?\d|\w+_rate")
"""What formulations call velocities and momenta: everything else in a state is a coordinate."""


@dataclass(frozen=True, eq=False)
class Reverse(Event):
    """Turns every velocity round at the same orientation: omega becomes -omega, a ring's rate too.

    A motion without friction and motor then retraces its path, so that after as long again it is back where it
    began; what it misses by is the error of the method. Velocities and momenta change sign in the state itself, bit
    by bit, errors of the constraint included; a state with none that is known by name starts anew from p and -omega.
    """

    name: ClassVar[str] = "reverse"
    title: ClassVar[str] = "Time reversal"
    offers: ClassVar[tuple[Offer, ...]] = (Offer("reverse", "Reverse time"),)
    breaks: ClassVar[tuple[str, ...]] = ("h_space_drift",)

    def apply(self, state: np.ndarray, layout: Layout) -> np.ndarray:
        turned = [-1.0 if _VELOCITY.fullmatch(name) else 1.0 for name in layout.names]
        if -1.0 in turned:
            return state * turned
        p, omega = layout.observe(state)
        return layout.start(p, -omega)

    @property
    def words(self) -> str:
        return phrase("time reversed")
