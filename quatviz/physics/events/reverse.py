"""The event that reverses time."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import Event, EventTemplate, PhysicalConfig, StateLayout
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.physics.mechanics.state import StateVariable

_VELOCITIES = [variable for variable in StateVariable if variable.is_velocity]
_ROTATIONAL_VELOCITIES = [
    variable for variable in _VELOCITIES if variable is not StateVariable.LINEAR_MOMENTUM
]


@dataclass(frozen=True, eq=False)
class Reverse(Event):
    """An event that reverses every velocity at the same attitude: omega becomes -omega, and so does the rate of a ring.

    A motion without friction and motors then retraces its path and returns to its initial state after the same time.
    The remaining difference is the error of the method. Velocities and momenta change sign in the state itself, bit for
    bit, including errors of the constraint. A state without velocities restarts from p and -omega.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Reverse(at=0.01)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float(abs(lane.p[2] - lane.p[0]).max().round(9))  # back at the initial attitude
    0.0
    """

    name: ClassVar[str] = "reverse"
    title: ClassVar[str] = "Time reversal"
    templates: ClassVar[tuple[EventTemplate, ...]] = (EventTemplate("reverse", "Reverse time"),)
    broken_invariants: ClassVar[tuple[str, ...]] = ("h_space_drift",)

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        new_state = state.copy()
        if not layout.indices(*_ROTATIONAL_VELOCITIES):
            p, omega = layout.observe(state)
            new_state = layout.restart(state, p, -omega)
        new_state[layout.indices(*_VELOCITIES)] *= -1.0
        return new_state

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        """Return the configuration after the event, in which rotors of constant speed or momentum turn in the
        opposite direction.
        """
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
