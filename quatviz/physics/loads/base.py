"""The load protocol: what one kind of load is, and what it is on a body. Frozen; change it only in a commit of its own that
says why."""

from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError
from quatviz.base.expression import Expression
from quatviz.base.parameters import Parameterized, has_expression, parameters_of, validate
from quatviz.base.registry import Registry
from quatviz.physics.loads._kernels.rows import MAX_KERNEL_NUMBERS as MAX_KERNEL_NUMBERS
from quatviz.physics.loads._start_values import MotionScale
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import from_matrix, rotate, rotate_back, rotation_matrix

KERNEL_NAMES = ("torque_kernel", "gradient_kernel", "application_kernel")
"""Attributes of a load that are its kernels."""


class ConstantLoad(NamedTuple):
    """A force [N] at a `point` (3,) [m, body], or without one a torque [N m], whose components `vector` (3,) in one `frame`,
    "space" or "body", are always the same."""

    frame: str
    vector: np.ndarray
    point: np.ndarray | None = None

    @property
    def has_potential(self) -> bool:
        """Whether it has V = -f^T A u."""
        return self.frame == "space" and self.point is not None


class Load(Parameterized, ArrayEquality, ABC):
    """One load. The contract, from which a load can be written:

    1. One module in `quatviz/physics/loads/`, or in an outside package behind an entry point of the group
       `quatviz.loads`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name and the
       `kind` of a preset's `[[loads]]`. In a folder the class stands in `__init__.py`, and the kernels of points 4 to 6 in
       `kernel.py`, which imports modules of kernels alone.
    2. Its fields are made with `base.parameters.parameter`, so that unit, shape, limits and explanation are
       declared once, for checking, which happens when one is made, and for widgets.
    3. A load whose force or torque keeps its components in space or in the body says so by `constant`, and that is all:
       torque, potential and what the kernels read follow from it. All such loads of a body are added up before a run.
    4. Any other load sets `torque_kernel(row, t, p, omega)`, decorated with `physics.kernels.binder.inline`: the body torque
       about the body's reference point (3) [N m, body] for `row` (`MAX_KERNEL_NUMBERS` floats), `t` [s], `p` (4, scalar first, not
       necessarily unit: `A` means `G L^T`) and `omega` (3) [rad/s, body]. `row` packs these floats: a load is data, and a changed
       number never recompiles. `torque_on` is the same for arrays in NumPy: written twice, so that each checks the other.
    5. A load with a potential sets `gradient_kernel(row, t, p)`, dV/dp (4) [J], and overrides `potential_on`, which may
       depend on t, both with `A = G L^T` off the sphere, so that they are homogeneous in p. On the sphere `-1/2 L dV/dp` equals
       the torque; tests check it for every load.
    6. A force at a body point that the Lagrangian load forms `split` and `gradient` are to see as one sets
       `application_kernel(row, t, p)`, the force (3) [N, space] and the point (3) [m, body]. Of others they take the torque.
    7. `force_on` is the force at a body point that a person is shown; a pure torque has none.
    8. Magnitudes are declared with `timed=True`: a person may type an expression of t for them. Torque and potential must
       be linear in all timed fields of a load together. Its methods and kernels never see an expression: a load that is
       bound to a body is divided into loads with numbers, each of which is multiplied by a function of time. Magnitudes that
       take numbers alone, such as a matrix of coefficients, are named by `linear_fields`: they are 0 in the parts that belong
       to an expression.
    9. `conserves_energy` says whether T + V stays constant under this load as long as its magnitudes do: True with a potential
       that does not depend on t. `is_zero` says whether it can exert no torque in any state, as with zeros for magnitudes.
    10. `position_matters` says whether it would be another load if the body were moved without turning, as a spring to an
       anchor is; the translation of a free body is known only where none is.
    11. A force that depends on where the centre of mass of a free body is, and on nothing else, is `translational_force`: it
        turns no body
       that is free, so that its translation can be integrated beside the rotation.
    12. `reference_torque` is its torque written once more, from what it is, for `quatviz verify` to compare lanes with: it shares
       nothing with kernels, `constant`, `force_on` or `torque_on`. Where it is not written, these stand in.
    13. A torque that jumps says by `discontinuity_branch` where: `quatviz verify` compares lanes up to there, and anew from
        behind it.
    14. `samples` are loads of the kind with numbers that do something: what tests and `quatviz verify` try it with.
    15. A load of a centre that attracts says by `vertical` where up is, and by `orbital_frame` how the frame of its orbit is
        turned: both are drawn in 3D.
    16. What the help says of it: `action_text` in the column *what acts* of the table of loads, `potential_text` in the next
        one, and
       `help`, a section of its own where more is to be said; `sort_order` is where it stands there.
    17. A load whose torque changes abruptly at times that it knows, beside those that its expressions show, gives these by
       `switch_times`: those of jumps and kinks, and of a short pulse both ends and its middle. Adaptive steps end there; they
       may leap over what is shorter than they are and not given.
    18. `start_values` gives the values with which a load that a person adds begins: large enough for an effect that can be seen.
    19. `body_remark` says in one sentence what of the load contradicts the body that it acts on, such as a weight away from
       the centre of mass; the run goes on, with that sentence beside its first lane.

    Who computes with a load asks `bind(body)`, never the methods of this class with `_on` in their names.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    torque_kernel: ClassVar[Callable[..., Any] | None] = None
    gradient_kernel: ClassVar[Callable[..., Any] | None] = None
    application_kernel: ClassVar[Callable[..., Any] | None] = None
    position_matters: ClassVar[bool] = False
    linear_fields: ClassVar[tuple[str, ...]] = ()
    action_text: ClassVar[str] = ""
    potential_text: ClassVar[str] = "none"
    help: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    is_control: ClassVar[bool] = False
    """Whether it is the torque of a controller, whose effort is measured."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def named_numbers(self) -> Mapping[str, float]:
        """Numbers that this load has besides its declared parameters, by name."""
        return {}

    def with_named_numbers(self, numbers: Mapping[str, float]) -> Self:
        """Return this load with other named numbers."""
        return self

    def text_fault(self, name: str, text: str) -> InputError | None:
        """Return what is wrong with a text for the parameter of this name, while it is typed; None if nothing is."""
        return None

    def missing_numbers(self, name: str, text: str) -> Sequence[str]:
        """Return the names that such a text reads, and that could be named numbers of this load."""
        return ()

    def undeclared_table(self) -> dict[str, Any]:
        """What a text says of it besides its declared parameters, as plain values by key."""
        return {}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        """What to try the kind with; none where it cannot be tried."""
        return ()

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        """Return values of fields for a new load on a body with this motion. The defaults stand for the others."""
        return {}

    def bind(self, body: Body) -> "BoundLoad":
        """This load on that body."""
        return BoundLoad(self, body)

    @property
    def timed(self) -> bool:
        """Whether any number is an expression of time."""
        return any(has_expression(getattr(self, name)) for name in _magnitude_fields(self))

    @property
    def constant(self) -> ConstantLoad | None:
        """The force or torque, if its components are always the same in space or in the body."""
        return None

    @property
    def conserves_energy(self) -> bool:
        """Whether T + V stays constant under it."""
        constant = self.constant
        return self.gradient_kernel is not None if constant is None else constant.has_potential

    @property
    def is_zero(self) -> bool:
        """Whether it can never exert a torque; it is linear in what may be timed."""
        constant = self.constant
        if constant is None:
            magnitudes = [getattr(self, name) for name in _magnitude_fields(self)]
            return bool(magnitudes) and not any(map(np.any, magnitudes))
        return not np.any(constant.vector) or (constant.point is not None and not np.any(constant.point))

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        """n (3,) [N m, body] at t [s], for A (3, 3) from body to space, omega (3,) [rad/s, body] and the inertia J (3, 3)."""
        p = from_matrix(A)
        return self.torque_on(Body(inertia=J), np.array([t]), p[None], omega[None])[0]

    def body_remark(self, body: Body) -> str:
        """Return what of this load contradicts the body, and what to write, in one sentence; "" where they fit."""
        return ""

    def discontinuity_branch(self, p: np.ndarray) -> np.ndarray | None:
        """On which side of a jump of its torque it is at p (n, 4): False or True (n,); None where it never jumps."""
        return None

    def switch_times(self, duration: float) -> Sequence[float]:
        """Times [s] in a run of `duration` [s] at which the torque changes abruptly by itself; see the contract."""
        return ()

    def row(self, body: Body) -> tuple[float, ...]:
        """The numbers that this load's kernels read."""
        return ()

    def force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at times (n,) [s] and unit p (n, 4); None for a pure torque."""
        constant = self.constant
        if constant is None or constant.point is None:
            return None
        force = np.broadcast_to(constant.vector, (len(p), 3))
        return (rotate(p, force) if constant.frame == "body" else force), np.asarray(constant.point)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Body torque (n, 3) [N m] about the reference point at times (n,) [s], unit p (n, 4) and omega (n, 3) [rad/s, body]."""
        constant = self.constant
        if constant is not None:
            vector = np.broadcast_to(constant.vector, (len(p), 3))
            in_body = rotate_back(p, vector) if constant.frame == "space" else vector
            return in_body if constant.point is None else np.cross(constant.point, in_body)
        point_force = self.force_on(body, t, p)
        if point_force is not None:
            return np.cross(point_force[1], rotate_back(p, point_force[0]))
        numbers, kernel = self.row(body), find_kernel(self, "torque_kernel")
        assert kernel is not None
        row = (*numbers, *(0.0,) * (MAX_KERNEL_NUMBERS - len(numbers)))
        states = zip(t.tolist(), map(tuple, p.tolist()), map(tuple, omega.tolist()), strict=True)
        return np.array([kernel(row, *state) for state in states], dtype=np.float64).reshape(-1, 3)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """V (n,) [J] at times (n,) [s] and Euler parameters (n, 4), as they are; zero for a load without potential."""
        constant = self.constant
        if constant is None or not constant.has_potential:
            return np.zeros(p.shape[:-1])
        return -(rotation_matrix(p) @ constant.point) @ np.asarray(constant.vector)

    def translational_force(self, centre: np.ndarray) -> np.ndarray | None:
        """Force (3,) [N, space] on a free body whose centre of mass is at (3,) [m, space], by that place alone; None for a load
        that has none."""
        return None

    def vertical(self, t: float) -> np.ndarray | None:
        """The unit vector (3,) of space, at t [s], from a centre that attracts to the body; None for a load that has none."""
        return None

    def orbital_frame(self, t: np.ndarray) -> np.ndarray | None:
        """Return the rotation (n, 3, 3) from the frame of the orbit to space at times (n,) [s].

        Its columns are the unit vectors forward (in the plane of the orbit, perpendicular to up), along the normal of the
        orbit, and up (away from the attracting centre). None for a load without an orbit.
        """
        return None

    @property
    def guide_normal(self) -> np.ndarray | None:
        """Unit vector (3,) [space] along which a spring pulls whose other end slides on a guide; None for other loads."""
        return None


