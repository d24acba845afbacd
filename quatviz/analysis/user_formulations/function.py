"""A formulation from a function of NumPy: it is tried in Python, compiled, and made a class like any other."""

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

from quatviz.analysis.user_formulations.function_fingerprint import content_of
from quatviz.analysis.user_formulations.velocities import VELOCITIES, Velocity
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown
from quatviz.physics.equations import Equation, Point, Term
from quatviz.physics.equations.evaluation_point import derivative
from quatviz.physics.equations.shared_terms import KINEMATICS
from quatviz.physics.formulations._attitude import project, with_attitude
from quatviz.physics.formulations._rates import project as project_rates
from quatviz.physics.formulations.base import BodyParameters, Formulation, packed
from quatviz.physics.kernels.algebra import half_LT_times
from quatviz.physics.kernels.binder import OPTIONS, Group, Kernels, compiler, inline
from quatviz.physics.loads import Loads, body_torque
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalise
from quatviz.physics.mechanics.state import EULER_PARAMETERS

NOWHERE = "a session of quatviz"
"""The module of what a script has made: there is none, so that no cache keeps its kernels."""

RATE, BOTH, WITH_LAMBDA = "the rate of v", "p' and the rate of v", "the rate of v and lambda"
"""What a function may return."""

Function = Callable[..., Any]
UNCOMPILED = (NumbaError, UnsupportedBytecodeError)
"""What numba raises for what it cannot compile; the second is none of the first."""


class OwnBody(NamedTuple):
    """The body, as a function of one's own is given it: J (3, 3) [kg m^2] and its inverse."""

    inertia: Any
    inverse_inertia: Any


class OwnLoads(NamedTuple):
    """The loads, as a compiled function of one's own is given them; `torque` is that of `BoundLoads`.

    One field alone makes it a uniform tuple to numba: other tuples, some with a field of that name, get no method."""

    packed: Loads


