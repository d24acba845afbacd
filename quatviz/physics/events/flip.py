"""The event that changes the sign of p, which leaves the attitude unchanged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import Event, EventTemplate, StateLayout
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices


@dataclass(frozen=True, eq=False)
class FlipSign(Event):
    """An event that replaces p by -p, p' by -p' and the momenta g by -g. Attitude and motion stay the same.

    No quantity of the body changes. lambda does not change either, since it is of even order in p. A lane that differs
    afterwards has equations or a method that distinguish p from -p.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.FlipSign(at=0.01)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float((lane.p[1] @ lane.p[0]).round(3))  # the same attitude with the other sign
    -1.0
    """

    name: ClassVar[str] = "flip"
    title: ClassVar[str] = "Sign of p"
    templates: ClassVar[tuple[EventTemplate, ...]] = (EventTemplate("flip", "Flip the sign of p"),)

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        new_state = state.copy()
        if layout.indices(StateVariable.EULER_PARAMETERS):
            new_state[
                layout.indices(
                    StateVariable.EULER_PARAMETERS, StateVariable.EULER_RATES, StateVariable.EULER_MOMENTA
                )
            ] *= -1.0
        return new_state

    def no_effect_reason(self, blocks: Sequence[StateBlock]) -> str:
        if component_indices(blocks, StateVariable.EULER_PARAMETERS):
            return ""
        return phrase("no effect, because the coordinates of the lane do not depend on the sign of p")

    @property
    def summary(self) -> str:
        return "p → −p"