LOADS: Registry[type[Load]] = Registry(__name__.rpartition(".")[0], Load)
"""Every kind of load by its name."""


class BoundLoad:
    """A load on a body: all that has force, torque and potential, whether its magnitudes are numbers or expressions of time.

    `parts` are loads with numbers, each with the expression that it is multiplied by, or None; kernels read the same parts.
    """

    def __init__(self, load: Load, body: Body) -> None:
        self.load, self.body = load, body
        self.parts: tuple[tuple[Load, Expression | None], ...] = tuple(split_by_time_function(load))

    @property
    def name(self) -> str:
        return self.load.name

    @property
    def anchor(self) -> np.ndarray | None:
        """Where in space (3,) [m] it is fixed, if it is drawn to a place."""
        return getattr(self.load, "anchor", None)

    @property
    def guide_normal(self) -> np.ndarray | None:
        """Unit vector (3,) [space] along which a spring pulls whose other end slides on a guide; None for other loads."""
        return self.load.guide_normal

    @property
    def constant(self) -> ConstantLoad | None:
        """The force or torque, if its components are always the same in space or in the body: not where one is timed."""
        return None if self.load.timed else self.load.constant

    @property
    def constant_force_frame(self) -> str | None:
        """The frame, "space" or "body", in which a force never changes; None where it may, and for a torque."""
        constant = self.constant
        return None if constant is None or constant.point is None else constant.frame

    @property
    def is_zero(self) -> bool:
        """Whether it can never exert a torque. What is typed as an expression may."""
        return not self.load.timed and self.load.is_zero

    @property
    def conserves_energy(self) -> bool:
        """Whether T + V stays constant under it."""
        return not self.load.timed and self.load.conserves_energy

    @property
    def has_potential(self) -> bool:
        """Whether it enters Hamilton's equations by a potential."""
        constant = self.parts[0][0].constant
        return self.load.gradient_kernel is not None if constant is None else constant.has_potential

    @property
    def is_point_force(self) -> bool:
        """Whether it is a force at a body point to the Lagrangian load forms; others enter by their torque."""
        constant = self.parts[0][0].constant
        if constant is not None:
            return constant.point is not None
        return self.load.application_kernel is not None

    @property
    def position_matters(self) -> bool:
        return self.load.position_matters

    def force(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at times (n,) [s] and unit p (n, 4); None for a pure torque."""
        forces = [(part.force_on(self.body, t, p), factor) for part, factor in self.parts]
        total, point = np.zeros((len(p), 3)), None
        for point_force, factor in forces:
            if point_force is None:
                return None
            total, point = (
                total + _scale_vectors(factor, t, point_force[0]),
                point_force[1],
            )  # where it acts is no magnitude
        return None if point is None else (total, point)

    def torque(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Body torque (n, 3) [N m] about the reference point at times (n,) [s], unit p (n, 4) and omega (n, 3) [rad/s, body]."""
        torques = (
            _scale_vectors(factor, t, part.torque_on(self.body, t, p, omega)) for part, factor in self.parts
        )
        return sum(torques, np.zeros((len(p), 3)))

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """V (n,) [J] at times (n,) [s] and Euler parameters (n, 4), as they are, not normalised."""
        parts = (
            part.potential_on(self.body, t, p) * (1.0 if factor is None else factor.evaluate(t))
            for part, factor in self.parts
        )
        return sum(parts, np.zeros(p.shape[:-1]))

    def translational_force(self, centre: np.ndarray) -> np.ndarray | None:
        """Force (3,) [N, space] on a free body whose centre of mass is at (3,) [m, space], by that place alone."""
        return self.load.translational_force(centre)

    def vertical(self, t: float) -> np.ndarray | None:
        """The unit vector (3,) of space, at t [s], from a centre that attracts to the body; None where there is none."""
        return self.load.vertical(t)

    def orbital_frame(self, t: np.ndarray) -> np.ndarray | None:
        """Return the rotation (n, 3, 3) from the frame of the orbit to space at times (n,) [s]; see `Load.orbital_frame`."""
        return self.load.orbital_frame(t)


def find_kernel(load: Load, name: str) -> Callable[..., Any] | None:
    """A kernel of a load, of its class or its own; never bound to it as a method is."""
    return vars(load).get(name) or getattr(type(load), name)


def kernel_modules(load_classes: Iterable[type[Load]]) -> set[str]:
    """Return the names of the modules that the kernels of these loads come from.

    The module of a class counts too where one of its kernels was made within another function, with values that the class
    may have chosen.
    """
    modules = set()
    for load_class in load_classes:
        kernels = [kernel for name in KERNEL_NAMES if (kernel := getattr(load_class, name)) is not None]
        modules |= {kernel.__module__ for kernel in kernels}
        if not kernels or any("<locals>" in kernel.__qualname__ for kernel in kernels):
            modules.add(load_class.__module__)
    return modules


def split_by_time_function(load: Any) -> Iterator[tuple[Load, Expression | None]]:
    """The load with zeros in place of its expressions, and for each expression the load with 1 there and 0 in every other
    magnitude: a load is linear in these."""
    if not load.timed:
        yield load, None
        return
    fields = {name: value for name in _magnitude_fields(load) if (value := getattr(load, name)) is not None}
    zeros = {name: _zeros(value) for name, value in fields.items()}
    constant_values = {name: _without_expressions(value) for name, value in fields.items()}
    if any(np.any(value) for value in constant_values.values()):
        yield replace(load, **constant_values), None
    for name, value in fields.items():
        for expression, unit_value in _unit_values(value):
            yield replace(load, **{**zeros, name: unit_value}), expression


def _magnitude_fields(load: Load) -> tuple[str, ...]:
    """Names of the fields that the torque is linear in together: the timed ones, and those that a class names."""
    timed = [name for name, parameter in parameters_of(type(load)).items() if parameter.timed]
    return (*timed, *load.linear_fields)


def _scale_vectors(factor: Expression | None, t: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return vectors if factor is None else factor.evaluate(t)[:, None] * vectors


def _zeros(value: Any) -> Any:
    return 0.0 if np.ndim(_without_expressions(value)) == 0 else [0.0] * len(value)


def _without_expressions(value: Any) -> Any:
    """The value with zeros in place of expressions."""
    if isinstance(value, tuple):
        return [0.0 if isinstance(item, Expression) else item for item in value]
    return 0.0 if isinstance(value, Expression) else value


def _unit_values(value: Any) -> Iterator[tuple[Expression, Any]]:
    """Each expression, with 1 in its place and zeros in the others."""
    if isinstance(value, Expression):
        yield value, 1.0
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if isinstance(item, Expression):
                yield item, [1.0 if other == index else 0.0 for other in range(len(value))]
