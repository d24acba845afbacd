"""The load protocol: loads, and loads bound to a body.

Plug-in packages depend on this protocol: change it only in a commit of its own that says why.

Terms: a *bound* load knows the body on which it acts. A load is *timed* if any of its magnitudes is an expression
of time. A *packed* load is the form in which kernels read it: a constant force or torque as numbers that are summed
before a run, every other load as a *row* of numbers. The *load form* is the way in which loads enter the equations
of a formulation.
"""

from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError
from quatviz.base.expression import Expression
from quatviz.base.parameters import Parameterized, has_expression, parameters_of, validate
from quatviz.base.registry import Registry
from quatviz.physics.loads._kernels.rows import MAX_KERNEL_NUMBERS as MAX_KERNEL_NUMBERS
from quatviz.physics.loads._kernels.rows import LoadKernels
from quatviz.physics.loads._start_values import MotionScale
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import from_matrix, rotate, rotate_back, rotation_matrix

KERNEL_NAMES = ("torque_kernel", "gradient_kernel", "application_kernel", "force_kernel")
"""Names of the attributes of a load that hold its kernels."""


class ConstantLoad(NamedTuple):
    """A force [N] or a torque [N m] with constant components.

    `vector` (3,) are the components in the `frame`, "space" or "body". A force acts at `point` (3,) [m, body]; a torque
    has no point.
    """

    frame: str
    vector: np.ndarray
    point: np.ndarray | None = None

    @property
    def has_potential(self) -> bool:
        """True if the load has the potential V = -f^T A u."""
        return self.frame == "space" and self.point is not None


