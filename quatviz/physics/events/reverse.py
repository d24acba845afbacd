"""The motion, turned back."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import Event, EventTemplate, PhysicalConfig, StateLayout
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.physics.mechanics.state import StateVariable

_VELOCITIES = [variable for variable in StateVariable if variable.is_velocity]


@dataclass(frozen=True, eq=False)
class Reverse(Event):
    """Turns every velocity round at the same orientation: omega becomes -omega, a ring's rate too.

    A motion without friction and motor then retraces its path, so that after as long again it is back where it
    began; what it misses by is the error of the method. Velocities and momenta change sign in the state itself, bit
    by bit, errors of the constraint included; a state with none starts anew from p and -omega.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Reverse(at=0.01)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float(abs(lane.p[2] - lane.p[0]).max().round(9))  # back where it began
    0.0
    """

    name: ClassVar[str] = "reverse"
    title: ClassVar[str] = "Time reversal"
    templates: ClassVar[tuple[EventTemplate, ...]] = (EventTemplate("reverse", "Reverse time"),)
    broken_invariants: ClassVar[tuple[str, ...]] = ("h_space_drift",)

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        velocities = layout.indices(*_VELOCITIES)
        if not velocities:
            p, omega = layout.observe(state)
            return layout.start(p, -omega)
        new_state = state.copy()
        new_state[velocities] *= -1.0
        return new_state

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        """Rotors whose speed or momentum is constant turn the other way round."""
        if all(rotor.has_state for rotor in config.body.rotors):
            return config
        return replace(
            config, body=config.body.with_rotors([_reversed(rotor) for rotor in config.body.rotors])
        )

    @property
    def summary(self) -> str:
        return phrase("time reversed")


def _reversed(rotor: Rotor) -> Rotor:
    if rotor.has_state:
        return rotor
    momentum = None if rotor.momentum is None else -rotor.momentum
    return replace(rotor, speed=-rotor.speed, momentum=momentum)