@dataclass(frozen=True)
class BoundLoads:
    """The same for a function that is called in Python."""

    loads: Sequence[BoundLoad]

    def torque(self, t: float, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Torque of all loads (3,) [N m, body] at t [s], p (4,) and omega (3,) [rad/s, body]."""
        row = np.array([t]), normalise(np.asarray(p))[None], np.asarray(omega, dtype=float)[None]
        return sum((load.torque(*row)[0] for load in self.loads), np.zeros(3))


_method: Any = overload_method(types.NamedUniTuple, "torque", jit_options=OPTIONS)  # type: ignore[call-arg]


@_method
def _torque(loads, t, p, omega):
    if loads.instance_class is not OwnLoads:
        return None

    def torque(loads, t, p, omega):
        n = (0.0, 0.0, 0.0)
        if loads.packed.present:
            n = body_torque(loads.packed, t, (p[0], p[1], p[2], p[3]), (omega[0], omega[1], omega[2]))
        return np.array(n)

    return torque


class Answer(NamedTuple):
    """What a function has returned: p' (4) or None where it leaves that to the kinematics, the rate of the velocity (k,), lambda
    [J] or None."""

    p_rate: np.ndarray | None
    rate: np.ndarray
    lam: float | None

    @property
    def shape(self) -> str:
        """Which of them there are."""
        return WITH_LAMBDA if self.lam is not None else RATE if self.p_rate is None else BOTH


def velocity_of(function: Function) -> Velocity:
    """The velocity that a function takes, by the name of its third argument; `InputError` for other arguments, and for a function
    that `exec` has made beside no module, which numba would stumble over."""
    if not isinstance(function.__module__, str):
        raise InputError(
            function.__name__, expected="a function that belongs to a module", found=f"__module__ = {shown(function.__module__)}",
            remedy='give its text a module: exec(text, {"__name__": "__main__"})', topic="own#a-function",
        )  # fmt: skip
    names = list(inspect.signature(function).parameters)
    wanted = ["t", "p", "body", "loads"]
    if len(names) != 5 or names[:2] + names[3:] != wanted or names[2] not in VELOCITIES:
        raise InputError(
            function.__name__, found=f"({', '.join(names)})",
            expected=phrase("arguments (t, p, v, body, loads), v being one of {names}", names=", ".join(VELOCITIES)),
            remedy="write for example def mine(t, p, omega, body, loads)", topic="own#a-function",
        )  # fmt: skip
    return VELOCITIES[names[2]]


def called(function: Function, t: float, p: np.ndarray, v: np.ndarray, body: Body, loads: Any) -> Answer:
    """What a function returns in Python, for `loads` with a method `torque(t, p, omega)`. `InputError` for what is no answer."""
    velocity = velocity_of(function)
    given = OwnBody(np.array(body.inertia), np.array(body.inverse_inertia))
    try:
        with np.errstate(all="ignore"):
            said = function(t, p.copy(), v.copy(), given, loads)
            found = _read(said, velocity)
    except InputError:
        raise
    except Exception as fault:
        raise refused(function, fault) from fault
    if found is None:
        size = len(velocity.block.names)
        raise InputError(
            function.__name__, found=" ".join(repr(said).split())[:120],
            expected=phrase("the rate of v, {size} numbers, or a pair of p' (4) and that, or of that and lambda", size=size),
            remedy="return what the equations give: p' but beside p_rate, lambda beside p_rate and g alone", topic="own#a-function",
        )  # fmt: skip
    return found


def _read(said: Any, velocity: Velocity) -> Answer | None:
    """What was returned, or None where it is no answer."""
    try:
        return _answer(said, velocity)
    except (TypeError, ValueError):
        return None


def _answer(said: Any, velocity: Velocity) -> Answer | None:
    size = len(velocity.block.names)
    if isinstance(said, tuple) and len(said) == 2:
        first, second = (np.asarray(each, dtype=float) for each in said)
        if first.shape == (4,) and second.shape == (size,) and not velocity.second_order:
            return Answer(first, second, None)
        if size == 4 and first.shape == (size,) and second.shape == ():
            return Answer(None, first, float(second))
        return None
    rate = np.asarray(said, dtype=float)
    return Answer(None, rate, None) if rate.shape == (size,) else None


def refused(function: Function, fault: Exception) -> InputError:
    """That a function failed, or cannot be compiled: the line, and what is said of it."""
    path = inspect.getfile(function)
    if isinstance(fault, UNCOMPILED):
        line = getattr(getattr(fault, "loc", None), "line", None)
        said = _plain(fault)
        expected = "a function of floats and NumPy that numba can compile"
    else:
        steps = [step for step in traceback.extract_tb(fault.__traceback__) if step.filename == path]
        line = steps[-1].lineno if steps else None
        said = f"{type(fault).__name__}: {fault}"
        expected = "a function that can be called"
    source = linecache.getline(path, line).strip() if line else ""
    place = phrase("{name}, line {line}", name=function.__name__, line=line) if line else function.__name__
    return InputError(
        place, expected=expected, found=f"{source!r}: {said[:300]}" if source else said[:300], topic="own#a-function",
        remedy="write that line with floats, math and what numba knows of NumPy; loads.torque(t, p, omega) gives the torque",
    )  # fmt: skip


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_EMPTY = (
    "Failed in",
    "No implementation of function",
    "There are",
    "Of which",
    "Overload",
    "Resolution failure",
)
"""Beginnings of lines in which numba says what it tried."""


def _plain(fault: Exception) -> str:
    """What numba says, the first sentence of it that says something."""
    lines = [_COLOURS.sub("", line).strip(" -\t") for line in fault.args[0].splitlines()]
    told = [line for line in lines if line and not line.startswith(_EMPTY)]
    return (told or lines)[0]


# --- kernels


@inline
def _v_and_p(y):
    return y[:3], y[3:7]


@inline
def _p_and_v(y):
    return y[4:], y[:4]


@inline
def _g_and_p(y):
    return y[:4], y[4:]


@inline
def _three(x):
    return (x[0], x[1], x[2])


@inline
def _four(x):
    return (x[0], x[1], x[2], x[3])


def kernels_of(compiled: Function, velocity: Velocity, shape: str) -> Kernels:
    """The kernels around a compiled function whose answers have this shape."""
    size, second, omega_of = len(velocity.block.names), velocity.second_order, velocity.omega
    parts = _p_and_v if second else _v_and_p if size == 3 else _g_and_p
    numbers = _three if size == 3 else _four

    @inline
    def answer(par, t, y):
        v, p = parts(y)
        J = np.array(par.inertia).reshape((3, 3))
        inverse = np.array(par.inverse_inertia).reshape((3, 3))
        return compiled(t, np.array(p), np.array(v), OwnBody(J, inverse), OwnLoads(par.loads))

    def attitude(par, y):
        return y[3:7], omega_of(par, y[3:7], y[:3])

    return Kernels(
        rhs=_rhs(answer, parts, numbers, omega_of, second, shape),
        multiplier=(lambda par, t, y: answer(par, t, y)[1]) if shape == WITH_LAMBDA else None,
        projection=project_rates if second else project if size == 3 else None,
        group=Group(inline(attitude), with_attitude) if size == 3 else None,
    )


def _rhs(answer: Any, parts: Any, numbers: Any, omega_of: Any, second: bool, shape: str) -> Any:
    """The derivative of the whole state; p' by the kinematics where the function does not say it."""

    @inline
    def rate(par, t, y):
        return numbers(answer(par, t, y))

    @inline
    def rate_beside_lambda(par, t, y):
        return numbers(answer(par, t, y)[0])

    @inline
    def p_rate(par, t, y):
        v, p = parts(y)
        return half_LT_times(p, omega_of(par, p, v))

    def both(par, t, y):
        rate_of_p, rate_of_v = answer(par, t, y)
        return numbers(rate_of_v) + _four(rate_of_p)

    if shape == BOTH:
        return both
    found = rate_beside_lambda if shape == WITH_LAMBDA else rate
    if second:
        return lambda par, t, y: y[4:] + found(par, t, y)
    return lambda par, t, y: found(par, t, y) + p_rate(par, t, y)


# --- the class


def parameters_of_its_own() -> type[Any]:
    """A type for the parameters of one formulation, by which its kernels are found; no cache keeps them."""
    return type("OwnParameters", (BodyParameters,), {"__module__": NOWHERE})


class FunctionForm(Formulation):
    """What the class of a function adds: how its state is read, its card and what the help says."""

    function: ClassVar[Function]
    velocity: ClassVar[Velocity]

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        latex, words = cls.velocity.latex, phrase("what {name} returns", name=cls.name)
        name = cls.name.replace("_", r"\_")
        left = Term(rf"\frac{{d}}{{dt}}{latex}", "its rate, by the motion", lambda at: cls._moved(at))
        right = Term(rf"\mathrm{{{name}}}(t, p, {latex})", words, lambda at: cls._answered(at).rate)
        own = Equation((left,), (right,), cls.velocity.unit, cls.velocity.frame, "the motion")
        return (own,) if cls.velocity.second_order else (own, KINEMATICS)

    @classmethod
    def _moved(cls, at: Point) -> np.ndarray:
        """The rate of the velocity (k,) by the motion."""
        along = np.concatenate((at.p_rate, at.omega_rate))
        both = np.concatenate((at.p, at.omega))
        return derivative(lambda x: cls.velocity.start(normalise(x[:4]), x[4:], at.J), both, along)

    @classmethod
    def _answered(cls, at: Point) -> Answer:
        v = cls.velocity.start(at.p, at.omega, at.J)
        return called(cls.function, at.t, at.p, v, at.body, BoundLoads(at.bound))

    def _divided(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p (n, 4) and v (n, k)."""
        size = len(self.velocity.block.names)
        if self.velocity.second_order:
            return states[:, :4], states[:, 4:]
        return states[:, size:], states[:, :size]

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        v = self.velocity.start(p, omega, np.reshape(parameters.inertia, (3, 3)))
        return np.concatenate((p, v) if self.velocity.second_order else (v, p))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        p, v = self._divided(states)
        return p, self.velocity.observe(p, v, np.reshape(parameters.inertia, (3, 3)))

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if not self.velocity.second_order:
            return super().constraint_rate(states, parameters)
        return np.einsum("ni,ni->n", states[:, :4], states[:, 4:])


def form_of(function: Function, name: str) -> type[Formulation]:
    """The class of a function: tried at a state in Python, then compiled. `InputError`, with the line, for what cannot be used."""
    velocity = velocity_of(function)
    body, p, omega = (
        Body(inertia=[1.0, 2.0, 3.0]),
        normalise(np.array([0.9, 0.1, -0.3, 0.2])),
        np.array([0.3, -0.5, 0.7]),
    )
    v = velocity.start(p, omega, body.inertia)
    shape = called(function, 0.0, p, v, body, BoundLoads(())).shape
    own, kernels = _compiled(function, velocity, shape, body, p, v)
    told = " ".join((function.__doc__ or "").split())
    blocks = (velocity.block, EULER_PARAMETERS)
    size = len(velocity.block.names)
    fields: dict[str, Any] = {
        "__module__": function.__module__, "__doc__": told or name, "name": name, "title": name, "told": told.partition(". ")[0],
        "source": phrase("{file}, line {line}", file=inspect.getfile(function), line=function.__code__.co_firstlineno),
        "blocks": blocks[::-1] if velocity.second_order else blocks, "second_order": velocity.second_order,
        "stabilisations": ("none", "renormalise", "project") if size == 3 or velocity.second_order else ("none",),
        "parameter_type": own, "kernels": kernels,
        "function": staticmethod(function), "velocity": velocity, "help": told,
    }  # fmt: skip
    kind: type[Formulation] = type(name, (FunctionForm,), fields)
    return kind


_compiled_before: dict[Hashable, tuple[type[Any], Kernels]] = {}
"""By what it was compiled from, for a cell that is run again as it stands: numba lets go of nothing that it has compiled."""


def _compiled(
    function: Function, velocity: Velocity, shape: str, body: Body, p: np.ndarray, v: np.ndarray
) -> tuple[type[Any], Kernels]:
    """The type of its parameters and its kernels, around the function compiled for what these give it."""
    content = content_of(function)
    if content is not None and content in _compiled_before:
        return _compiled_before[content]
    given = OwnBody(np.array(body.inertia), np.array(body.inverse_inertia))
    made: Function = compiler().njit(**OPTIONS)(function)
    try:
        made(0.0, p, v, given, OwnLoads(packed(body, ())["loads"]))
    except UNCOMPILED as fault:
        raise refused(function, fault) from None
    found = parameters_of_its_own(), kernels_of(made, velocity, shape)
    if content is not None:
        _compiled_before[content] = found
    return found
