"""The formulation protocol: one way of writing the equations of motion. Frozen; see the contract."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.core.body import Body
from quatviz.core.errors import phrase
from quatviz.core.loads.base import Load

Solution = Callable[[np.ndarray], np.ndarray]


class Settings(NamedTuple):
    """What a lane sets in the equations themselves: J0 [kg m^2], None for the body's mean moment; Baumgarte's alpha
    and beta [1/s]."""

    J0: float | None = None
    alpha: float = 0.0
    beta: float = 0.0


class Totals(NamedTuple):
    """Kinetic energy (n,) [J], potential energy besides that of the loads (n,) [J], h (n, 3) [kg m^2/s, body]."""

    kinetic: np.ndarray
    potential: np.ndarray
    h: np.ndarray


class Formulation(ABC):
    """One family of equations of motion. The contract, from which a formulation can be written:

    1. One module in `quatviz/formulations/`, or in an outside package behind an entry point of the group
       `quatviz.formulations`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title`
       what people read, `source` the documents' equation numbers.
    2. `variants` names the forms of the family, the first of which may be left out of a lane id
       (`name/variant`); empty where there is one form. An instance is one variant.
    3. The module defines a `NamedTuple` type of its own for what the kernels read (floats, tuples of floats, arrays),
       unlike any other formulation's, and registers `@core.kernel.equations(Parameters)`: `f(par, t, y) -> tuple`, the
       derivative of the state. `parameters` makes one. A variant is a number in it, which the kernel reads, so that one
       compilation serves them all, or has a type of its own where that would cost speed.
       Loads reach the kernel only as the array of `core.loads.pack` and, where `loads.shape[0] > 0`, the sums of
       `core.load_sums`: adding or editing a load never recompiles. Each parameter type has
       fixed field types, so that one variant compiles once.
    4. `state` names the components of the integrated state, in order; a state is a row of that many floats.
       `second_order` says that the state ends with the rates of its first half.
    5. `start` maps (p, omega) at t = 0 to the state; `observe` maps states (n, k) back to p (n, 4), as integrated,
       scalar first, not normalised, and the body angular velocity of p/|p| (n, 3) [rad/s], vectorised.
    6. A form with a multiplier sets `has_multiplier` and registers `@core.kernel.multiplier_of(Parameters)`: lambda [J] in
       the sign of the help's page on formulations, from the very solve that yields the derivative. Others report
       NaN. `multiplier_terms` names the terms of `core.multiplier_theory.TERMS` whose sum lambda must be; None
       where there is no theory.
    7. A form with a singularity sets `singularity_title` (such as "det S") and `threshold` (or `threshold_at`), and registers
       `@core.kernel.singularity_of(Parameters)`, which tends to 0 there. The lane stops at the step where its
       magnitude is within `threshold` or it changes sign, and shows what `explain_singular` says: what happened,
       where, what to try.
    8. `constraint_rate` is p.p' (n,) [1/s] of states (n, k): identically zero where p' = 1/2 L^T omega.
    9. A combination of body and loads that makes no sense for this form raises `core.errors.Refusal` in `parameters`.
    10. Nothing here records, integrates, or alters a state, with one exception: a form whose coordinates must be
       changed on the way registers `@core.kernel.chart_of(Parameters)`, `f(par, y) -> tuple`, which the loop calls
       after every step. It may change coordinates (the shadow set, a new base point), never the motion.
    11. `yields_motion` is False for a form that is known not to follow the body, shown for comparison only.
    12. `system` gives the matrix that a step really solves with, for the condition number: J unless overridden.
    13. A form whose state moves more than the body sets `carries_ring`, needs `body.ring`, and gives `totals` and
       `extras`. Every other form refuses a body with a ring: it would leave the ring out without a word.
    14. A form with a free moment of inertia J0 > 0 sets `free_inertia` and reads `self.settings.J0` in `parameters`.
    15. `stabilisations` names what a lane may ask for. With "renormalise" or "project" the form registers
       `@core.kernel.projection_of(Parameters)`; with "baumgarte" it puts -2 alpha p.p' - 1/2 beta^2 (p.p - 1), from
       `self.settings`, beside -p'.p' where its equations state p.p''.
    16. Two integrators need more than `equations`. A form with a multiplier whose problem can be stated at index 3 sets
       `index3` and registers `core.integrator_hooks.index3_of`; one whose state is p beside components of a vector space sets
       `on_group` and registers `core.integrator_hooks.group_of`. Without these the integrators refuse the form.
    17. A form that is known rather than integrated sets `closed_form`. It registers no kernels and has neither multiplier
       nor singularity; `solution` gives the states at any times, or raises `core.exact.NoClosedForm`: its lane then
       shows `no_closed_form` at t = 0 with that sentence while the others run on, for whether a form is known depends on
       loads and start, which a person edits.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    variants: ClassVar[tuple[str, ...]] = ()
    second_order: ClassVar[bool] = False
    has_multiplier: ClassVar[bool] = False
    singularity_title: ClassVar[str] = ""
    threshold: ClassVar[float] = -1.0
    yields_motion: ClassVar[bool] = True
    free_inertia: ClassVar[bool] = False
    stabilisations: ClassVar[tuple[str, ...]] = ("none",)
    carries_ring: ClassVar[bool] = False
    index3: bool = False
    on_group: ClassVar[bool] = False
    closed_form: ClassVar[bool] = False

    def __init__(self, variant: str = "", settings: Settings | None = None) -> None:
        self.variant = variant or (self.variants[0] if self.variants else "")
        self.settings = settings or Settings()

    @property
    def id(self) -> str:
        """The lane id: `name`, or `name/variant`."""
        return f"{self.name}/{self.variant}" if self.variant else self.name

    @property
    def multiplier_terms(self) -> tuple[str, ...] | None:
        """Which terms of `core.multiplier_theory.TERMS` make up lambda on the sphere, for this variant."""
        return None

    @property
    @abstractmethod
    def state(self) -> tuple[str, ...]:
        """Names of the state's components, in order."""

    @abstractmethod
    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        """What the kernels read, of this variant's own `NamedTuple` type."""

    @abstractmethod
    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        """The state (k,) at p (4,) and body angular velocity omega (3,) [rad/s]."""

    @abstractmethod
    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        """p (n, 4) and omega (n, 3) [rad/s, body] of states (n, k)."""

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """p.p' (n,) [1/s] of states (n, k)."""
        return np.zeros(len(states))

    def system(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """The matrix (n, k, k), or (k, k) if it is constant, of the linear system that yields the derivative."""
        return np.reshape(parameters.inertia, (3, 3))

    def totals(self, states: np.ndarray, parameters: Any) -> Totals | None:
        """Energies and momentum of everything that moves, where that is more than the body; else None."""
        return None

    def extras(self, states: np.ndarray, parameters: Any) -> dict[str, np.ndarray]:
        """Quantities (n,) of `core.observables.QUANTITIES` that only this form has, by name."""
        return {}

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> Solution:
        """What maps times (n,) [s] to states (n, k), for p (4,) and omega (3,) [rad/s, body] at t = 0."""
        raise NotImplementedError(f"{self.name} is integrated")

    def threshold_at(self, dt: float, omega: np.ndarray) -> float:
        """`threshold` for steps of dt [s] of a body that turns with about omega (3,) [rad/s]."""
        return self.threshold

    def explain_singular(self, state: np.ndarray, singularity: float) -> str:
        """One sentence for a person: where it is singular, how close, what to try instead."""
        if not self.singularity_title:
            return phrase("the singularity measure = {singularity:.3g}", singularity=singularity)
        return phrase(
            "{measure} = {singularity:.3g}", measure=phrase(self.singularity_title), singularity=singularity
        )
