"""The formulation protocol: one way of writing the equations of motion. Frozen; see the contract."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance, companion_module
from quatviz.base.errors import Phrase, phrase, titled_name
from quatviz.base.formatting import humanize
from quatviz.physics.formulations._kernels.body import BodyParameters as BodyParameters
from quatviz.physics.kernels.binder import Kernels, bind
from quatviz.physics.loads import bind as bind_loads
from quatviz.physics.loads import pack_loads
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import StateBlock, component_names
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording

StateFunction = Callable[[np.ndarray], np.ndarray]


class FormulationOptions(NamedTuple):
    """What a lane sets in the equations themselves: J0 [kg m^2], None for the body's mean moment; Baumgarte's alpha
    and beta [1/s]; a file that is there, of a form that `reads_file`; what a form that is `is_recorded` shows."""

    J0: float | None = None
    alpha: float = 0.0
    beta: float = 0.0
    file: Path | None = None
    recording: ReadOptions | Recording | None = None
    family: "type[Formulation] | None" = None
    """The class of a lane that brings its equations along; else it is found by its name."""


def pack_body(body: Body, loads: Sequence[Load], load_form: str = "torque") -> dict[str, Any]:
    """The fields of `BodyParameters`, with which the parameters of other forms begin; `load_form` says how its equations
    take loads, one of `loads.LOAD_FORMS`."""
    return {
        "principal": body.is_principal,
        "inertia": tuple(map(float, body.inertia.ravel())),
        "inverse_inertia": tuple(map(float, body.inverse_inertia.ravel())),
        "loads": pack_loads(bind_loads(loads, body), load_form),
    }


class SystemTotals(NamedTuple):
    """Kinetic energy (n,) [J], potential energy besides that of the loads (n,) [J], h (n, 3) [kg m^2/s, body]."""

    kinetic: np.ndarray
    potential: np.ndarray
    h: np.ndarray


class Formulation(ABC):
    """One family of equations of motion. The contract, from which a formulation can be written:

    1. One module or folder in `quatviz/physics/formulations/`, or one in an outside package behind an entry point of the group
       `quatviz.formulations`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title`
       what people read, `source` the documents' equation numbers. In a folder the class stands in `__init__.py`, and type
       and kernels of point 3 in `kernel.py`, which imports modules of kernels alone: then an edit of the class compiles
       nothing anew.
    2. `variants` names the forms of the family, the first of which may be left out of a lane id
       (`name/variant`); empty where there is one form. An instance is one variant.
    3. The module defines a `NamedTuple` type of its own for what the kernels read (floats, tuples of floats; an array would
       cost each step a third more), unlike any other formulation's. The class names it, `parameter_type`, and what is compiled:
       `kernels = kernels.binder.Kernels(rhs=..., ...)`, where `rhs(par, t, y)` is the derivative of the state. What a form
       can do follows from the kernels that it has, and is declared nowhere else. A
       type with the fields of `BodyParameters` is filled by `parameters` as it is here; `extra_parameters` gives what it has
       beyond. A variant is a number in it, which the kernel reads, so that one compilation serves them all.
       `load_form`, one of `loads.LOAD_FORMS`, says how the equations take loads: "torque" unless it says otherwise.
       Loads reach the kernel only as `loads.pack_loads` gives them and, where `PackedLoads.present`, by `loads.body_torque` or
       `loads.generalized_force`: adding or editing a load never recompiles. Each parameter type has
       fixed field types, so that one variant compiles once.
    4. `blocks` says what the integrated state is made of, in order: blocks of a kind (`physics.mechanics.state.StateVariable`)
       with the names of their components; a state is a row of that many floats. Events act by kind, never by name: a kick adds
       J^-1 times the impulse to a BODY_RATE, A J^-1 to a SPACE_RATE, and where the state has no velocity of a kind that it
       knows, it starts the state anew from p and omega (`start`); a reversal turns the sign of every velocity. Names are for
       people. `second_order` says that the state ends with the rates of its first half.
    5. `start` maps (p, omega) at t = 0 to the state; `observe` maps states (n, k) back to p (n, 4), as integrated,
       scalar first, not normalised, and the body angular velocity of p/|p| (n, 3) [rad/s], vectorised.
    6. A form with a multiplier has the kernel `multiplier`: lambda [J] in the sign of the help's page on formulations, from
       the very solve that yields the derivative. Others report NaN. `multiplier_terms` names the terms of
       `physics.observables.multiplier_theory.TERMS` whose sum lambda must be; None where there is no theory.
    7. A form with a singularity has the kernel `singularity`, which tends to 0 there, and sets `singularity_title` (such as
       "det S") and `threshold`. The lane stops at the state where its
       magnitude is within `threshold` or it changes sign, and shows what `explain_singularity` says: what happened,
       where, what to try. With the kernel `singularity_limit` a lane of fixed steps stops earlier, where these are too long
       for the velocity of the state, and shows what `explain_step_limit` says.
    8. `constraint_rate` is p.p' (n,) [1/s] of states (n, k): identically zero where p' = 1/2 L^T omega.
    9. A combination of body and loads that makes no sense for this form raises `base.errors.InputError` in `parameters`.
    10. Nothing here records, integrates, or alters a state, with one exception: a form whose coordinates must be
       changed on the way has the kernel `chart`, which the loop calls after every step. It may change coordinates (the
       shadow set, a new base point), never the motion.
    11. `yields_motion` is False for a form that is known not to follow the body, shown for comparison only.
    12. `system_matrix` gives the matrix that a step really solves with, for the condition number: J unless overridden.
    13. A form whose state moves more than the body sets `carries_ring`, needs `body.ring`, and gives `totals` and
       `extras`. Every other form refuses a body with a ring: it would leave the ring out without a word. A form that can move
       rotors has a kernel that says attitude and angular velocity, `group` or `observed`, and names a type of parameters of its
       own, `rotor_parameter_type`, derived from `_kernels.rotors.RotorParameters`, and `rotor_kernels`, made by `add_rotors`;
       all else follows, see `_rotors`. It reads the body's inertia from its parameters alone, where J* stands for J then.
    14. A form with a free moment of inertia J0 > 0 sets `has_free_inertia` and reads `self.options.J0` in `parameters`.
       One that needs more numbers than a lane can name sets `reads_file`: it is given `self.options.file`, and a lane of it
       must name one.
    15. `stabilisations` names what a lane may ask for. With "renormalise" or "project" the form has
       the kernel `projection`; with "baumgarte" it puts -2 alpha p.p' - 1/2 beta^2 (p.p - 1), from
       `self.options`, beside -p'.p' where its equations state p.p''.
    16. Some integrators need more than `rhs`: `supports_index3`, for a form with a multiplier whose problem can be stated at
        index 3,
       `group`, for one whose state is p beside components of a vector space, and `momentum`, for one whose state is p beside
       the body's angular momentum. Without these the integrators refuse the form.
    17. A form that is known rather than integrated sets `has_closed_form`. It has no kernels, neither multiplier
       nor singularity; `solution` gives the states at any times, or raises `exact.NoClosedForm`: its lane then
       shows `no_closed_form` at t = 0 with that sentence while the others run on, for whether a form is known depends on
       loads and start, which a person edits.
    18. A form that was recorded rather than computed sets `is_recorded` beside `has_closed_form`, and is given
        `self.options.recording`.
       Its `solution` gives the states at times of the run, NaN where nothing is known, and does not depend on body and loads;
       no event happens to it; at `end_time()` [s] its lane ends, `recording_ended`; `remarks()` are told beside the
       lane. It is no measure of what others have wrong, and
       where its file cannot be read its lane shows the status and sentence of what it raises, a subclass of
       `exact.NoClosedForm`.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    family: ClassVar[str] = "Others"
    """Heading under which lists show it; forms with the same equations behind them share one."""
    summary: ClassVar[str] = ""
    """One sentence that says what it is, without a full stop; without it the title is told."""
    blocks: ClassVar[tuple[StateBlock, ...]]
    variants: ClassVar[tuple[str, ...]] = ()
    second_order: ClassVar[bool] = False
    kernels: ClassVar[Kernels | None] = None
    parameter_type: ClassVar[type]
    load_form: ClassVar[str] = "torque"
    has_multiplier: ClassVar[bool] = False
    singularity_title: ClassVar[str] = ""
    threshold: ClassVar[float] = -1.0
    yields_motion: ClassVar[bool] = True
    has_free_inertia: ClassVar[bool] = False
    reads_file: ClassVar[bool] = False
    stabilisations: ClassVar[tuple[str, ...]] = ("none",)
    carries_ring: ClassVar[bool] = False
    rotor_parameter_type: ClassVar[type | None] = None
    rotor_kernels: ClassVar[Kernels | None] = None
    on_group: ClassVar[bool] = False
    has_closed_form: ClassVar[bool] = False
    evaluation_method: ClassVar[str] = ""
    """How the motion of a form with `has_closed_form` is found if not by an exact solution or from a recording."""
    is_recorded: ClassVar[bool] = False
    help: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    measured: ClassVar[tuple[Performance, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Bind the kernels of a form to its parameters. TypeError where it says of itself what they do not bear out."""
        super().__init_subclass__(**kwargs)
        class_attributes = vars(cls)
        if "threshold_at" in class_attributes:
            raise TypeError(
                f"{cls.__qualname__}.threshold_at became the kernel singularity_limit(par, dt, y)"
            )
        for flag in ("has_multiplier", "on_group"):
            if flag in class_attributes:
                raise TypeError(f"{cls.__qualname__}.{flag} follows from its kernels: leave it out")
        kernels = class_attributes.get("kernels")
        if kernels is None:
            return
        bind(cls.parameter_type, kernels, cls.__module__)
        cls.has_multiplier, cls.on_group = kernels.multiplier is not None, kernels.group is not None
        claims = {
            "multiplier": cls.multiplier_terms is not Formulation.multiplier_terms,
            "singularity": bool(cls.singularity_title) or kernels.singularity_limit is not None,
            "projection": not {"renormalise", "project"}.isdisjoint(cls.stabilisations),
        }
        for name, is_claimed in claims.items():
            if is_claimed and getattr(kernels, name) is None:
                raise TypeError(f"{cls.__qualname__} has no kernel {name!r}, and is said to have one")
        if kernels.singularity is not None and not cls.singularity_title:
            raise TypeError(f"{cls.__qualname__} has a singularity: say its singularity_title")

    def __init__(self, variant: str = "", options: FormulationOptions | None = None) -> None:
        self.variant = variant or (self.variants[0] if self.variants else "")
        self.options = options or FormulationOptions()

    @property
    def id(self) -> str:
        """The lane id: `name`, or `name/variant`."""
        return f"{self.name}/{self.variant}" if self.variant else self.name

    @property
    def titled_id(self) -> Phrase:
        """Its lane id within a sentence, which a window tells by its title."""
        return titled_name(self.id, self.title, humanize(self.variant) if self.variant else "")

    @classmethod
    def equations(cls, variant: str) -> tuple[Any, ...]:
        """What a variant solves, `equations.Equation`s in the order of reading, from `equations(variant)` in `card.py`; none
        where it has no card. (Kernels are kept by what their modules import: cards are no part of that.)

        A term's numbers follow from attitude, angular velocity, body and loads in NumPy, never from the form's kernel; lambda is
        what the lane found. So the two sides of an equation differ by what the lane has wrong.
        """
        card = companion_module(cls, "card")
        return tuple(card.equations(variant or (*cls.variants, "")[0])) if card else ()

    @property
    def is_exact(self) -> bool:
        """Whether the motion is an exact solution, against which others can be measured."""
        return self.has_closed_form and not self.is_recorded and not self.evaluation_method

    @property
    def supports_index3(self) -> bool:
        """Whether the constraint and its multiplier can be left to the step, in this variant."""
        return self.kernels is not None and self.kernels.index3 is not None

    @property
    def has_momentum(self) -> bool:
        """Whether its state is p beside the angular momentum of the body, in one variable or another."""
        return self.kernels is not None and self.kernels.momentum is not None

    @property
    def multiplier_terms(self) -> tuple[str, ...] | None:
        """Which terms of `physics.observables.multiplier_theory.TERMS` make up lambda on the sphere, for this variant."""
        return None

    @property
    def component_names(self) -> tuple[str, ...]:
        """Names of the state's components, in order."""
        return component_names(self.blocks)

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        """What the kernels read, a `parameter_type`: what every kernel reads of body and loads, and `extra_parameters`."""
        return self.parameter_type(**pack_body(body, loads, self.load_form), **self.extra_parameters(body))

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        """Fields of `parameter_type` beyond those of `BodyParameters`."""
        return {}

    @abstractmethod
    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        """The state (k,) at p (4,) and body angular velocity omega (3,) [rad/s]."""

    @abstractmethod
    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        """p (n, 4) and omega (n, 3) [rad/s, body] of states (n, k)."""

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """p.p' (n,) [1/s] of states (n, k)."""
        return np.zeros(len(states))

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """The matrix (n, k, k), or (k, k) if it is constant, of the linear system that yields the derivative."""
        return np.reshape(parameters.inertia, (3, 3))

    def totals(self, states: np.ndarray, parameters: Any) -> SystemTotals | None:
        """Energies (n,) and momentum (n, 3) of everything that moves, where that is more than the body; else None."""
        return None

    def rotor_momenta(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        """Axial momenta (n, m) [kg m^2/s] of all rotors of the body; None for a form that moves none."""
        return None

    def center_states(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        """Position [m] and velocity [m/s] (n, 6) of the center of mass in space, where they are part of the state; else None."""
        return None

    def extras(self, states: np.ndarray, parameters: Any) -> dict[str, np.ndarray]:
        """Quantities (n,) of `physics.observables.quantities.QUANTITIES` that only this form has, by name."""
        return {}

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        """What maps times (n,) [s] to states (n, k), for p (4,) and omega (3,) [rad/s, body] at t = 0."""
        raise NotImplementedError(f"{self.name} is integrated")

    def recorded_samples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Times (n,) [s], p (n, 4) and omega (n, 3) [rad/s, body] as they were recorded, of a form that is `is_recorded`; NaN
        where one is not known."""
        return None

    def end_time(self) -> float:
        """Time [s] after which nothing is known of a form that is `is_recorded`."""
        return math.inf

    def remarks(self) -> Sequence[str]:
        """What has to be known of a form that is `is_recorded`, once it is read: what was left out, and how what was not
        measured was found."""
        return ()

    def singularity_limit(self, state: np.ndarray, parameters: Any, dt: float) -> float:
        """Magnitude of the singularity measure within which a lane ends in fixed steps of dt [s] in a state (k,)."""
        kernel = self.kernels.singularity_limit if self.kernels is not None else None
        if kernel is None:
            return self.threshold
        try:
            with np.errstate(all="ignore"):
                return max(self.threshold, float(kernel(parameters, dt, tuple(map(np.float64, state)))))
        except ValueError:  # a root or a sine of what is no state
            return self.threshold

    def closest_approach(self, state: np.ndarray, parameters: Any) -> float:
        """Estimate the smallest magnitude of the singularity measure that the motion reaches from a state (k,) on, if the body
        keeps its angular velocity in space; 0 where nothing keeps it from the singularity."""
        return 0.0

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        """One sentence for a person: the state is too near to the singularity for steps of the lane's length, though not within
        `threshold`. Steps of dt [s] would pass; 0 where none would."""
        return phrase(
            "{measure} = {singularity:.3g} is too near the singularity for steps of this length; try another formulation{shorter}",
            measure=phrase(self.singularity_title or "the singularity measure"),
            singularity=singularity,
            shorter=phrase(", or dt = {dt:.2g} s", dt=dt) if dt > 0.0 else "",
        )

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        """One sentence for a person: where it is singular, how close, what to try instead."""
        if not self.singularity_title:
            return phrase("the singularity measure = {singularity:.3g}", singularity=singularity)
        return phrase(
            "{measure} = {singularity:.3g}", measure=phrase(self.singularity_title), singularity=singularity
        )
