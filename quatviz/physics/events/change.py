"""The event that replaces the body, the loads or the time step of a motion."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quatviz.base.class_metadata import from_tagged_table
from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.parameters import from_table, parameter, quote_value
from quatviz.physics.events.base import Event, PhysicalConfig, StateLayout
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.rotor_system import RotorSystem, change_body
from quatviz.physics.mechanics.state import StateVariable


@dataclass(frozen=True, eq=False)
class ChangeModel(Event):
    """An event that gives the motion another body, other loads or another step. Fields that are not given stay
    unchanged.

    Other loads and steps leave every state unchanged, bit for bit. Another body starts at the attitude of the previous
    one, on the constraint p.p = 1, p.p' = 0. `keeps` determines its rotation:

    - `angular_velocity`: omega is unchanged, and so are the angle and the rate of a ring and
      the velocity of a center of mass that moves together with the rotation.
    - `angular_momentum`: h is unchanged, as if the mass had moved without an external torque. A ring keeps its angle
      and the angular momentum about its own axis, since no torque acts between ring and body either; its rate therefore
      changes if its inertia does. The angular momentum is the total one, including that of the ring. The linear
      momentum is unchanged too.

    Rotors behave accordingly: they keep their relative speed, or their axial momentum. A rotor whose `speed` differs
    from the previous one has that speed from then on.

    `loads = []` removes all loads.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.ChangeModel(at=0.01, body=qv.Body(inertia=[3.0, 2.0, 1.0]))
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> (lane.h[1] / lane.omega[1]).round(9).tolist()  # inertia of the new body [kg m^2]
    [3.0, 2.0, 1.0]
    """

    name: ClassVar[str] = "change"
    title: ClassVar[str] = "Change of body, loads or step"
    templates: ClassVar[tuple[()]] = ()
    resets_drift: ClassVar[bool] = True

    body: Any = None
    loads: Any = None
    dt: float | None = parameter(
        unit="s",
        default=None,
        above=0.0,
        title="time step",
        explanation="time step of lanes without their own step",
    )
    keeps: str = parameter(
        default="angular_velocity",
        choices=("angular_velocity", "angular_momentum"),
        explanation="quantity of the rotation that stays constant when the body changes",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.body is not None and not isinstance(self.body, Body):
            object.__setattr__(self, "body", from_table(Body, self.body, "body"))
        if self.loads is not None:
            object.__setattr__(self, "loads", _as_loads(self.loads))

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        new_config = PhysicalConfig(
            config.body if self.body is None else self.body,
            config.loads if self.loads is None else self.loads,
            config.dt if self.dt is None else self.dt,
            config.lanes,
        )
        return config if new_config == config else new_config

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        if self.body is None or layout.previous is None:
            return state
        p, omega = layout.previous.observe(state)
        if layout.body is not None and layout.body.rotors:
            return self._with_rotors(state, layout, p, omega)
        inner_rates = layout.indices(StateVariable.INNER_RATES)
        velocities = np.concatenate((omega, state[inner_rates]))
        if self.keeps == "angular_momentum":
            momenta = layout.previous.inertia(state) @ velocities
            velocities = np.linalg.solve(layout.inertia(state), momenta)
        new_state = self._restart(state, layout, normalize(p), velocities[:3])
        new_state[inner_rates] = velocities[3:]
        return new_state

    def _restart(
        self, state: np.ndarray, layout: StateLayout, p: np.ndarray, omega: np.ndarray
    ) -> np.ndarray:
        """Return the state at p (4,) and omega (3,) [rad/s, body].

        If the center of mass is in the state, `keeps` decides whether its velocity or its momentum stays unchanged.
        """
        new_state = layout.restart(state, p, omega)
        momentum = layout.indices(StateVariable.LINEAR_MOMENTUM)
        if momentum and self.keeps == "angular_velocity":
            assert layout.previous is not None
            old, new = (body.mass if body else None for body in (layout.previous.body, layout.body))
            assert old is not None
            assert new is not None
            new_state[momentum] *= new / old
        return new_state

    def _with_rotors(
        self, state: np.ndarray, layout: StateLayout, p: np.ndarray, omega: np.ndarray
    ) -> np.ndarray:
        """Return the state of the new body if it has rotors; see `rotor_system.change_body`."""
        assert layout.previous is not None
        assert layout.previous.body is not None
        assert layout.body is not None
        indices = layout.indices(StateVariable.ROTOR_MOMENTA)
        omega, momenta = change_body(
            RotorSystem(layout.previous.body),
            RotorSystem(layout.body),
            omega,
            state[indices],
            keeps_momentum=self.keeps == "angular_momentum",
        )
        new_state = self._restart(state, layout, normalize(p), omega)
        new_state[indices] = momenta
        return new_state

    @property
    def summary(self) -> str:
        candidates = (("body", self.body), ("loads", self.loads), ("dt", self.dt))
        changed_parts = [phrase(name) for name, value in candidates if value is not None]
        return (
            phrase("new {parts}", parts=join_phrases(changed_parts, "and"))
            if changed_parts
            else phrase("no change")
        )


def _as_loads(loads: Any) -> tuple[Load, ...]:
    if not isinstance(loads, (list, tuple)):
        raise InputError(
            expected="a list of loads, empty for none", found=quote_value(loads),
            remedy="write [[events.loads]] with two brackets on each side", key="loads",
        )  # fmt: skip
    return tuple(
        load if isinstance(load, Load) else from_tagged_table(LOADS, load, f"loads[{number}]")
        for number, load in enumerate(loads)
    )
