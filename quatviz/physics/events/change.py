"""Another body, other loads, another step from here on: a branch of the motion."""

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


@dataclass(frozen=True, eq=False)
class ChangeModel(Event):
    """Gives the motion another body, other loads or another step from its time on; what is not given stays.

    Other loads and steps leave every state as it is, bit by bit. Another body begins at the orientation of the last one, with
    its angular velocity, or, where nothing acted from outside, with its angular momentum; the lane then starts anew there,
    on the constraint. `loads = []` takes all loads away.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.ChangeModel(at=0.01, body=qv.Body(inertia=[3.0, 2.0, 1.0]))
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> (lane.h[1] / lane.omega[1]).round(9).tolist()  # the body that moves from there on [kg m^2]
    [3.0, 2.0, 1.0]
    """

    name: ClassVar[str] = "change"
    title: ClassVar[str] = "Change of body, loads or step"
    templates: ClassVar[tuple[()]] = ()
    resets_drift: ClassVar[bool] = True

    body: Any = None
    loads: Any = None
    dt: float | None = parameter(
        unit="s", default=None, above=0.0, title="time step", explanation="step of the lanes that name none"
    )
    keeps: str = parameter(
        default="angular_velocity",
        choices=("angular_velocity", "angular_momentum"),
        explanation="what of the rotation goes on in another body",
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
        if self.keeps == "angular_momentum":
            old_inertia, new_inertia = layout.previous.inertia(state), layout.inertia(state)
            omega = np.linalg.solve(new_inertia[:3, :3], old_inertia[:3, :3] @ omega)
        return layout.restart(state, p, omega)

    @property
    def summary(self) -> str:
        candidates = (("body", self.body), ("loads", self.loads), ("dt", self.dt))
        changed_parts = [phrase(name) for name, value in candidates if value is not None]
        return (
            phrase("other {parts}", parts=join_phrases(changed_parts, "and"))
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