class Load(Parameterized, ArrayEquality, ABC):
    """A load. Contract for a new load:

    1. One module in `quatviz/physics/loads/`, or in an outside package behind an entry point of the group
       `quatviz.loads`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name
       and the `kind` of a preset's `[[loads]]`. In a folder the class is in `__init__.py`, and the kernels of points 4
       to 6 are in `kernel.py`, which imports only modules of kernels.
    2. Its fields are made with `base.parameters.parameter`, so that unit, shape, limits and explanation are declared
       once, for the check of a new instance and for widgets.
    3. A load whose force or torque has constant components in space or in the body returns it from `constant` and needs
       nothing else: torque, potential and packed numbers follow from it. All such loads of a body are summed before a
       run.
    4. Any other load sets `torque_kernel(row, t, p, omega)`, decorated with `physics.kernels.binder.inline`. It returns
       the torque about the body's reference point (3) [N m, body] for `row` (`MAX_KERNEL_NUMBERS` floats), `t` [s], `p`
       (4, scalar first, not necessarily unit: `A` means `G L^T`) and `omega` (3) [rad/s, body]. The method `row` packs
       these floats: a load is data, and a changed number never recompiles. `torque_on` computes the same for NumPy
       arrays. It is written independently, so that each checks the other.
    5. A load with a potential sets `gradient_kernel(row, t, p)`, dV/dp (4) [J], and overrides `potential_on`, which may
       depend on t. Both use `A = G L^T` off the sphere, so that they are homogeneous in p. On the sphere `-1/2 L dV/dp`
       equals the torque; tests check this for every load.
    6. A load that the Lagrangian load forms `split` and `gradient` should treat as a force at a body point sets
       `application_kernel(row, t, p)`, which returns the force (3) [N, space] and the point (3) [m, body]. For other
       loads these forms use the torque.
    7. `force_on` is the force at a body point that is drawn; a pure torque has none.
    8. Magnitudes are declared with `timed=True`: the user may type an expression of t for them. Torque and potential
       must be linear in all timed fields of a load together. Methods and kernels never receive an expression: a bound
       load is divided into loads with numbers, each multiplied by a function of time. Magnitudes that accept numbers
       only, such as a matrix of coefficients, are named in `linear_fields`: they are 0 in the parts that belong to an
       expression.
    9. `conserves_energy` is True if T + V stays constant under this load while its magnitudes are constant, as with a
       potential that does not depend on t. `is_zero` is True if the load exerts no torque in any state, as with
       magnitudes of zero.
    10. `position_matters` is True if a translation of the body would change the load, as for a spring to an anchor. Rotation
        and translation of a free body are then coupled. `center_column` is the first of three numbers of `row` for the
        position c (3) [m, space] of the center of mass: `row` has zeros there, and kernels read c from them. The methods
        whose names end in `_on` read c from `self.body_center`. Without `center_column` a free body is held in its place.
        `force_kernel(row, t, p)` is the force -dV/dc (3) [N, space] on the center of mass, and `center_force_on` the same in
        NumPy. Set them if this is not the force of `application_kernel`.
    11. `translational_force` is a force that depends only on the position of the center of mass of a free body. It
        exerts no torque on it, so that the translation can be integrated separately from the rotation.
    12. `reference_torque` is the torque written once more from its definition, with which `quatviz verify` compares
        lanes. It shares nothing with kernels, `constant`, `force_on` or `torque_on`. If it is not overridden,
        `torque_on` is used.
    13. `discontinuity_branch` tells on which side of a jump of its torque a load is. `quatviz verify` compares lanes up
        to the jump and restarts the comparison after it.
    14. `samples` are loads of this class with a nonzero effect, for tests and `quatviz verify`.
    15. A load with an attracting center returns the upward direction from `vertical` and the attitude of the orbital
        frame from `orbital_frame`. Both are drawn in 3D.
    16. The help uses `action_text` and `potential_text` as columns of its table of loads, `help` as an optional
        section, and `sort_order` as their order.
    17. A load whose torque changes abruptly at known times that its expressions do not show returns them from
        `switch_times`: the times of jumps and kinks, and the two ends and the middle of a short pulse. Adaptive steps
        end there. They may step over features that are shorter than a step and not listed.
    18. `start_values` are the first values of a load that the user adds, large enough for a visible effect.
    19. `body_remark` states in one sentence how a load contradicts the body, such as a weight away from the center of
        mass. The run continues, with that sentence beside its first lane.

    Code that computes with a load uses `bind(body)`, never the methods of this class with `_on` in their names.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    torque_kernel: ClassVar[Callable[..., Any] | None] = None
    gradient_kernel: ClassVar[Callable[..., Any] | None] = None
    application_kernel: ClassVar[Callable[..., Any] | None] = None
    force_kernel: ClassVar[Callable[..., Any] | None] = None
    position_matters: ClassVar[bool] = False
    center_column: ClassVar[int | None] = None
    body_center: ClassVar[np.ndarray] = np.zeros(3)
    """Position of the center of mass (3,) or (n, 3) [m, space].

    `at_center` returns a copy of the load with another position.
    """
    linear_fields: ClassVar[tuple[str, ...]] = ()
    action_text: ClassVar[str] = ""
    potential_text: ClassVar[str] = "none"
    help: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    is_control: ClassVar[bool] = False
    """True if the load is the torque of a controller, whose effort is measured."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def named_numbers(self) -> Mapping[str, float]:
        """Values, by name, of the constants that the user named in this load, such as the gains of a torque law.
        The mapping is empty for loads without such constants.
        """
        return {}

    def with_named_numbers(self, numbers: Mapping[str, float]) -> Self:
        """Return this load with other values of its user-named constants; see `named_numbers`."""
        return self

    def text_fault(self, name: str, text: str) -> InputError | None:
        """Return the error in `text`, which the user is typing for the parameter `name`, or None if the text
        is valid.
        """
        return None

    def missing_numbers(self, name: str, text: str) -> Sequence[str]:
        """Return the undefined names in the text of parameter `name` that could be added as user-named
        constants of this load."""
        return ()

    def start_numbers(self, text: str, names: Sequence[str], scale: MotionScale) -> Mapping[str, float]:
        """Return start values of the user-named constants `names` that a typed text needs, for a body with the motion
        `scale`."""
        return dict.fromkeys(names, 1.0)

    def unused_numbers(self, name: str, text: str) -> Sequence[str]:
        """Return the user-named constants of this load that `text`, a valid text for the parameter `name`,
        does not use.
        """
        return ()

    def undeclared_table(self) -> dict[str, Any]:
        """Return the entries that this load has in a preset in addition to its declared parameters, as plain
        values by key.
        """
        return {}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        """Return example loads for tests; none if the load cannot be tested."""
        return ()

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        """Return field values for a new load on a body with this motion. Other fields keep their defaults."""
        return {}

    def examples(self, scale: MotionScale) -> Sequence[tuple[str, dict[str, Any]]]:
        """Return titles and field values of examples that suit a body with this motion.

        The form in which the user edits the load offers them.
        """
        return ()

    def bind(self, body: Body) -> "BoundLoad":
        """Return this load bound to a body."""
        return BoundLoad(self, body)

    def at_center(self, center: np.ndarray) -> Self:
        """Return the load for a body whose center of mass is at `center` (n, 3) [m, space].

        `center` has one row for each time for which the methods with `_on` in their names are called.
        """
        copied = copy(self)
        object.__setattr__(copied, "body_center", center)
        return copied

    @property
    def timed(self) -> bool:
        """True if any magnitude of the load is an expression of time."""
        return any(has_expression(getattr(self, name)) for name in _magnitude_fields(self))

    @property
    def constant(self) -> ConstantLoad | None:
        """Force or torque with constant components in space or in the body, or None for other loads."""
        return None

    @property
    def conserves_energy(self) -> bool:
        """True if T + V stays constant under this load."""
        constant = self.constant
        return self.gradient_kernel is not None if constant is None else constant.has_potential

    @property
    def is_zero(self) -> bool:
        """True if the load never exerts a torque, as with magnitudes of zero."""
        constant = self.constant
        if constant is None:
            magnitudes = [getattr(self, name) for name in _magnitude_fields(self)]
            return bool(magnitudes) and not any(map(np.any, magnitudes))
        return not np.any(constant.vector) or (constant.point is not None and not np.any(constant.point))

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        """Return n (3,) [N m, body] at t [s], for A (3, 3), body to space, omega (3,) [rad/s, body] and the inertia J
        (3, 3) [kg m^2]."""
        p = from_matrix(A)
        return self.torque_on(Body(inertia=J), np.array([t]), p[None], omega[None])[0]

    def body_remark(self, body: Body) -> str:
        """Return one sentence that says how this load contradicts the body and what to write instead, or "" if they
        fit."""
        return ""

    def discontinuity_branch(self, p: np.ndarray) -> np.ndarray | None:
        """Return a mask (n,) of the attitudes `p` (n, 4) on one side of a jump of the torque, or None if the torque
        never jumps."""
        return None

    @property
    def target_attitude(self) -> np.ndarray | None:
        """Unit Euler parameters (4) of the attitude to which a controller turns the body, or None without a fixed
        target."""
        return None

    def switch_times(self, duration: float) -> Sequence[float]:
        """Return the times [s] in a run of `duration` [s] at which the torque changes abruptly by itself; see the
        contract."""
        return ()

    def row(self, body: Body) -> tuple[float, ...]:
        """Return the numbers that this load's kernels read."""
        return ()

    def force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return force (n, 3) [N, space] and point (3,) [m, body] at times (n,) [s] and unit p (n, 4), or None for a
        pure torque."""
        constant = self.constant
        if constant is None or constant.point is None:
            return None
        force = np.broadcast_to(constant.vector, (len(p), 3))
        return (rotate(p, force) if constant.frame == "body" else force), np.asarray(constant.point)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Return the torque (n, 3) [N m, body] about the reference point at times (n,) [s], unit p (n, 4) and omega
        (n, 3) [rad/s, body]."""
        constant = self.constant
        if constant is not None:
            vector = np.broadcast_to(constant.vector, (len(p), 3))
            in_body = rotate_back(p, vector) if constant.frame == "space" else vector
            return in_body if constant.point is None else np.cross(constant.point, in_body)
        point_force = self.force_on(body, t, p)
        if point_force is not None:
            return np.cross(point_force[1], rotate_back(p, point_force[0]))
        kernel = find_kernel(self, "torque_kernel")
        assert kernel is not None
        numbers, row = np.zeros((len(p), MAX_KERNEL_NUMBERS)), self.row(body)
        numbers[:, : len(row)] = row
        if self.center_column is not None:
            numbers[:, self.center_column : self.center_column + 3] += self.body_center
        states = zip(numbers.tolist(), t.tolist(), p.tolist(), omega.tolist(), strict=True)
        torques = [kernel(tuple(row), time, tuple(p), tuple(omega)) for row, time, p, omega in states]
        return np.array(torques, dtype=np.float64).reshape(-1, 3)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return V (n,) [J] at times (n,) [s] and Euler parameters p (n, 4), which are used as they are, without
        normalization; zero without a potential."""
        constant = self.constant
        if constant is None or not constant.has_potential:
            return np.zeros(p.shape[:-1])
        return -(rotation_matrix(p) @ constant.point + self.body_center) @ np.asarray(constant.vector)

    def center_force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the force (n, 3) [N, space] on the center of mass at times (n,) [s] and unit p (n, 4); zeros for a
        pure torque."""
        point_force = self.force_on(body, t, p)
        return np.zeros((len(p), 3)) if point_force is None else point_force[0]

    def translational_force(self, centre: np.ndarray) -> np.ndarray | None:
        """Return the force (3,) [N, space] on a free body whose center of mass is at `centre` (3,) [m,
        space], for a load that depends only on this position. Return None for other loads.
        """
        return None

    def vertical(self, t: float) -> np.ndarray | None:
        """Return the unit vector (3,) [space] at t [s] from the attracting center to the body, or None for other
        loads."""
        return None

    def orbital_frame(self, t: np.ndarray) -> np.ndarray | None:
        """Return the rotation matrices (n, 3, 3) from the orbital frame to space at times (n,) [s], or None for a load
        without an orbit.

        The columns are unit vectors: forward (in the plane of the orbit, perpendicular to up), along the normal of the
        orbit, and up (away from the attracting center).
        """
        return None

    @property
    def guide_normal(self) -> np.ndarray | None:
        """Unit vector (3,) [space] along which a spring pulls if its other end slides on a guide; None for other
        loads."""
        return None


