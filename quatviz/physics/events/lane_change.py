"""The event that changes step, tolerance, stabilization or J0 of one lane."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from quatviz.base.errors import join_phrases, phrase
from quatviz.base.parameters import parameter
from quatviz.physics.events.base import Event, PhysicalConfig, StateLayout
from quatviz.physics.mechanics.stabilisation import stabilisation_phrase

LANE_SETTINGS = ("dt", "rtol", "atol", "stabilisation", "alpha", "beta", "J0")
"""Settings that an event can change on a lane.

Formulation and integrator cannot change during a run, since their states and memories differ.
"""
_BAUMGARTE_SETTINGS = ("alpha", "beta")


@dataclass(frozen=True, eq=False)
class LaneChange(Event):
    """An event that gives one lane another step, tolerance, stabilization or J0. Fields that are not given stay
    unchanged.

    The state stays unchanged, bit for bit, and the method restarts from it. Other lanes are not affected. A
    stabilization other than "baumgarte" removes alpha and beta. Drifts are still measured from their previous origin,
    since the motion is the same.

    >>> from dataclasses import replace
    >>> import quatviz as qv
    >>> event = qv.LaneChange(at=0.01, lane="newton_euler", dt=0.005)
    >>> preset = replace(qv.load_preset("torque_free"), events=[event])
    >>> lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> lane.status, lane.t.tolist()  # [s]: the samples stay the same
    ('ok', [0.0, 0.01, 0.02])
    """

    name: ClassVar[str] = "lane_change"
    title: ClassVar[str] = "Change of a lane"
    templates: ClassVar[tuple[()]] = ()

    lane: str = parameter(default="", explanation="name of the lane, as in its row and the legend")
    dt: float | None = parameter(
        unit="s", default=None, above=0.0, title="time step", explanation="step of the lane"
    )
    rtol: float | None = parameter(
        default=None,
        minimum=1e-14,
        maximum=0.1,
        title="rel. tol.",
        explanation="relative tolerance of the lane",
    )
    atol: float | None = parameter(
        default=None, above=0.0, title="abs. tol.", explanation="absolute tolerance of the lane"
    )
    stabilisation: str | None = parameter(
        default=None, explanation="method that keeps |p| = 1: none, renormalise, project, baumgarte"
    )
    alpha: float | None = parameter(
        unit="1/s", default=None, minimum=0.0, explanation="Baumgarte's damping of the constraint"
    )
    beta: float | None = parameter(
        unit="1/s", default=None, minimum=0.0, explanation="Baumgarte's stiffness of the constraint"
    )
    J0: float | None = parameter(unit="kg m^2", default=None, above=0.0, explanation="free moment of inertia")

    @property
    def changes(self) -> dict[str, Any]:
        """Settings that the event changes, with their new values."""
        values = {name: getattr(self, name) for name in LANE_SETTINGS}
        return {name: value for name, value in values.items() if value is not None}

    def applies_to(self, lane: str) -> bool:
        return lane == self.lane

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        if not self.changes or not self.lane:
            return config
        lane_settings = dict(config.lanes.get(self.lane, {}))
        if self.stabilisation not in (None, "baumgarte"):
            lane_settings.update(dict.fromkeys(_BAUMGARTE_SETTINGS))
        return replace(config, lanes={**config.lanes, self.lane: {**lane_settings, **self.changes}})

    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        return state

    @property
    def summary(self) -> str:
        setting_texts = [
            f"{name} = {value:.6g}{' s' if name == 'dt' else ''}"
            if isinstance(value, float)
            else stabilisation_phrase(value)
            for name, value in self.changes.items()
        ]
        if not setting_texts or not self.lane:
            return phrase("no lane change")
        return phrase("{lane}: {settings}", lane=self.lane, settings=join_phrases(setting_texts))
