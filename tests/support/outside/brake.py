"""An event that reduces the angular velocity."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import parameter
from quatviz.physics.events.base import Event, EventTemplate, StateLayout


@dataclass(frozen=True, eq=False)
class Brake(Event):
    """Divides the angular velocity."""

    name: ClassVar[str] = "brake"
    title: ClassVar[str] = "Brake"
    templates: ClassVar[tuple[EventTemplate, ...]] = (EventTemplate("brake", "Brake from outside"),)
    resets_drift: ClassVar[bool] = True

    by: float = parameter(default=2.0, above=0.0, explanation="Divisor of omega.")

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        p, omega = layout.observe(state)
        return layout.restart(state, p, omega / self.by)

    @property
    def summary(self) -> str:
        return phrase("brake by {by:g}", by=self.by)