LOADS: Registry[type[Load]] = Registry(__name__.rpartition(".")[0], Load)
"""Registry of all load classes by name."""


class BoundLoad:
    """A load bound to a body, with force, torque and potential. Its magnitudes are numbers or expressions of time.

    `parts` are pairs (load, expression), and kernels read the same pairs. The bound load is the sum of the loads in
    the pairs, whose magnitudes are numbers, each multiplied by its expression of time, or by 1 if the expression is
    None.
    """

    def __init__(self, load: Load, body: Body, center: np.ndarray | None = None) -> None:
        self.load, self.body = load, body
        self.parts: tuple[tuple[Load, Expression | None], ...] = tuple(
            (part if center is None else part.at_center(center), factor)
            for part, factor in split_by_time_function(load)
        )

    def at_center(self, center: np.ndarray) -> "BoundLoad":
        """Return the load on the same body with its center of mass at `center` (n, 3) [m, space], one row for each
        time."""
        return BoundLoad(self.load, self.body, center)

    @property
    def name(self) -> str:
        return self.load.name

    @property
    def anchor(self) -> np.ndarray | None:
        """Point in space (3,) [m] at which the other end of the load is fixed, or None."""
        return getattr(self.load, "anchor", None)

    @property
    def guide_normal(self) -> np.ndarray | None:
        """Unit vector (3,) [space] along which a spring pulls if its other end slides on a guide; None for other
        loads."""
        return self.load.guide_normal

    @property
    def constant(self) -> ConstantLoad | None:
        """Force or torque with constant components in space or in the body, or None for other loads, such as
        one with an expression of time.
        """
        return None if self.load.timed else self.load.constant

    @property
    def constant_force_frame(self) -> str | None:
        """Frame, "space" or "body", in which the force of this load is constant; None for a variable force
        and for a torque.
        """
        constant = self.constant
        return None if constant is None or constant.point is None else constant.frame

    @property
    def is_zero(self) -> bool:
        """True if the load never exerts a torque. A load with an expression of time never counts as zero."""
        return not self.load.timed and self.load.is_zero

    @property
    def conserves_energy(self) -> bool:
        """True if T + V stays constant under this load."""
        return not self.load.timed and self.load.conserves_energy

    @property
    def has_potential(self) -> bool:
        """True if the load enters Hamilton's equations by a potential."""
        constant = self.parts[0][0].constant
        return self.load.gradient_kernel is not None if constant is None else constant.has_potential

    @property
    def is_point_force(self) -> bool:
        """True if the Lagrangian load forms treat the load as a force at a body point. Other loads enter by their
        torque."""
        constant = self.parts[0][0].constant
        if constant is not None:
            return constant.point is not None
        return self.load.application_kernel is not None

    @property
    def position_matters(self) -> bool:
        return self.load.position_matters

    @property
    def center_column(self) -> int | None:
        return self.load.center_column

    def center_force(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the force (n, 3) [N, space] on the center of mass at times (n,) [s] and unit p (n, 4)."""
        forces = (
            _scale_vectors(factor, t, part.center_force_on(self.body, t, p)) for part, factor in self.parts
        )
        return sum(forces, np.zeros((len(p), 3)))

    def force(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return force (n, 3) [N, space] and point (3,) [m, body] at times (n,) [s] and unit p (n, 4), or None for a
        pure torque."""
        forces = [(part.force_on(self.body, t, p), factor) for part, factor in self.parts]
        total, point = np.zeros((len(p), 3)), None
        for point_force, factor in forces:
            if point_force is None:
                return None
            total, point = (
                total + _scale_vectors(factor, t, point_force[0]),
                point_force[1],
            )  # the point is not a magnitude and therefore common to all parts
        return None if point is None else (total, point)

    def torque(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Return the torque (n, 3) [N m, body] about the reference point at times (n,) [s], unit p (n, 4) and omega
        (n, 3) [rad/s, body]."""
        torques = (
            _scale_vectors(factor, t, part.torque_on(self.body, t, p, omega)) for part, factor in self.parts
        )
        return sum(torques, np.zeros((len(p), 3)))

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return V (n,) [J] at times (n,) [s] and Euler parameters p (n, 4), which are used as they are, without
        normalization."""
        parts = (
            part.potential_on(self.body, t, p) * (1.0 if factor is None else factor.evaluate(t))
            for part, factor in self.parts
        )
        return sum(parts, np.zeros(p.shape[:-1]))

    def translational_force(self, centre: np.ndarray) -> np.ndarray | None:
        """Return the force (3,) [N, space] on a free body whose center of mass is at `centre` (3,) [m,
        space]; see `Load.translational_force`.
        """
        return self.load.translational_force(centre)

    def vertical(self, t: float) -> np.ndarray | None:
        """Return the unit vector (3,) [space] at t [s] from the attracting center to the body, or None for other
        loads."""
        return self.load.vertical(t)

    def orbital_frame(self, t: np.ndarray) -> np.ndarray | None:
        """Return the rotation matrices (n, 3, 3) from the orbital frame to space at times (n,) [s]; see
        `Load.orbital_frame`."""
        return self.load.orbital_frame(t)


def find_kernel(load: Load, name: str) -> Callable[..., Any] | None:
    """Return the kernel `name` of a load without binding it as a method.

    It is an attribute of the load itself or else of its class.
    """
    return vars(load).get(name) or getattr(type(load), name)


def kernels_of(load: Load | type[Load]) -> LoadKernels:
    """Return all kernels of a load, or of a class of loads."""
    find: Callable[[Any, str], Any] = getattr if isinstance(load, type) else find_kernel
    torque, gradient, application, force = (find(load, name) for name in KERNEL_NAMES)
    return LoadKernels(torque, gradient, application, force, load.center_column)


def kernel_modules(load_classes: Iterable[type[Load]]) -> set[str]:
    """Return the names of the modules that define the kernels of the given load classes.

    The module of the class itself is included if one of its kernels is defined within a function, since the kernel may
    then use values from the class.
    """
    modules = set()
    for load_class in load_classes:
        kernels = [kernel for name in KERNEL_NAMES if (kernel := getattr(load_class, name)) is not None]
        modules |= {kernel.__module__ for kernel in kernels}
        if not kernels or any("<locals>" in kernel.__qualname__ for kernel in kernels):
            modules.add(load_class.__module__)
    return modules


def split_by_time_function(load: Any) -> Iterator[tuple[Load, Expression | None]]:
    """Yield pairs (load, expression) whose sum is `load`: loads with numbers as magnitudes, each multiplied by its
    expression of time, or by 1 if the expression is None.

    The division is possible because a load is linear in its magnitudes. For each expression, one part has 1 in place
    of that expression and 0 in place of all other magnitudes. One more part has zeros in place of all expressions.
    """
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
    """Return the names of the fields in which the torque is jointly linear: those declared with `timed=True`,
    and the `linear_fields` of the class.
    """
    timed = [name for name, parameter in parameters_of(type(load)).items() if parameter.timed]
    return (*timed, *load.linear_fields)


def _scale_vectors(factor: Expression | None, t: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return vectors if factor is None else factor.evaluate(t)[:, None] * vectors


def _zeros(value: Any) -> Any:
    return 0.0 if np.ndim(_without_expressions(value)) == 0 else [0.0] * len(value)


def _without_expressions(value: Any) -> Any:
    """Return a copy of a value in which each expression of time is replaced by zero."""
    if isinstance(value, tuple):
        return [0.0 if isinstance(item, Expression) else item for item in value]
    return 0.0 if isinstance(value, Expression) else value


def _unit_values(value: Any) -> Iterator[tuple[Expression, Any]]:
    """Yield each expression in `value`, together with a copy of `value` that has 1 in place of the expression and 0
    everywhere else."""
    if isinstance(value, Expression):
        yield value, 1.0
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            if isinstance(item, Expression):
                yield item, [1.0 if other == index else 0.0 for other in range(len(value))]
