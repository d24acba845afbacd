"""The other four numbers for the same orientation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import Event, Layout, Offer
from quatviz.physics.mechanics.state import Block, Kind, places_of


@dataclass(frozen=True, eq=False)
class Flip(Event):
    """p becomes -p, with it p' and the momenta g: the same orientation and the same motion, in other numbers.

    No quantity of the body changes; lambda does not either, for it is of even order in p. Where a lane differs afterwards,
    its equations or its method tell p from -p.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Flip(at=0.01)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float((lane.p[1] @ lane.p[0]).round(3))  # the same orientation, with the other sign
    -1.0
    """

    name: ClassVar[str] = "flip"
    title: ClassVar[str] = "Sign of p"
    offers: ClassVar[tuple[Offer, ...]] = (Offer("flip", "Flip the sign of p"),)

    def apply(self, state: np.ndarray, layout: Layout) -> np.ndarray:
        after = state.copy()
        if layout.places(Kind.EULER_PARAMETERS):
            after[layout.places(Kind.EULER_PARAMETERS, Kind.EULER_RATES, Kind.EULER_MOMENTA)] *= -1.0
        return after

    def remark(self, blocks: Sequence[Block]) -> str:
        if places_of(blocks, Kind.EULER_PARAMETERS):
            return ""
        return phrase("no effect, its coordinates have no sign that could be chosen")

    @property
    def words(self) -> str:
        return "p → −p"
