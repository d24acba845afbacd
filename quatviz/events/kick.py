"""A blow: an angular impulse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import Numbers, parameter
from quatviz.events._velocity import struck
from quatviz.events.base import Event, Layout, Offer
from quatviz.mechanics.rotations import rotate_back


@dataclass(frozen=True, eq=False)
class Kick(Event):
    """Adds an angular impulse to the angular momentum at the same orientation: h becomes h + impulse.

    omega gains J^-1 impulse. A ring inside takes its part through its bearing, but none about its own axis. Errors of the
    constraint stay as they are.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Kick(at=0.01, impulse=[0.0, 0.0, 5.0])
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float((lane.h_space[1, 2] - lane.h_space[0, 2]).round(9))  # what it adds to h [kg m^2/s]
    5.0
    """

    name: ClassVar[str] = "kick"
    title: ClassVar[str] = "Kick"
    offers: ClassVar[tuple[Offer, ...]] = (
        Offer("kick", "Kick", {"impulse": (0.0, 0.0, 1.0), "frame": "space"}),
    )
    renews: ClassVar[bool] = True

    impulse: Numbers = parameter(
        unit="N m s",
        shape=(3,),
        default=(0.0, 0.0, 0.0),
        title="angular impulse",
        explanation="torque times time, added to h",
    )
    frame: str = parameter(
        default="space",
        choices=("space", "body"),
        explanation="in whose components the angular impulse is given",
    )

    def apply(self, state: np.ndarray, layout: Layout) -> np.ndarray:
        impulse = self.impulse
        if self.frame == "space":
            impulse = rotate_back(layout.observe(state)[0][None], impulse[None])[0]
        return struck(state, layout, impulse)

    @property
    def words(self) -> str:
        numbers = ", ".join(f"{value:.4g}" for value in self.impulse)
        if not np.any(self.impulse):
            return phrase("no kick")
        frame = phrase(self.frame)
        return phrase("kick ({numbers}) N m s in {frame}", numbers=numbers, frame=frame)
