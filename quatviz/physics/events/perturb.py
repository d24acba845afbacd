"""The event that violates the constraint on purpose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import parameter
from quatviz.physics.events.base import Event, EventTemplate, StateLayout
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices


@dataclass(frozen=True, eq=False)
class Perturb(Event):
    """An event that moves the Euler parameters off the unit sphere. Attitude p/|p| and omega stay the same.

    p becomes `length` p. p' is multiplied by `length` too, and the momenta g = 2 L^T h are divided by it, so that
    omega = 2 L p'/|p|^2 and h = 1/2 L g keep their values. Then p' becomes p' + rate p/|p|^2, which adds `rate` to p.p'
    and, since L p = 0, nothing to omega. `rate` has no effect on a state without p', where p' = 1/2 L^T omega always
    gives p.p' = 0. The same holds for g, since g = 4 L^T J L p' does not depend on the part of p' along p.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Perturb(at=0.01, length=1.001)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> lane.constraint[1:].round(9).tolist()  # |p|^2 - 1
    [0.002001, 0.002001]
    """

    name: ClassVar[str] = "perturb"
    title: ClassVar[str] = "Perturbation"
    templates: ClassVar[tuple[EventTemplate, ...]] = (
        EventTemplate("perturb_length", "Perturb |p|", {"length": 1.001}),
        EventTemplate("perturb_rate", "Add a constraint error p·p′", {"rate": 1e-3}),
    )

    length: float = parameter(
        default=1.0,
        above=0.0,
        title="factor on |p|",
        explanation="factor on the length of p, 1 for no change",
    )
    rate: float = parameter(
        unit="1/s", default=0.0, title="added p·p′", explanation="amount added to the constraint rate p·p′"
    )

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        new_state = state.copy()
        p, p_rate = layout.indices(StateVariable.EULER_PARAMETERS), layout.indices(StateVariable.EULER_RATES)
        if not p:
            return new_state
        new_state[p + p_rate] *= self.length
        new_state[layout.indices(StateVariable.EULER_MOMENTA)] /= self.length
        if p_rate:
            new_state[p_rate] += self.rate / np.sum(new_state[p] ** 2) * new_state[p]
        return new_state

    def no_effect_reason(self, blocks: Sequence[StateBlock]) -> str:
        if not component_indices(blocks, StateVariable.EULER_PARAMETERS):
            return phrase("no effect, because the coordinates of the lane have no constraint")
        if self.rate and not component_indices(blocks, StateVariable.EULER_RATES):
            return phrase("no effect on p·p′, which stays 0, because the lane computes p′ from ω")
        return ""

    @property
    def summary(self) -> str:
        length = f"|p| × {self.length:g}" if self.length != 1.0 else ""
        rate = f"p·p′ {'+' if self.rate > 0 else '−'} {abs(self.rate):g} /s" if self.rate else ""
        return ", ".join(filter(None, (length, rate))) or phrase("no change")
