"""The event that sets the attitude, the angular velocity or both."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.events.base import Event, StateLayout
from quatviz.physics.mechanics.initial import refuse_not_unit
from quatviz.physics.mechanics.rotations import normalize


@dataclass(frozen=True, eq=False)
class SetState(Event):
    """An event that sets the attitude, the angular velocity in body components, or both.

    A field that is not given leaves its quantity unchanged. The lane restarts from this state as at t = 0, with p
    exactly on the unit sphere. A ring or rotors inside the body keep their motion.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.SetState(at=0.01, angular_velocity=[0.0, 0.0, 2.0])
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> lane.omega[1].tolist()  # [rad/s, body]
    [0.0, 0.0, 2.0]
    """

    name: ClassVar[str] = "place"
    title: ClassVar[str] = "New orientation or rotation"
    templates: ClassVar[tuple[()]] = ()
    resets_drift: ClassVar[bool] = True

    euler_parameters: Numbers = parameter(
        shape=(4,), default=None, explanation="unit quaternion, scalar first, body to space"
    )
    angular_velocity: Numbers = parameter(
        unit="rad/s", shape=(3,), default=None, explanation="angular velocity, body components"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.euler_parameters is not None:
            try:
                refuse_not_unit(self.euler_parameters)
            except InputError as refusal:
                raise refusal.with_place("SetState.euler_parameters") from None

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        if self.euler_parameters is None and self.angular_velocity is None:
            return state
        p, omega = layout.observe(state)
        if self.euler_parameters is not None:
            p = normalize(self.euler_parameters)
        if self.angular_velocity is not None:
            omega = self.angular_velocity
        return layout.restart(state, normalize(p), omega)

    @property
    def summary(self) -> str:
        changed_parts: list[str] = [] if self.euler_parameters is None else [phrase("orientation")]
        changed_parts += [] if self.angular_velocity is None else ["ω"]
        return (
            phrase("new {parts}", parts=join_phrases(changed_parts, "and"))
            if changed_parts
            else phrase("no change")
        )
