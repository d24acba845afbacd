"""The event protocol: a change of a lane's state or model at one instant.

Plug-in packages depend on it: change it only in a commit of its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.parameters import Parameterized, parameter, validate
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices


@dataclass(frozen=True)
class PhysicalConfig:
    """Body, loads and default time step `dt` [s] of a run, and the settings of lanes that events have changed.

    `lanes` maps the name of a lane to the changed fields of its `files.preset.Lane` and their new values.
    """

    body: Body
    loads: tuple[Load, ...]
    dt: float
    lanes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def bound_loads(self) -> tuple[BoundLoad, ...]:
        """The loads bound to the body. They are bound once, because the window reads a motion for every block of
        rows."""
        return bind(self.loads, self.body)


def _unknown_inertia(state: np.ndarray) -> np.ndarray:
    raise NotImplementedError("this layout knows no inertia")


@dataclass(frozen=True)
class StateLayout:
    """Interpretation of a lane's state (k,).

    Attributes
    ----------
    blocks
        The blocks of which the state consists.
    observe
        Function from a state to p (4,) and omega (3,) [rad/s, body].
    start
        Function from p (4,) and omega (3,) [rad/s, body] to a state. It does not normalize p.
    inertia
        Function from a state to the matrix (3 + m, 3 + m) [kg m^2] of the kinetic energy, which is quadratic in omega and in
        the m velocities inside the body.
    previous
        Layout of the state before the event if the event changes the lane's model, otherwise None.
    body
        Body whose state is described.
    """

    blocks: tuple[StateBlock, ...]
    observe: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    start: Callable[[np.ndarray, np.ndarray], np.ndarray]
    inertia: Callable[[np.ndarray], np.ndarray] = _unknown_inertia
    previous: "StateLayout | None" = None
    body: Body | None = None

    def indices(self, *variables: StateVariable) -> list[int]:
        """Return the indices of the state components that represent the given variables, in the order of the
        state."""
        return component_indices(self.blocks, *variables)

    def restart(self, state: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Return a state with attitude p (4,) and angular velocity omega (3,) [rad/s, body].

        Ring, rotors and center of mass keep their components of `state`.
        """
        new_state = self.start(p, omega)
        kept_indices = self.indices(
            StateVariable.INNER_COORDINATES, StateVariable.INNER_RATES, StateVariable.ROTOR_MOMENTA,
            StateVariable.CENTER, StateVariable.LINEAR_MOMENTUM,
        )  # fmt: skip
        new_state[kept_indices] = state[kept_indices]
        return new_state


@dataclass(frozen=True)
class EventTemplate:
    """An event that a window offers at the cursor.

    `label` is its menu text. `values` maps the fields that the user can edit to their initial values. Other fields
    keep their defaults.
    """

    name: str
    label: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Event(Parameterized, ArrayEquality, ABC):
    """An event that happens to the lanes of a run at the time `at`. Contract for a new event:

    1. One module in `quatviz/physics/events/`, or in an outside package behind an entry point of the group
       `quatviz.events`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name
       and the `kind` of a preset's `[[events]]`; `title` is shown to the user.
    2. Further fields are made with `base.parameters.parameter` and have defaults.
    3. `apply` maps the integrated state at the sample `at` to the state from which the lane continues. It depends only
       on the state and its `StateLayout`: not on a clock, a random number, a formulation or a component name.
    4. The sample at `at` records the state after the event. Several events at one sample happen in the preset's order.
    5. `no_effect_reason` states which part of the event has no effect on a lane, and why; it is empty if all of it
       acts.
    6. `broken_invariants` names the constants of `physics.observables.quantities.QUANTITIES` that even an exact motion
       does not conserve through the event.
    7. `summary` is a short text for a mark on the timeline; `templates` are the events that a window offers.
    8. An event that changes the body, the loads or the step overrides `config_after`. Its `apply` receives the layout
       of the new model, whose `previous` is that of the old one.
    9. An event sets `resets_drift` if later drifts are measured from its resulting state instead of from t = 0.
    10. An event that happens to some lanes only overrides `applies_to`. The other lanes continue bit for bit as without
        it.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    templates: ClassVar[tuple[EventTemplate, ...]]
    broken_invariants: ClassVar[tuple[str, ...]] = ()
    resets_drift: ClassVar[bool] = False

    at: float = parameter(
        unit="s", minimum=0.0, explanation="time of the event, a multiple of the sample interval"
    )

    def __post_init__(self) -> None:
        validate(self)

    @abstractmethod
    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        """Return the state (k,) after the event, given the state before it."""

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        """Return body, loads and steps that are valid after the event.

        The result is `config` itself if the event changes none of them.
        """
        return config

    def applies_to(self, lane: str) -> bool:
        """Return True if the event happens to the lane of that name."""
        return True

    def no_effect_reason(self, blocks: Sequence[StateBlock]) -> str:
        """Return a sentence on which part of the event has no effect on a lane with these state blocks, and
        why. The text is empty if the whole event has an effect.
        """
        return ""

    @property
    @abstractmethod
    def summary(self) -> str:
        """Short description of the event."""
