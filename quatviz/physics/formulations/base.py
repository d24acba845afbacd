"""The formulation protocol: a way of writing the equations of motion.

The class `Formulation` states the contract; plug-in packages depend on it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
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
    """Settings of a lane that enter the equations.

    Attributes
    ----------
    J0
        Free parameter J0 > 0 [kg m^2] of Udwadia and Schutte's mass matrix, the inertia assigned to changes of
        the quaternion's magnitude |u|; None for the body's mean moment.
    alpha, beta
        Baumgarte's coefficients [1/s].
    file
        Path of the file that a formulation with `reads_file` reads. The file exists.
    recording
        Recording that a formulation with `is_recorded` shows.
    """

    J0: float | None = None
    alpha: float = 0.0
    beta: float = 0.0
    file: Path | None = None
    recording: ReadOptions | Recording | None = None
    family: "type[Formulation] | None" = None
    """Formulation class of a lane that supplies its own equations; None if the formulation is selected by its
    name."""


def pack_body(body: Body, loads: Sequence[Load], load_form: str = "torque") -> dict[str, Any]:
    """Return the values of the fields of `BodyParameters`, with which most types of parameters begin.

    `load_form` is one of `loads.LOAD_FORMS` and determines how the equations take loads.
    """
    return {
        "principal": body.is_principal,
        "inertia": tuple(map(float, body.inertia.ravel())),
        "inverse_inertia": tuple(map(float, body.inverse_inertia.ravel())),
        "loads": pack_loads(bind_loads(loads, body), load_form),
    }


class SystemTotals(NamedTuple):
    """Energies and angular momentum of body and inner parts together, at n states.

    The fields are the kinetic energy (n,) [J], the potential energy (n,) [J] except that of loads, and h (n, 3) [kg
    m^2/s, body].
    """

    kinetic: np.ndarray
    potential: np.ndarray
    h: np.ndarray


class Formulation(ABC):
    """A family of equations of motion. Contract for a new formulation:

    1. One module or folder in `quatviz/physics/formulations/`, or one in an outside package behind an entry point of
       the group `quatviz.formulations`, defines one concrete subclass. `name` is the module's name
       (free for a plug-in), `title` is shown to the user, `source` gives the equation numbers of the documents. In a
       folder the class is in `__init__.py`, and type and kernels of point 3 are in `kernel.py`, which imports only
       modules of kernels, so that an edit of the class recompiles nothing.
    2. `variants` names the forms of the family, the first of which is the default of a lane id (`name/variant`); it is
       empty for a single form. An instance is one variant.
    3. The module defines a `NamedTuple` type for the parameters of its kernels (floats and tuples of floats; an array
       would make each step a third slower), different from that of any other formulation. The class declares it as
       `parameter_type`, and its compiled functions as
       `kernels = kernels.binder.Kernels(rhs=..., ...)`, where `rhs(par, t, y)` is the derivative of the state. The
       kernels alone determine what a formulation supports. If the type has the fields of `BodyParameters`, the
       inherited `parameters` fills them, and `extra_parameters` returns the values of all other fields. A variant is a
       number in the parameters, which the kernel reads, so that one compilation serves all variants. `load_form`, one of
       `loads.LOAD_FORMS`, says how the equations take loads, by default "torque". A kernel receives loads only as
       returned by `loads.pack_loads` and, if `PackedLoads.present`, evaluates them by `loads.body_torque` or
       `loads.generalized_force`: adding or editing a load never recompiles. The fields of a parameter type have fixed
       types, so that a variant compiles once.
    4. `blocks` describes the integrated state: blocks with a meaning (`physics.mechanics.state.StateVariable`) and the
       names of their components, in order. A state is a row of that many floats. Events act by meaning, never by name:
       a kick adds J^-1 times the impulse to a BODY_RATE, A J^-1 times the impulse to a SPACE_RATE, and restarts a state
       without a known velocity from p and omega (`start`); a reversal changes the sign of every velocity. Names are for
       the user. `second_order` is True if the second half of the state contains the rates of the first half.
    5. `start` maps (p, omega) at t = 0 to the state. `observe` maps states (n, k) to p (n, 4), as integrated, scalar
       first, not normalized, and to the angular velocity (n, 3) [rad/s, body] of p/|p|, vectorized.
    6. A formulation with a multiplier has the kernel `multiplier`: lambda [J] with the sign of the help's page on
       formulations, from the same linear solve that yields the derivative. Others report NaN. `multiplier_terms` names
       the terms of `physics.observables.multiplier_theory.TERMS` whose sum lambda must be; None without a theory.
    7. A formulation with a singularity has the kernel `singularity`, which tends to 0 there, and defines
       `singularity_title` (such as "det S") and `threshold`. The lane stops at the state at which the magnitude of the
       measure is within `threshold` or its sign changes, and shows the text of `explain_singularity`: what happened,
       where, and what to try. With the kernel `singularity_limit` a lane of fixed steps stops earlier, when these are
       too long for the velocity of the state, and shows `explain_step_limit`.
    8. `constraint_rate` is p.p' (n,) [1/s] of states (n, k): identically zero if p' = 1/2 L^T omega.
    9. `parameters` raises `base.errors.InputError` for a body or loads that the formulation cannot represent.
    10. A formulation does not record, integrate, or alter a state, with one exception: if its coordinates must be
        changed during a run, it has the kernel `chart`, which the loop calls after every step. The kernel may change
        coordinates (the shadow set, a new reference quaternion), never the motion.
    11. `yields_motion` is False for a formulation that is known not to follow the body and is shown for comparison
        only.
    12. `system_matrix` returns the matrix of the linear system that a step solves, for the condition number: J unless
        overridden.
    13. A formulation whose state includes more than the body sets `carries_ring`, requires `body.ring`, and implements
        `totals` and `extras`. Every other formulation refuses a body with a ring, which it would silently ignore. A
        formulation sets `supports_rotors` if it has a kernel that returns attitude and angular velocity, `group` or
        `observed`, and reads the body's inertia only from its parameters, which then contain J* in place of J.
        `_rotors` extends such a formulation by rotors.
    14. A formulation with a free moment of inertia J0 > 0 sets `has_free_inertia` and reads `self.options.J0` in
        `parameters`. One that needs more numbers than a lane can hold sets `reads_file`: its lanes must name a file,
        and it receives `self.options.file`.
    15. `stabilisations` names the stabilizations that a lane may choose. For "renormalise" or "project" the formulation
        has the kernel `projection`; for "baumgarte" it adds -2 alpha p.p' - 1/2 beta^2 (p.p - 1), from `self.options`,
        to -p'.p' in its equation for p.p''.
    16. Some integrators need more than `rhs`: the kernels `index3`, for a formulation with a multiplier whose problem
        can be stated at index 3; `group`, for one whose state consists of p and of components in a vector space; and
        `momentum`, for one whose state consists of p and the body's angular momentum. Without these kernels the
        integrators refuse the formulation.
    17. A formulation that is known in closed form rather than integrated sets `has_closed_form`. It has no kernels, and
        neither multiplier nor singularity. `solution` returns the states at any times, or raises `exact.NoClosedForm`;
        its lane then shows `no_closed_form` at t = 0 with the message, while other lanes run, since a closed form
        depends on loads and initial state, which the user edits.
    18. A formulation that shows a recording sets `is_recorded` in addition to `has_closed_form`, and receives
        `self.options.recording`. Its `solution` returns the states at times of the run, NaN where unknown, and does not
        depend on body and loads. Events do not act on it. Its lane ends at `end_time()` [s] with `recording_ended`, and
        `remarks()` are shown beside the lane. It is not used as a reference for the errors of other lanes. If its file
        cannot be read, its lane shows status and message of the raised exception, a subclass of `exact.NoClosedForm`.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    family: ClassVar[str] = "Others"
    """Heading of the formulation in lists. Formulations of the same equations share a heading."""
    summary: ClassVar[str] = ""
    """Description of the formulation in one sentence without a full stop.

    If it is empty, the title is used instead.
    """
    blocks: ClassVar[tuple[StateBlock, ...]]
    variants: ClassVar[tuple[str, ...]] = ()
    variant_summaries: ClassVar[Mapping[str, str]] = {}
    """Descriptions of how the variants differ, by name of the variant. Each is one sentence without a full stop and is
    shown after the summary."""
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
    supports_rotors: ClassVar[bool] = False
    on_group: ClassVar[bool] = False
    has_closed_form: ClassVar[bool] = False
    evaluation_method: ClassVar[str] = ""
    """Text that says how the motion is computed, for a formulation with `has_closed_form` that is neither an exact
    solution nor a recording.
    """
    is_recorded: ClassVar[bool] = False
    help: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    measured: ClassVar[tuple[Performance, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Bind the kernels of a formulation to its parameters. Raise TypeError if its attributes contradict its
        kernels."""
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
                raise TypeError(f"{cls.__qualname__} has no kernel {name!r}, although it declares one")
        if kernels.singularity is not None and not cls.singularity_title:
            raise TypeError(f"{cls.__qualname__} has a singularity: define its singularity_title")

    def __init__(self, variant: str = "", options: FormulationOptions | None = None) -> None:
        self.variant = variant or (self.variants[0] if self.variants else "")
        self.options = options or FormulationOptions()

    @property
    def id(self) -> str:
        """Lane id: `name`, or `name/variant`."""
        return f"{self.name}/{self.variant}" if self.variant else self.name

    @property
    def titled_id(self) -> Phrase:
        """Lane id for use in a sentence. The window shows the title of the formulation in its place."""
        return titled_name(self.id, self.title, humanize(self.variant) if self.variant else "")

    @classmethod
    def equations(cls, variant: str) -> tuple[Any, ...]:
        """Return the equations of a variant in reading order, as defined by `equations(variant)` in `card.py`.

        The tuple is empty if the formulation has no `card.py`. A card is a separate module because the cache keys of
        kernels depend on imported modules.

        Notes
        -----
        The terms are evaluated in NumPy from p, omega, body and loads, independently of the formulation's kernel. Only
        lambda is taken from the lane. A difference between the two sides therefore shows the error of the lane.
        """
        card = companion_module(cls, "card")
        return tuple(card.equations(variant or (*cls.variants, "")[0])) if card else ()

    @classmethod
    def own_symbols(cls) -> tuple[Any, ...]:
        """Return the symbols that only this formulation's equations use, as defined by `SYMBOLS` in `card.py`."""
        return tuple(getattr(companion_module(cls, "card"), "SYMBOLS", ()))

    @property
    def is_exact(self) -> bool:
        """True if the motion is an exact solution, which can serve as a reference for other lanes."""
        return self.has_closed_form and not self.is_recorded and not self.evaluation_method

    @property
    def supports_index3(self) -> bool:
        """True if integrators of the index-3 problem, which determine the multiplier themselves, support this variant."""
        return self.kernels is not None and self.kernels.index3 is not None

    @property
    def has_momentum(self) -> bool:
        """True if the state consists of p and a quantity equivalent to the body's angular momentum."""
        return self.kernels is not None and self.kernels.momentum is not None

    @property
    def multiplier_terms(self) -> tuple[str, ...] | None:
        """Names of the terms of `physics.observables.multiplier_theory.TERMS` whose sum is lambda on the sphere, for
        this variant."""
        return None

    @property
    def component_names(self) -> tuple[str, ...]:
        """Names of the state's components, in order."""
        return component_names(self.blocks)

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        """Return the parameters that the kernels read, an instance of `parameter_type`.

        They consist of the fields for body and loads and of the fields that `extra_parameters` returns.
        """
        return self.parameter_type(**pack_body(body, loads, self.load_form), **self.extra_parameters(body))

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        """Return the values of the fields that `parameter_type` has in addition to those of `BodyParameters`."""
        return {}

    @abstractmethod
    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        """Return the state (k,) at p (4,) and the angular velocity omega (3,) [rad/s, body]."""

    @abstractmethod
    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return p (n, 4) and omega (n, 3) [rad/s, body] of states (n, k)."""

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """Return the rate p.p' (n,) [1/s] at which states (n, k) leave the sphere."""
        return np.zeros(len(states))

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        """Return the matrix of the linear system that yields the derivative, (n, k, k), or (k, k) if it is
        the same for all states (n, k).
        """
        return np.reshape(parameters.inertia, (3, 3))

    def totals(self, states: np.ndarray, parameters: Any) -> SystemTotals | None:
        """Return the totals of body and inner parts at states (n, k), or None if nothing moves inside the
        body.
        """
        return None

    def rotor_momenta(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        """Return the axial momenta (n, m) [kg m^2/s] of all rotors of the body, or None for a formulation without
        rotors."""
        return None

    def center_states(self, states: np.ndarray, parameters: Any) -> np.ndarray | None:
        """Return position [m, space] and velocity [m/s, space] of the center of mass (n, 6).

        Return None if they are not part of the state.
        """
        return None

    def extras(self, states: np.ndarray, parameters: Any) -> dict[str, np.ndarray]:
        """Return the quantities (n,) that only this formulation defines, by their names in
        `physics.observables.quantities.QUANTITIES`.
        """
        return {}

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        """Return a function from times (n,) [s] to states (n, k) of the motion that has p (4,) and omega (3,)
        [rad/s, body] at t = 0.
        """
        raise NotImplementedError(f"{self.name} is integrated")

    def recorded_samples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the recorded times (n,) [s], p (n, 4) and omega (n, 3) [rad/s, body] of a formulation that
        `is_recorded`; NaN where unknown."""
        return None

    def end_time(self) -> float:
        """Return the time [s] after which a formulation that `is_recorded` has no more data."""
        return math.inf

    def remarks(self) -> Sequence[str]:
        """Return remarks on a recording: what was left out, and how values that were not measured were determined."""
        return ()

    def singularity_limit(self, state: np.ndarray, parameters: Any, dt: float) -> float:
        """Return the magnitude of the singularity measure below which a lane with fixed steps of dt [s] ends, for a
        state (k,)."""
        kernel = self.kernels.singularity_limit if self.kernels is not None else None
        if kernel is None:
            return self.threshold
        try:
            with np.errstate(all="ignore"):
                return max(self.threshold, float(kernel(parameters, dt, tuple(map(np.float64, state)))))
        except ValueError:  # a root or a sine of an invalid state
            return self.threshold

    def closest_approach(self, state: np.ndarray, parameters: Any) -> float:
        """Estimate how close the motion from a state (k,) comes to the singularity, as the smallest magnitude of the
        singularity measure.

        The estimate assumes a constant angular velocity in space. It is 0 if the motion may reach the singularity.
        """
        return 0.0

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        """Return a sentence for the user about a state that is too close to the singularity for the steps of the lane.

        The singularity measure of the state is still larger than `threshold`. `dt` [s] is a step that would be short
        enough; 0 if there is none.
        """
        return phrase(
            "{measure} = {singularity:.3g} is too near the singularity for steps of this length. Try another formulation{shorter}",
            measure=phrase(self.singularity_title or "the singularity measure"),
            singularity=singularity,
            shorter=phrase(", or dt = {dt:.2g} s", dt=dt) if dt > 0.0 else "",
        )

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        """Return one sentence for the user: where the state is singular, how close it is, and what to try instead."""
        if not self.singularity_title:
            return phrase("the singularity measure = {singularity:.3g}", singularity=singularity)
        return phrase(
            "{measure} = {singularity:.3g}", measure=phrase(self.singularity_title), singularity=singularity
        )
