"""Another body, other loads, another step from here on: a branch of the motion."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quatviz.base.class_metadata import from_tagged_table
from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.parameters import from_table, parameter, shown
from quatviz.physics.events.base import Event, Layout, Setting
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class Change(Event):
    """Gives the motion another body, other loads or another step from its time on; what is not given stays.

    Other loads and steps leave every state as it is, bit by bit. Another body begins at the orientation of the last one, with
    its angular velocity, or, where nothing acted from outside, with its angular momentum; the lane then starts anew there,
    on the constraint. `loads = []` takes all loads away.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.Change(at=0.01, body=qv.Body(inertia=[3.0, 2.0, 1.0]))
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> (lane.h[1] / lane.omega[1]).round(9).tolist()  # the body that moves from there on [kg m^2]
    [3.0, 2.0, 1.0]
    """

    name: ClassVar[str] = "change"
    title: ClassVar[str] = "Change of body, loads or step"
    offers: ClassVar[tuple[()]] = ()
    renews: ClassVar[bool] = True

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
            object.__setattr__(self, "loads", _loads(self.loads))

    def setting(self, before: Setting) -> Setting:
        after = Setting(
            before.body if self.body is None else self.body,
            before.loads if self.loads is None else self.loads,
            before.dt if self.dt is None else self.dt,
            before.lanes,
        )
        return before if after == before else after

    def apply(self, state: np.ndarray, layout: Layout) -> np.ndarray:
        if self.body is None or layout.before is None:
            return state
        p, omega = layout.before.observe(state)
        if self.keeps == "angular_momentum":
            old, new = layout.before.inertia(state), layout.inertia(state)
            omega = np.linalg.solve(new[:3, :3], old[:3, :3] @ omega)
        return layout.restart(state, p, omega)

    @property
    def words(self) -> str:
        given = (("body", self.body), ("loads", self.loads), ("dt", self.dt))
        new = [phrase(name) for name, value in given if value is not None]
        return phrase("other {parts}", parts=listed(new, "and")) if new else phrase("no change")


def _loads(given: Any) -> tuple[Load, ...]:
    if not isinstance(given, (list, tuple)):
        raise InputError(
            expected="a list of loads, empty for none", found=shown(given),
            remedy="write [[events.loads]] with two brackets on each side", key="loads",
        )  # fmt: skip
    return tuple(
        load if isinstance(load, Load) else from_tagged_table(LOADS, load, f"loads[{number}]")
        for number, load in enumerate(given)
    )
