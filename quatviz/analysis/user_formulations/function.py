"""Formulations from a Python function: the function is tried in Python, compiled, and wrapped in a class."""

import inspect
import linecache
import re
import traceback
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import overload_method

from quatviz.analysis.user_formulations.function_fingerprint import fingerprint
from quatviz.base.errors import InputError, exception_summary, phrase
from quatviz.base.parameters import quote_value
from quatviz.physics.equations import Equation, EvaluationPoint, Term
from quatviz.physics.equations.evaluation_point import directional_derivative
from quatviz.physics.equations.shared_terms import KINEMATICS
from quatviz.physics.formulations._kernels.attitude import project, with_attitude
from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations._kernels.rates import project as project_rates
from quatviz.physics.formulations._named_states import SESSION_MODULE
from quatviz.physics.formulations._velocities import VELOCITIES, VelocityVariable
from quatviz.physics.formulations.base import Formulation, pack_body
from quatviz.physics.kernels.algebra import half_LT_times
from quatviz.physics.kernels.binder import OPTIONS, AttitudeKernels, Kernels, compiler, inline
from quatviz.physics.loads import PackedLoads, body_torque
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.state import EULER_PARAMETERS

RATE, RATE_AND_P_RATE, RATE_AND_LAMBDA = "the rate of v", "p' and the rate of v", "the rate of v and lambda"
"""The three forms of the result of a user function, where v is its velocity variable."""

Function = Callable[..., Any]
COMPILE_ERRORS = (NumbaError, UnsupportedBytecodeError)
"""Exceptions that numba raises if it cannot compile a function. The second is not a subclass of the first."""


class FunctionBody(NamedTuple):
    """The body as a user function receives it: J (3, 3) [kg m^2] and its inverse."""

    inertia: Any
    inverse_inertia: Any


class CompiledLoads(NamedTuple):
    """The loads as a compiled user function receives them, with the method `torque` of `PythonLoads`.

    Numba represents a named tuple with one field by its type `NamedUniTuple`, to which `overload_method` adds
    `torque`. A test in the overload ensures that no other named tuple gets this method.
    """

    packed: PackedLoads


