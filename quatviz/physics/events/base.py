"""The event protocol: what can happen to a motion at one instant. Frozen; change it only in a commit of its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.parameters import Parameterized, parameter, validate
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices


@dataclass(frozen=True)
class PhysicalConfig:
    """What moves, what acts on it, and the step [s] of the lanes that name none. `lanes` holds what some lanes set otherwise
    than at the start: fields of `files.preset.Lane` with their values, by the lane's name."""

    body: Body
    loads: tuple[Load, ...]
    dt: float
    lanes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def _unknown_inertia(state: np.ndarray) -> np.ndarray:
    raise NotImplementedError("this layout knows no inertia")


@dataclass(frozen=True)
class StateLayout:
    """How a lane's state (k,) is read: the blocks that it is made of; `observe` maps it to p (4,) and omega (3,) [rad/s, body],
    `start` maps these back to a state, p as it is given, not normalised. `inertia` gives the matrix (3 + m, 3 + m) [kg m^2]
    of the kinetic energy in omega and the m velocities inside the body, at a state. `previous` is the layout in which the
    state is that comes in, where the event gives the lane another setting. `body` moves by it."""

    blocks: tuple[StateBlock, ...]
    observe: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    start: Callable[[np.ndarray, np.ndarray], np.ndarray]
    inertia: Callable[[np.ndarray], np.ndarray] = _unknown_inertia
    previous: "StateLayout | None" = None
    body: Body | None = None

    def indices(self, *variables: StateVariable) -> list[int]:
        """Where the components of these kinds stand, in the state's order; empty where it has none."""
        return component_indices(self.blocks, *variables)

    def restart(self, state: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """The state at p (4,) and omega (3,) [rad/s, body], in which what is inside the body goes on as in `state`."""
        new_state = self.start(p, omega)
        inner_indices = self.indices(
            StateVariable.INNER_COORDINATES, StateVariable.INNER_RATES, StateVariable.ROTOR_MOMENTA
        )
        new_state[inner_indices] = state[inner_indices]
        return new_state


@dataclass(frozen=True)
class EventTemplate:
    """An event that a window offers at the cursor.

    `label` is its menu text. `values` are the fields that the user can edit, with their initial values; other fields
    keep their defaults.
    """

    name: str
    label: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Event(Parameterized, ArrayEquality, ABC):
    """Something that happens to every lane of a run at the time `at`. The contract, from which an event can be written:

    1. One module in `quatviz/physics/events/`, or in an outside package behind an entry point of the group
       `quatviz.events`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name and
       the `kind` of a preset's `[[events]]`, `title` what people read.
    2. Further fields are made with `base.parameters.parameter` and have defaults.
    3. `apply` maps the state that the equations have led to at the sample `at` to the state from which the lane goes
       on. It depends on the state and its `StateLayout` alone: no clock, no chance, no formulation and no component by name.
    4. The sample at `at` records the state after the event; several at one sample happen in the preset's order.
    5. `no_effect_reason` says what of the event has no effect on a lane, and why; empty where all of it acts.
    6. `broken_invariants` names those constants of `physics.observables.quantities.QUANTITIES` that even an exact motion does
       not keep through it.
    7. `summary` are a few words for a mark on the timeline; `templates` what a window can offer to do.
    8. An event after which another body moves, other loads act or steps are of another size overrides `config_after`. Its
       `apply` then has the new setting's layout, which has the old one as `previous`.
    9. One after which drifts are measured from the state that it makes, not from t = 0, sets `resets_drift`.
    10. One that happens to some lanes only overrides `applies_to`: the others go on as if there were none, bit by bit.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    templates: ClassVar[tuple[EventTemplate, ...]]
    broken_invariants: ClassVar[tuple[str, ...]] = ()
    resets_drift: ClassVar[bool] = False

    at: float = parameter(
        unit="s", minimum=0.0, explanation="when it happens, a multiple of the sample interval"
    )

    def __post_init__(self) -> None:
        validate(self)

    @abstractmethod
    def apply(self, state: np.ndarray, layout: StateLayout) -> np.ndarray:
        """The state (k,) after the event, from the one before it."""

    def config_after(self, config: PhysicalConfig) -> PhysicalConfig:
        """What moves and acts from here on: `previous` itself where the event changes nothing of it."""
        return config

    def applies_to(self, lane: str) -> bool:
        """Whether it happens to the lane of that name."""
        return True

    def no_effect_reason(self, blocks: Sequence[StateBlock]) -> str:
        """What has no effect on a lane whose state is made of these blocks, and why."""
        return ""

    @property
    @abstractmethod
    def summary(self) -> str:
        """Short description of the event."""
