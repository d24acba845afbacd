"""The event that adds an angular impulse."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import format_short
from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.events.base import Event, EventTemplate, StateLayout
from quatviz.physics.mechanics.rotations import matrix_L, rotate, rotate_back
from quatviz.physics.mechanics.state import StateVariable


@dataclass(frozen=True, eq=False)
class Kick(Event):
    """An event that adds an angular impulse to the angular momentum at the same attitude: h becomes h + impulse.

    omega gains J^-1 impulse. A ring inside the body is accelerated through its bearing, but not about its own axis.
    Errors of the constraint stay unchanged.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Kick(at=0.01, impulse=[0.0, 0.0, 5.0])
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> float((lane.h_space[1, 2] - lane.h_space[0, 2]).round(9))  # gain of h [kg m^2/s]
    5.0
    """

    name: ClassVar[str] = "kick"
    title: ClassVar[str] = "Kick"
    templates: ClassVar[tuple[EventTemplate, ...]] = (
        EventTemplate("kick", "Kick", {"impulse": (0.0, 0.0, 1.0), "frame": "space"}),
    )
    resets_drift: ClassVar[bool] = True

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
        explanation="frame of the components of the angular impulse",
    )

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        impulse = self.impulse
        if self.frame == "space":
            impulse = rotate_back(layout.observe(state)[0][None], impulse[None])[0]
        return apply_impulse(state, layout, impulse)

    @property
    def summary(self) -> str:
        numbers = ", ".join(map(format_short, self.impulse))
        if not np.any(self.impulse):
            return phrase("no kick")
        frame = phrase(self.frame)
        return phrase("kick ({numbers}) N m s in {frame}", numbers=numbers, frame=frame)


def apply_impulse(state: np.ndarray, layout: StateLayout, impulse: np.ndarray) -> np.ndarray:
    """Return the state (k,) after an angular impulse (3,) [N m s, body]: p is unchanged and h gains the impulse.

    Errors of the constraint stay unchanged: since L p = 0, the changes of p' = 1/2 L^T omega and g = 2 L^T h/|p|^2 are
    tangent to the sphere.
    """
    new_state = state.copy()
    p = new_state[layout.indices(StateVariable.EULER_PARAMETERS)]
    if indices := layout.indices(StateVariable.BODY_MOMENTUM):
        new_state[indices] += impulse
        return new_state
    if indices := layout.indices(StateVariable.SPACE_MOMENTUM):
        new_state[indices] += _in_space(layout, state, impulse)
        return new_state
    if indices := layout.indices(StateVariable.EULER_MOMENTA):
        new_state[indices] += 2.0 / np.sum(p**2) * (matrix_L(p).T @ impulse)
        return new_state
    inner_indices = layout.indices(StateVariable.INNER_RATES)
    velocity_change = np.linalg.solve(
        layout.inertia(state), np.concatenate((impulse, np.zeros(len(inner_indices))))
    )
    new_state[inner_indices] += velocity_change[3:]
    if indices := layout.indices(StateVariable.BODY_RATE):
        new_state[indices] += velocity_change[:3]
    elif indices := layout.indices(StateVariable.SPACE_RATE):
        new_state[indices] += _in_space(layout, state, velocity_change[:3])
    elif indices := layout.indices(StateVariable.EULER_RATES):
        new_state[indices] += 0.5 * (matrix_L(p).T @ velocity_change[:3])
    else:
        q, omega = layout.observe(state)
        new_state = layout.restart(new_state, q, omega + velocity_change[:3])
    return new_state


def _in_space(layout: StateLayout, state: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the space components A v (3,) of a vector v (3,) that is given in body components at this state."""
    space_vector: np.ndarray = rotate(layout.observe(state)[0][None], vector[None])[0]
    return space_vector