@dataclass(frozen=True)
class PythonLoads:
    """The loads as a user function receives them when it is called in Python."""

    loads: Sequence[BoundLoad]

    def torque(self, t: float, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Return the torque of all loads (3,) [N m, body] at t [s], p (4,) and omega (3,) [rad/s, body]."""
        row = np.array([t]), normalize(np.asarray(p))[None], np.asarray(omega, dtype=float)[None]
        return sum((load.torque(*row)[0] for load in self.loads), np.zeros(3))


_method: Any = overload_method(types.NamedUniTuple, "torque", jit_options=OPTIONS)  # type: ignore[call-arg]


@_method
def _torque(loads, t, p, omega):
    if loads.instance_class is not CompiledLoads:
        return None

    def torque(loads, t, p, omega):
        n = (0.0, 0.0, 0.0)
        if loads.packed.present:
            n = body_torque(loads.packed, t, (p[0], p[1], p[2], p[3]), (omega[0], omega[1], omega[2]))
        return np.array(n)

    return torque


class FunctionResult(NamedTuple):
    """The values that one call of a user function returned."""

    p_rate: np.ndarray | None
    """p' (4,); None if the function does not return p', which then follows from the kinematics."""
    rate: np.ndarray
    """Rate of change (k,) of the velocity variable that the user function received."""
    lam: float | None
    """Lagrange multiplier lambda [J]; None if the function does not return one."""

    @property
    def shape(self) -> str:
        """Form of the result: `RATE`, `RATE_AND_P_RATE` or `RATE_AND_LAMBDA`."""
        return RATE_AND_LAMBDA if self.lam is not None else RATE if self.p_rate is None else RATE_AND_P_RATE


def velocity_argument(function: Function) -> VelocityVariable:
    """Return the velocity variable that the name of a function's third argument selects.

    Raises `InputError` for other arguments, and for a function that `exec` made without a module name, which numba
    cannot handle.
    """
    if not isinstance(function.__module__, str):
        raise InputError(
            function.__name__,
            expected="a function that belongs to a module",
            found=f"__module__ = {quote_value(function.__module__)}",
            remedy='run its text in a module: exec(text, {"__name__": "__main__"})',
            topic="own#a-function",
        )
    names = list(inspect.signature(function).parameters)
    expected_names = ["t", "p", "body", "loads"]
    if len(names) != 5 or names[:2] + names[3:] != expected_names or names[2] not in VELOCITIES:
        raise InputError(
            function.__name__, found=f"({', '.join(names)})",
            expected=phrase("the arguments (t, p, v, body, loads), where v is one of {names}", names=", ".join(VELOCITIES)),
            remedy="write for example def mine(t, p, omega, body, loads)", topic="own#a-function",
        )  # fmt: skip
    return VELOCITIES[names[2]]


def call_function(
    function: Function, t: float, p: np.ndarray, v: np.ndarray, body: Body, loads: Any
) -> FunctionResult:
    """Call a user function in Python and return its checked result.

    Parameters
    ----------
    function
        User function `f(t, p, v, body, loads)`.
    t
        Time [s].
    p, v
        Euler parameters (4,) and velocity variable (k,).
    body
        Body with its inertia.
    loads
        Object with a method `torque(t, p, omega)`.

    Returns
    -------
    FunctionResult
        The returned values.

    Raises
    ------
    InputError
        If the function fails or returns anything else; the message names the line.
    """
    velocity = velocity_argument(function)
    body_argument = FunctionBody(np.array(body.inertia), np.array(body.inverse_inertia))
    try:
        with np.errstate(all="ignore"):
            returned = function(t, p.copy(), v.copy(), body_argument, loads)
            result = _parse_result(returned, velocity)
    except InputError:
        raise
    except Exception as fault:
        raise function_error(function, fault) from fault
    if result is None:
        size = len(velocity.block.names)
        raise InputError(
            function.__name__, found=" ".join(repr(returned).split())[:120],
            expected=phrase(
                "the rate of v ({size} numbers), or a pair: p' (4) and the rate of v, or the rate of v and lambda", size=size
            ),
            remedy="return the rate of v; add p' unless v is p_rate, or lambda if v is p_rate or g", topic="own#a-function",
        )  # fmt: skip
    return result


def _parse_result(returned: Any, velocity: VelocityVariable) -> FunctionResult | None:
    """Return the returned value as a checked result, or None if it has none of the accepted forms."""
    try:
        return _convert_result(returned, velocity)
    except (TypeError, ValueError):
        return None


def _convert_result(returned: Any, velocity: VelocityVariable) -> FunctionResult | None:
    size = len(velocity.block.names)
    if isinstance(returned, tuple) and len(returned) == 2:
        first, second = (np.asarray(value, dtype=float) for value in returned)
        if first.shape == (4,) and second.shape == (size,) and not velocity.second_order:
            return FunctionResult(first, second, None)
        if size == 4 and first.shape == (size,) and second.shape == ():
            return FunctionResult(None, first, float(second))
        return None
    rate = np.asarray(returned, dtype=float)
    return FunctionResult(None, rate, None) if rate.shape == (size,) else None


def function_error(function: Function, fault: Exception) -> InputError:
    """Return the error for a user function that failed or cannot be compiled, with its line and the cause."""
    path = inspect.getfile(function)
    if isinstance(fault, COMPILE_ERRORS):
        line = getattr(getattr(fault, "loc", None), "line", None)
        message = _compiler_message(fault)
        expected = "a function of floats and NumPy that numba can compile"
    else:
        frames = [step for step in traceback.extract_tb(fault.__traceback__) if step.filename == path]
        line = frames[-1].lineno if frames else None
        message = exception_summary(fault)
        expected = "a function that runs without errors"
    source = linecache.getline(path, line).strip() if line else ""
    location = phrase("{name}, line {line}", name=function.__name__, line=line) if line else function.__name__
    return InputError(
        location, expected=expected, found=f"{source!r}: {message[:300]}" if source else message[:300], topic="own#a-function",
        remedy="write this line with floats, math and NumPy functions that numba supports; the torque is loads.torque(t, p, omega)",
    )  # fmt: skip


_ANSI_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_BOILERPLATE_PREFIXES = (
    "Failed in",
    "No implementation of function",
    "There are",
    "Of which",
    "Overload",
    "Resolution failure",
)
"""First words of those lines of a numba error message that list numba's attempts. These lines do not contain the cause
of the error."""


def _compiler_message(fault: Exception) -> str:
    """Return the first informative line of a numba error message."""
    lines = [_ANSI_COLORS.sub("", line).strip(" -\t") for line in fault.args[0].splitlines()]
    informative = [line for line in lines if line and not line.startswith(_BOILERPLATE_PREFIXES)]
    return (informative or lines)[0]


# --- kernels


@inline
def _split_v_p(y):
    return y[:3], y[3:7]


@inline
def _split_p_v(y):
    return y[4:], y[:4]


@inline
def _split_g_p(y):
    return y[:4], y[4:]


@inline
def _as_tuple3(x):
    return (x[0], x[1], x[2])


@inline
def _as_tuple4(x):
    return (x[0], x[1], x[2], x[3])


def make_kernels(compiled: Function, velocity: VelocityVariable, shape: str) -> Kernels:
    """Return the kernels that call a compiled user function, whose results have the form `shape`."""
    size, is_second_order, omega_of = len(velocity.block.names), velocity.second_order, velocity.omega
    split = _split_p_v if is_second_order else _split_v_p if size == 3 else _split_g_p
    as_tuple = _as_tuple3 if size == 3 else _as_tuple4

    @inline
    def answer(par, t, y):
        v, p = split(y)
        J = np.array(par.inertia).reshape((3, 3))
        inverse = np.array(par.inverse_inertia).reshape((3, 3))
        return compiled(t, np.array(p), np.array(v), FunctionBody(J, inverse), CompiledLoads(par.loads))

    def attitude(par, y):
        return y[3:7], omega_of(par, y[3:7], y[:3])

    return Kernels(
        rhs=_make_rhs(answer, split, as_tuple, omega_of, is_second_order, shape),
        multiplier=(lambda par, t, y: answer(par, t, y)[1]) if shape == RATE_AND_LAMBDA else None,
        projection=project_rates if is_second_order else project if size == 3 else None,
        group=AttitudeKernels(inline(attitude), with_attitude) if size == 3 else None,
    )


def _make_rhs(
    answer: Any, split: Any, as_tuple: Any, omega_of: Any, is_second_order: bool, shape: str
) -> Any:
    """Return a kernel that computes the derivative of the whole state. If the user function does not return
    p', the kernel computes it from the kinematics."""

    @inline
    def rate(par, t, y):
        return as_tuple(answer(par, t, y))

    @inline
    def rate_beside_lambda(par, t, y):
        return as_tuple(answer(par, t, y)[0])

    @inline
    def p_rate(par, t, y):
        v, p = split(y)
        return half_LT_times(p, omega_of(par, p, v))

    def rate_and_p_rate(par, t, y):
        rate_of_p, rate_of_v = answer(par, t, y)
        return as_tuple(rate_of_v) + _as_tuple4(rate_of_p)

    if shape == RATE_AND_P_RATE:
        return rate_and_p_rate
    velocity_rate = rate_beside_lambda if shape == RATE_AND_LAMBDA else rate
    if is_second_order:
        return lambda par, t, y: y[4:] + velocity_rate(par, t, y)
    return lambda par, t, y: velocity_rate(par, t, y) + p_rate(par, t, y)


# --- the class


def make_parameter_type() -> type[Any]:
    """Return a new parameter type, which identifies the kernels of one formulation. They are never cached."""
    return type("OwnParameters", (BodyParameters,), {"__module__": SESSION_MODULE})


class FunctionFormulation(Formulation):
    """Base class of formulations from a user function. It provides the state, the observables, the equation
    card and the help."""

    function: ClassVar[Function]
    velocity: ClassVar[VelocityVariable]

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        latex, words = cls.velocity.latex, phrase("the return value of {name}", name=cls.name)
        name = cls.name.replace("_", r"\_")
        left_term = Term(
            rf"\frac{{d}}{{dt}}{latex}",
            "rate of change in the computed motion",
            lambda point: cls._velocity_rate(point),
        )
        right_term = Term(
            rf"\mathrm{{{name}}}(t, p, {latex})", words, lambda point: cls._evaluate(point).rate
        )
        equation = Equation((left_term,), (right_term,), cls.velocity.unit, cls.velocity.frame, "the motion")
        return (equation,) if cls.velocity.second_order else (equation, KINEMATICS)

    @classmethod
    def _velocity_rate(cls, point: EvaluationPoint) -> np.ndarray:
        """Return the rate dv/dt (k,) of the velocity variable, computed from p' and omega' of the actual
        motion."""
        direction = np.concatenate((point.p_rate, point.omega_rate))
        p_and_omega = np.concatenate((point.p, point.omega))
        return directional_derivative(
            lambda x: cls.velocity.start(normalize(x[:4]), x[4:], point.J), p_and_omega, direction
        )

    @classmethod
    def _evaluate(cls, point: EvaluationPoint) -> FunctionResult:
        v = cls.velocity.start(point.p, point.omega, point.J)
        return call_function(cls.function, point.t, point.p, v, point.body, PythonLoads(point.bound_loads))

    def _split_states(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the parts of states (n, ...): p (n, 4) and the velocity variable v (n, k)."""
        size = len(self.velocity.block.names)
        if self.velocity.second_order:
            return states[:, :4], states[:, 4:]
        return states[:, size:], states[:, :size]

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        v = self.velocity.start(p, omega, np.reshape(parameters.inertia, (3, 3)))
        return np.concatenate((p, v) if self.velocity.second_order else (v, p))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        p, v = self._split_states(states)
        return p, self.velocity.observe(p, v, np.reshape(parameters.inertia, (3, 3)))

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if not self.velocity.second_order:
            return super().constraint_rate(states, parameters)
        return np.einsum("ni,ni->n", states[:, :4], states[:, 4:])


def formulation_from_function(function: Function, name: str) -> type[Formulation]:
    """Return the formulation class of a user function, after trying it in Python and compiling it.

    Raises `InputError`, with the line, if the function cannot be used.
    """
    velocity = velocity_argument(function)
    body, p, omega = (
        Body(inertia=[1.0, 2.0, 3.0]),
        normalize(np.array([0.9, 0.1, -0.3, 0.2])),
        np.array([0.3, -0.5, 0.7]),
    )
    v = velocity.start(p, omega, body.inertia)
    shape = call_function(function, 0.0, p, v, body, PythonLoads(())).shape
    parameter_type, kernels = _compile_function(function, velocity, shape, body, p, v)
    description = " ".join((function.__doc__ or "").split())
    blocks = (velocity.block, EULER_PARAMETERS)
    size = len(velocity.block.names)
    fields: dict[str, Any] = {
        "__module__": function.__module__,
        "__doc__": description or name,
        "name": name,
        "title": name,
        "summary": description.partition(". ")[0],
        "source": phrase(
            "{file}, line {line}", file=inspect.getfile(function), line=function.__code__.co_firstlineno
        ),
        "blocks": blocks[::-1] if velocity.second_order else blocks,
        "second_order": velocity.second_order,
        "stabilisations": ("none", "renormalise", "project")
        if size == 3 or velocity.second_order
        else ("none",),
        "parameter_type": parameter_type,
        "kernels": kernels,
        "function": staticmethod(function),
        "velocity": velocity,
        "help": description,
    }
    formulation_class: type[Formulation] = type(name, (FunctionFormulation,), fields)
    return formulation_class


_compiled_cache: dict[Hashable, tuple[type[Any], Kernels]] = {}
"""Compiled functions by fingerprint, so that running a notebook cell again compiles nothing. Numba never frees
compiled code.
"""


def _compile_function(
    function: Function, velocity: VelocityVariable, shape: str, body: Body, p: np.ndarray, v: np.ndarray
) -> tuple[type[Any], Kernels]:
    """Compile a user function for the types of these arguments. Return its parameter type and its kernels."""
    key = fingerprint(function)
    if key is not None and key in _compiled_cache:
        return _compiled_cache[key]
    body_argument = FunctionBody(np.array(body.inertia), np.array(body.inverse_inertia))
    compiled_function: Function = compiler().njit(**OPTIONS)(function)
    try:
        compiled_function(0.0, p, v, body_argument, CompiledLoads(pack_body(body, ())["loads"]))
    except COMPILE_ERRORS as fault:
        raise function_error(function, fault) from None
    compiled_kernels = make_parameter_type(), make_kernels(compiled_function, velocity, shape)
    if key is not None:
        _compiled_cache[key] = compiled_kernels
    return compiled_kernels
