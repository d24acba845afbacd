"""Addition of rotors to the equations of any formulation that accepts loads.

The state is that of the formulation, followed by the axial momenta h_k of the rotors whose law fixes neither speed
nor momentum. The formulation's own kernels are called with J* in place of J, and with the torque of the rotors

    -omega x (s + sum h_k a_k) - sum h_k' a_k

as an additional load. a_k are the unit axes, and s is the momentum of the rotors of fixed speed or momentum.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.formulations._kernels.extended import base_state, extended_kernels, extension
from quatviz.physics.kernels.algebra import L_times, combined3, dot3, dot4
from quatviz.physics.kernels.binder import (
    Kernels,
    attitude,
    compile_source,
    compiler,
    inline,
    multiplier,
    noinline,
    overload,
    rhs,
)
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.kernels.generated_modules import create_module
from quatviz.physics.loads._kernels.packed import LoadsWithTorque


class RotorPrograms:
    """Motor torques that are expressions of time, compiled to rows of numbers, which kernels read by their address.

    Two objects are equal if their rows are equal, so that runs with the same expressions can be computed together.
    """

    def __init__(self, rows: np.ndarray, system: Any) -> None:
        self.rows = np.ascontiguousarray(rows, dtype=np.float64)
        self.system = system
        """The `physics.mechanics.rotor_system.RotorSystem` of the rotors, for code that reads states in NumPy."""

    @property
    def address(self) -> int:
        """Address of the rows."""
        return int(self.rows.ctypes.data)

    @property
    def _numba_type_(self) -> Any:
        compiler()
        from quatviz.physics.formulations._kernels.rotor_programs import TYPE

        return TYPE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RotorPrograms) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())


class RotorNumbers(NamedTuple):
    """Parameters of one rotor whose momentum is integrated, as kernels read them.

    Attributes
    ----------
    axis
        Unit axis a (3) of the rotor.
    inverse_inertia
        1/I [1/(kg m^2)], with the axial inertia I.
    torque
        Constant torque [N m] of a motor without speed limit, already limited to `max_torque`; otherwise 0.
    demand
        Constant torque [N m] requested from a motor with a speed limit; otherwise 0. Kernels apply the limits.
    direction
        The rotor's row (3) of `RotorSystem.control_directions`.
    friction_axis, drag
        c a (3) [N m s] and c/I [1/s], with the friction coefficient c of the bearing.
    max_torque
        Largest torque of the motor [N m], `UNLIMITED` without a limit.
    speed_reserve, reserve_slope
        Coefficients a and b [s/rad] of the speed limit. At the speed W [rad/s] relative to the body, a motor that
        accelerates its rotor exerts only the fraction a - b |W|, clipped to 0 and 1, of its torque.
    program_start, program_stop
        First row of the expression of the motor torque, and the row after the last; both are 0 without an expression.
    """

    axis: tuple[float, ...]
    inverse_inertia: float
    torque: float
    demand: float
    direction: tuple[float, ...]
    friction_axis: tuple[float, ...]
    drag: float
    max_torque: float
    speed_reserve: float
    reserve_slope: float
    program_start: int
    program_stop: int


UNLIMITED = 1e300
"""Value of `RotorNumbers.max_torque` [N m] for a motor without a torque limit."""


@dataclass(frozen=True)
class RotorTerms:
    """Flags for the terms that occur in the rates of the rotors' momenta.

    They are compile-time constants, since tests at run time would add many instructions to each step.

    Attributes
    ----------
    axes
        Index of each rotor's body axis, if every rotor is parallel to a body axis; otherwise empty.
    has_stored_momentum
        True if the body also has rotors whose momentum is not integrated.
    has_friction
        True if any of the rotors has friction.
    has_programs, has_limits, has_controller
        True if the torque of any motor is an expression of time, has limits, or follows the law `attitude_control`.
    """

    axes: tuple[int, ...]
    has_stored_momentum: bool
    has_friction: bool
    has_programs: bool
    has_limits: bool
    has_controller: bool

    @property
    def _numba_type_(self) -> Any:
        return compiler().constant_type(self)


class RotorParameters(NamedTuple):
    """Parameters of the kernels of a formulation with rotors. Each formulation has a class of its own, derived from
    this one.

    Attributes
    ----------
    base
        Parameters of the formulation itself, with J* in place of J and with the loads of the run. The torque of the
        rotors is not included.
    stored_momentum
        s (3,) [kg m^2/s, body] of the rotors whose momentum is not integrated.
    rotors
        Parameters of each rotor whose momentum is integrated. The number of these rotors is part of the type.
    terms
        Terms that occur in the rates of their momenta.
    controller
        K [N m], D [N m s] and the unit target (4) of the rotors that control the attitude.
    programs, row_count
        Compiled expressions of the motor torques, and the number of their rows.
    """

    base: Any
    stored_momentum: tuple[float, ...]
    rotors: tuple[RotorNumbers, ...]
    terms: RotorTerms
    controller: tuple[float, ...]
    programs: RotorPrograms
    row_count: int

    @staticmethod
    def extension_width(numba_type: Any) -> int:
        """Return the number of rotor momenta that are appended to a state."""
        return len(numba_type[numba_type.fields.index("rotors")])


def rows_of(programs, count):
    """Return the rows (count, ROW_WIDTH) of programs as an array. Callable only from kernels."""


@overload(rows_of, strict=False)
def _rows_of(programs, count):
    from quatviz.physics.formulations._kernels.rotor_programs import rows_of as implementation

    return implementation


# --- torques


@inline
def commanded_torque(controller, p, omega):
    """Return the body torque (3) [N m] that a controller (K, D, target) demands. Callable only from kernels.

    The torque is -K sign(q0) q - D omega, where (q0, q) is the rotation from the target, for which q = -L(p) target.
    """
    target = (controller[2], controller[3], controller[4], controller[5])
    gain = math.copysign(controller[0] / math.sqrt(dot4(p, p)), dot4(p, target))
    return combined3(gain, L_times(p, target), -controller[1], omega)


@noinline
def programmed_torque(programs, count, start, stop, t):
    """Return the torque [N m] at `t` [s] of a motor with an expression of time, whose program is in the rows
    `start` to `stop` - 1. Callable only from kernels.
    """
    return value_at(rows_of(programs, count), start, stop, t)


@inline
def limited_torque(rotor, torque, speed):
    """Return the torque [N m] that a motor can exert when `torque` [N m] is demanded, at a `speed` [rad/s] relative to
    the body. Callable only from kernels.

    Near the largest speed the torque is reduced only if it accelerates the rotor. A braking torque, whose sign is
    opposite to that of `speed`, is not reduced.
    """
    torque = max(min(torque, rotor.max_torque), -rotor.max_torque)
    reserve = max(min(rotor.speed_reserve - abs(speed) * rotor.reserve_slope, 1.0), 0.0)
    return torque * max(reserve, -math.copysign(1.0, torque * speed))


def rotor_torque(par, t, p, omega, momenta):
    """Return the torque of the rotors on the body (3) [N m] and the rates of their momenta (k) [N m].

    Callable only from kernels.
    """


@overload(rotor_torque)
def _rotor_torque(par, t, p, omega, momenta):
    """Return the implementation of `rotor_torque` for the number of rotors and the `RotorTerms` in the types of
    the arguments.

    With the rates r_k of the momenta, the torque on the body is (s + sum h_k a_k) x omega - sum r_k a_k.
    """
    count = len(momenta)
    rotors = range(count)
    terms = par[par.fields.index("terms")].value
    has_motor_terms = terms.has_programs or terms.has_limits or terms.has_controller
    is_constant = not (terms.has_friction or has_motor_terms)
    lines = [f"a{k} = par.rotors[{k}].axis" for k in rotors]
    lines += [f"r{k} = par.rotors[{k}].torque" for k in rotors]
    if terms.has_friction:
        lines += [line for k in rotors for line in _friction_lines(k, terms)]
    if has_motor_terms:
        lines += _motor_lines(count, terms)
    for i in range(3):
        stored = [f"par.stored_momentum[{i}]"] if terms.has_stored_momentum else []
        momentum = [*stored, *_along(i, [f"momenta[{k}]" for k in rotors], terms)]
        lines.append(f"H{i} = {' + '.join(momentum) or '0.0'}")
        if is_constant:
            reaction = _along(i, [f"r{k}" for k in rotors], terms)
            lines.append(f"q{i} = {' + '.join(reaction) or '0.0'}")
    torque = []
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        if is_constant:
            torque.append(f"H{j} * omega[{k}] - (H{k} * omega[{j}] + q{i})")
        else:
            reaction = _along(i, [f"r{rotor}" for rotor in rotors], terms)
            torque.append(" - ".join((f"H{j} * omega[{k}] - H{k} * omega[{j}]", *reaction)))
    lines.append(f"return ({', '.join(torque)}), ({''.join(f'r{k}, ' for k in rotors)})")
    scope = {
        "dot3": dot3,
        "commanded_torque": commanded_torque,
        "programmed_torque": programmed_torque,
        "limited_torque": limited_torque,
    }
    return compile_source("rotor_torque", "par, t, p, omega, momenta", lines, **scope)


def _along(i: int, values: Sequence[str], terms: RotorTerms) -> list[str]:
    """Return source expressions for component `i` of each vector values[k] a_k along a rotor axis a_k.

    Components that are always zero are omitted.
    """
    if terms.axes:
        return [value for value, axis in zip(values, terms.axes, strict=True) if axis == i]
    return [f"{value} * a{k}[{i}]" for k, value in enumerate(values)]


def _friction_lines(k: int, terms: RotorTerms) -> list[str]:
    """Return source lines that subtract the friction c W = (c/I) h - c a.omega of rotor k from the rate r{k} of its
    momentum."""
    components = terms.axes[k : k + 1] or range(3)
    products = (f"par.rotors[{k}].friction_axis[{i}] * omega[{i}]" for i in components)
    return [
        f"r{k} = r{k} - par.rotors[{k}].drag * momenta[{k}]",
        f"r{k} = {' + '.join((f'r{k}', *products))}",
    ]


def _motor_lines(count: int, terms: RotorTerms) -> list[str]:
    """Return source lines that add the motor torques m{k}, which depend on time or on the state, to the rates r{k} of the
    momenta."""
    rotors = range(count)
    lines = [f"m{k} = par.rotors[{k}].demand" for k in rotors]
    if terms.has_programs:
        for k in rotors:
            lines += [
                f"if par.rotors[{k}].program_stop > 0:",
                f"    start, stop = par.rotors[{k}].program_start, par.rotors[{k}].program_stop",
                f"    m{k} = m{k} + programmed_torque(par.programs, par.row_count, start, stop, t)",
            ]
    if terms.has_controller:
        lines.append("command = commanded_torque(par.controller, p, omega)")
        lines += [f"m{k} = m{k} - dot3(par.rotors[{k}].direction, command)" for k in rotors]
    if terms.has_limits:
        for k in rotors:
            along = f"omega[{terms.axes[k]}]" if terms.axes else f"dot3(a{k}, omega)"
            lines.append(f"w{k} = par.rotors[{k}].inverse_inertia * momenta[{k}] - {along}")
            lines.append(f"m{k} = limited_torque(par.rotors[{k}], m{k}, w{k})")
    return lines + [f"r{k} = r{k} + m{k}" for k in rotors]


def with_torque(base, n):
    """Return the parameters of a formulation with the body torque n (3) [N m] in addition to its loads.

    Callable only from kernels.
    """


@overload(with_torque)
def _with_torque(base, n):
    fields = ", ".join("loads" if name == "loads" else f"base.{name}" for name in base.fields)
    lines = ["loads = Loads(True, base.loads, n)", f"return Base({fields})"]
    return compile_source("with_torque", "base, n", lines, Loads=LoadsWithTorque, Base=base.instance_class)


@inline
def loaded(par, t, y):
    """Return `(parameters, state, rates)`: the arguments for the formulation's own kernels, and the rates of
    the rotors' momenta. Callable only from kernels.
    """
    base, momenta = base_state(par, y), extension(par, y)
    p, omega = attitude(par.base, base)
    n, rates = rotor_torque(par, t, p, omega, momenta)
    return with_torque(par.base, n), base, rates


# --- the kernels of a form with rotors


def rhs_with_rotors(par, t, y):
    """Return the derivative of the formulation's state under the torque of the rotors, followed by the rates of the
    axial momenta.

    The rates are h_k' = tau_k - c_k W_k, motor torque minus bearing friction.
    """
    base_par, base, rates = loaded(par, t, y)
    return rhs(base_par, t, base) + rates


def multiplier_with_rotors(par, t, y):
    """Return lambda [J] of the formulation under the torque of the rotors."""
    base_par, base, _ = loaded(par, t, y)
    return multiplier(base_par, t, base)


@cache
def rotor_extension(parameter_type: type, kernels: Kernels) -> tuple[type, Kernels]:
    """Return the type of the parameters of a formulation with rotors, and its kernels.

    The type is defined in a generated module. The cache key of its kernels therefore covers this module and the module
    of `parameter_type`, but no modules of other formulations.

    Parameters
    ----------
    parameter_type, kernels
        Type of parameters and kernels of the formulation without rotors. The kernels must include `attitude`.
    """
    assert kernels.attitude is not None
    description = f"rotors with {parameter_type.__module__}.{parameter_type.__qualname__}"
    module: Any = create_module(
        f"{__package__}.rotor_type", description, (__name__, parameter_type.__module__)
    )
    extended = extended_kernels(rhs_with_rotors, multiplier_with_rotors, kernels)
    name = parameter_type.__qualname__.replace("Parameters", "RotorParameters")
    module.KERNELS = extended
    setattr(module, name, type(name, (RotorParameters,), {"__module__": module.__name__}))
    return getattr(module, name), extended
