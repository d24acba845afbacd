"""The other four numbers for the same orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.errors import phrase
from quatviz.core.events.base import EULER_PARAMETERS, MOMENTA, RATES, Event, Layout, Offer


@dataclass(frozen=True, eq=False)
class Flip(Event):
    """p becomes -p, with it p' and the momenta g: the same orientation and the same motion, in other numbers.

    No quantity of the body changes; lambda does not either, for it is of even order in p. Where a lane differs afterwards,
    its equations or its method tell p from -p.
    """

    name: ClassVar[str] = "flip"
    title: ClassVar[str] = "Sign of p"
    offers: ClassVar[tuple[Offer, ...]] = (Offer("flip", "Flip the sign of p"),)

    def apply(self, state: np.ndarray, layout: Layout) -> np.ndarray:
        after = state.copy()
        for names in (EULER_PARAMETERS, RATES, MOMENTA):
            if layout.places(EULER_PARAMETERS):
                after[layout.places(names)] *= -1.0
        return after

    def remark(self, names: tuple[str, ...]) -> str:
        if set(EULER_PARAMETERS) <= set(names):
            return ""
        return phrase("no effect, its coordinates have no sign that could be chosen")

    @property
    def words(self) -> str:
        return "p → −p"
