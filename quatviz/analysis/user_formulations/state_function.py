"""Formulations from a function of states with arbitrary names: other coordinates of the attitude, and additional states."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quatviz.analysis.user_formulations.function import (
    COMPILE_ERRORS,
    CompiledLoads,
    Function,
    FunctionBody,
    PythonLoads,
    function_error,
    make_parameter_type,
)
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations._named_states import (
    ATTITUDE_NAME,
    SESSION_MODULE,
    Derivative,
    NamedState,
    NamedStatesFormulation,
    StateEquations,
    known_start,
    known_velocity,
    state_slices,
)
from quatviz.physics.formulations._velocities import VELOCITIES
from quatviz.physics.formulations.base import Formulation, pack_body
from quatviz.physics.kernels.algebra import half_LT_times
from quatviz.physics.kernels.binder import OPTIONS, Kernels, compile_source, compiler
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize

TRIAL_BODY = Body(inertia=[1.0, 2.0, 3.0])
"""Body with which a function is tried before it is compiled."""
TRIAL_P, TRIAL_OMEGA = normalize(np.array([0.9, 0.1, -0.3, 0.2])), np.array([0.3, -0.5, 0.7])
"""Attitude and angular velocity with which a function is tried before it is compiled."""
_ARGUMENTS_REMEDY = "write for example def mine(t, omega, s, body, loads)"


@dataclass(frozen=True)
class StateFunction:
    """User function `f(t, *states, body, loads)` of named states, and the relation of p and omega to the states."""

    function: Function
    """The user function."""
    states: tuple[NamedState, ...]
    """States in the order of the arguments."""
    attitude: Function | None
    """Function that returns p and omega. Its arguments are some of the states, by name, and optionally
    `body`. None if p and a known velocity are themselves states."""
    omits_p_rate: bool = False
    """True if the function does not return p', which then follows from omega."""
    is_single: bool = False
    """True if the function returns a single rate without a tuple."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.states)

    def arguments(self, y: np.ndarray) -> dict[str, Any]:
        """Return the values of the states in a row (k,) by name: numbers or arrays."""
        where = state_slices(self.states)
        return {
            state.name: y[where[state.name]].copy() if state.size > 1 else float(y[where[state.name]][0])
            for state in self.states
        }

    def call(self, t: float, y: np.ndarray, body: Body, loads: Any) -> Any:
        """Call the function in Python at t [s] with the states in the row `y` (k,). Raise an `InputError`
        with the line if it fails."""
        values = self.arguments(y).values()
        return _call(self.function, t, *values, _body_argument(body.inertia), loads)

    def attitude_at(self, y: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return p (4,) and omega (3,) of a row (k,), computed in Python."""
        values = self.arguments(y)
        if self.attitude is None:
            name = next(name for name in self.names if name in VELOCITIES)
            p, v = values[ATTITUDE_NAME], values[name]
            return p, VELOCITIES[name].observe(p[None], v[None], J)[0]
        available = {**values, "body": _body_argument(J)}
        returned = _call(self.attitude, *(available[name] for name in _parameter_names(self.attitude)))
        try:
            p, omega = (np.asarray(value, dtype=float) for value in returned)
        except (TypeError, ValueError):
            p = omega = np.zeros(0)
        if p.shape != (4,) or omega.shape != (3,):
            raise InputError(
                self.attitude.__name__, expected="the pair of p (4) and omega (3)", found=_shortened(returned),
                remedy="return Euler parameters, scalar first, and the angular velocity in the body", topic="own#other-states",
            )  # fmt: skip
        return p, omega

    def rates(self, t: float, y: np.ndarray, body: Body, loads: Any) -> np.ndarray:
        """Return the derivative (k,) of a row, computed in Python."""
        returned = self.call(t, y, body, loads)
        values = [returned] if self.is_single else list(returned)
        if self.omits_p_rate:
            p, omega = self.attitude_at(y, body.inertia)
            values.insert(self.names.index(ATTITUDE_NAME), _p_rate(p, omega))
        return np.concatenate([np.atleast_1d(np.asarray(value, dtype=float)) for value in values])


def _p_rate(p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    return np.array(half_LT_times(tuple(p), tuple(omega)))


def _body_argument(J: np.ndarray) -> FunctionBody:
    return FunctionBody(np.array(J), np.linalg.inv(J))


def _call(function: Function, *arguments: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except InputError:
        raise
    except Exception as fault:
        raise function_error(function, fault) from fault


def _parameter_names(function: Function) -> list[str]:
    return list(inspect.signature(function).parameters)


def _shortened(value: Any) -> str:
    return " ".join(repr(value).split())[:120]


def has_named_states(function: Function) -> bool:
    """Return True if the function has other states than p and one known velocity."""
    names = _parameter_names(function)
    return len(names) != 5 or names[1] != ATTITUDE_NAME or names[2] not in VELOCITIES


def read_state_function(
    function: Function, start: Mapping[str, Any], attitude: Function | None
) -> StateFunction:
    """Return the states of a function, read from its arguments, after trying it once.

    Raises `InputError` if it cannot be used.
    """
    names = _parameter_names(function)
    state_names = names[1:-2]
    if len(names) < 4 or names[0] != "t" or names[-2:] != ["body", "loads"]:
        raise InputError(
            function.__name__, expected="the arguments (t, states, body, loads)", found=f"({', '.join(names)})",
            remedy=_ARGUMENTS_REMEDY, topic="own#other-states",
        )  # fmt: skip
    if unknown := sorted(set(start) - set(state_names)):
        raise InputError(
            "start", expected=phrase("states of {name}: {states}", name=function.__name__, states=", ".join(state_names)),
            found=unknown[0], remedy="remove it, or add the argument", topic="own#other-states",
        )  # fmt: skip
    states = tuple(_named_state(name, start, function.__name__) for name in state_names)
    if attitude is None and known_velocity(state_names) is None:
        raise InputError(
            function.__name__, expected="attitude=, a function of the states that returns p and omega", found="none",
            remedy="write for example attitude=lambda s, omega: (p, omega)", topic="own#other-states",
        )  # fmt: skip
    if attitude is not None and (other := set(_parameter_names(attitude)) - {*state_names, "body"}):
        raise InputError(
            "attitude", expected=phrase("no arguments other than {states} and body", states=", ".join(state_names)),
            found=", ".join(sorted(other)), remedy="use only these arguments", topic="own#other-states",
        )  # fmt: skip
    return _tried(StateFunction(function, states, attitude))


def _named_state(name: str, start: Mapping[str, Any], owner: str) -> NamedState:
    """Return a state with its initial value: a constant, or a function of p, omega and body."""
    given = start.get(name)
    if given is None:
        known = known_start(name)
        if known is None:
            expected = phrase(
                "the initial value of {name}, or a predefined state, one of {names}", name=name, names=", ".join(VELOCITIES)
            )  # fmt: skip
            raise InputError(
                owner, expected=expected, found="none", topic="own#other-states",
                remedy=phrase("write for example start={{{name!r}: 0.0}}, or a function of (p, omega, body)", name=name),
            )  # fmt: skip
        function = known
    elif callable(given):
        function = _start_function(given)
    else:
        value = _start_value(name, given)
        function = lambda p, omega, J: value  # noqa: E731
    value_at_trial = _start_value(name, function(TRIAL_P, TRIAL_OMEGA, TRIAL_BODY.inertia))
    return NamedState(name, max(value_at_trial.size, 1), function)


def _start_function(given: Function) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    return lambda p, omega, J: np.asarray(_call(given, p, omega, _body_argument(J)), dtype=float)


def _start_value(name: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.full((0, 0), np.nan)
    if array.ndim > 1 or not np.isfinite(array).all():
        raise InputError(
            "start", expected=phrase("a number or a row of numbers for {name}", name=name), found=quote_value(value),
            remedy="write for example numpy.zeros(3)", topic="own#other-states",
        )  # fmt: skip
    return array


def _tried(own: StateFunction) -> StateFunction:
    """Return a copy of `own` that also contains the form of the result (`omits_p_rate`, `is_single`), as found by a
    trial call. The shapes of the returned rates are checked."""
    y = _trial_row(own)
    own.attitude_at(y, TRIAL_BODY.inertia)
    returned = own.call(0.0, y, TRIAL_BODY, PythonLoads(()))
    for omits_p_rate in (False, True) if ATTITUDE_NAME in own.names else (False,):
        shapes = [
            () if state.size == 1 else (state.size,)
            for state in own.states
            if not (omits_p_rate and state.name == ATTITUDE_NAME)
        ]
        for is_single in (False, True):
            values = [returned] if is_single else returned
            if _has_shapes(values, shapes):
                return StateFunction(own.function, own.states, own.attitude, omits_p_rate, is_single)
    sizes = ", ".join(f"{state.name}' ({state.size})" for state in own.states)
    raise InputError(
        own.function.__name__, expected=phrase("the rates of all states, in a tuple: {rates}", rates=sizes),
        found=_shortened(returned), remedy="return the rates in the order of the arguments; p' may be omitted",
        topic="own#other-states",
    )  # fmt: skip


def _has_shapes(values: Any, shapes: Sequence[tuple[int, ...]]) -> bool:
    try:
        return len(values) == len(shapes) and all(
            np.asarray(value, dtype=float).shape == shape for value, shape in zip(values, shapes, strict=True)
        )
    except (TypeError, ValueError):
        return False


def _trial_row(own: StateFunction) -> np.ndarray:
    values = [state.start(TRIAL_P, TRIAL_OMEGA, TRIAL_BODY.inertia) for state in own.states]
    return np.concatenate([np.atleast_1d(value) for value in values])


# --- kernels


def _argument_texts(own: StateFunction, row: str) -> dict[str, str]:
    """Return, by name of the state, the code that reads each state from the tuple named `row`."""
    where = state_slices(own.states)
    texts = {}
    for state in own.states:
        parts = [f"{row}[{k}]" for k in range(where[state.name].start, where[state.name].stop)]
        texts[state.name] = parts[0] if state.size == 1 else f"array(({', '.join(parts)}))"
    return texts


def _as_tuple_text(text: str, size: int) -> str:
    return f"({', '.join(f'{text}[{k}]' for k in range(size))},)"


def make_rhs(own: StateFunction) -> Callable[..., Any]:
    """Return the kernel that computes the derivative of a state by calling the compiled user function."""
    where, arguments = state_slices(own.states), _argument_texts(own, "y")
    scope: dict[str, Any] = {
        "array": np.array, "FunctionBody": FunctionBody, "CompiledLoads": CompiledLoads, "half_LT_times": half_LT_times,
        "function": compiler().njit(**OPTIONS)(own.function), "__name__": SESSION_MODULE,
    }  # fmt: skip
    body = (
        "body = FunctionBody(array(par.inertia).reshape((3, 3)), array(par.inverse_inertia).reshape((3, 3)))"
    )
    call = f"function(t, {', '.join(arguments.values())}, body, CompiledLoads(par.loads))"
    lines = [body, f"rates = ({call},)" if own.is_single else f"rates = {call}"]
    parts, index = [], 0
    for state in own.states:
        if own.omits_p_rate and state.name == ATTITUDE_NAME:
            lines += _omega_lines(own, arguments, scope)
            p = where[ATTITUDE_NAME]
            lines.append(f"p_rate = half_LT_times(y[{p.start}:{p.stop}], omega)")
            parts += [f"p_rate[{k}]" for k in range(4)]
            continue
        parts += (
            [f"rates[{index}]"] if state.size == 1 else [f"rates[{index}][{k}]" for k in range(state.size)]
        )
        index += 1
    lines.append(f"return ({', '.join(parts)},)")
    return compile_source("state_function", "par, t, y", lines, **scope)


def _omega_lines(own: StateFunction, arguments: Mapping[str, str], scope: dict[str, Any]) -> list[str]:
    """Return lines of code that assign `omega` (3) in a kernel."""
    if own.attitude is not None:
        scope["attitude"] = compiler().njit(**OPTIONS)(own.attitude)
        available = {**arguments, "body": "body"}
        call = ", ".join(available[name] for name in _parameter_names(own.attitude))
        return [f"spin = attitude({call})[1]", "omega = (spin[0], spin[1], spin[2])"]
    name = next(name for name in own.names if name in VELOCITIES)
    where = state_slices(own.states)
    p, v = where[ATTITUDE_NAME], where[name]
    scope["omega_of"] = VELOCITIES[name].omega
    return [f"omega = omega_of(par, y[{p.start}:{p.stop}], y[{v.start}:{v.stop}])"]


def make_attitude_of_rows(
    own: StateFunction,
) -> Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Return a function that maps states (n, k) to p (n, 4) and omega (n, 3). It is compiled if it calls a
    user function."""
    if own.attitude is None:
        name = next(name for name in own.names if name in VELOCITIES)
        where = state_slices(own.states)
        return lambda states, J: (
            states[:, where[ATTITUDE_NAME]],
            VELOCITIES[name].observe(states[:, where[ATTITUDE_NAME]], states[:, where[name]], J),
        )
    available = {**_argument_texts(own, "states[n]"), "body": "FunctionBody(J, inverse)"}
    call = ", ".join(available[name] for name in _parameter_names(own.attitude))
    lines = [
        "for n in range(states.shape[0]):", f"    result = attitude({call})",
        *(f"    p[n, {k}] = result[0][{k}]" for k in range(4)), *(f"    omega[n, {k}] = result[1][{k}]" for k in range(3)),
    ]  # fmt: skip
    scope = {
        "array": np.array,
        "FunctionBody": FunctionBody,
        "attitude": compiler().njit(**OPTIONS)(own.attitude),
    }
    fill = compiler().njit(error_model="numpy")(
        compile_source("attitude_of_rows", "states, J, inverse, p, omega", lines, **scope)
    )

    def attitude_of_rows(states: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        p, omega = np.empty((len(states), 4)), np.empty((len(states), 3))
        fill(np.ascontiguousarray(states), np.array(J), np.linalg.inv(J), p, omega)
        return p, omega

    return attitude_of_rows


def formulation_from_states(
    function: Function, name: str, start: Mapping[str, Any], attitude: Function | None
) -> type[Formulation]:
    """Return the formulation class of a function of named states, after trying it in Python and compiling it.

    Raises `InputError` if the function cannot be used.
    """
    own = read_state_function(function, start, attitude)
    attitude_of_rows = make_attitude_of_rows(own)

    def right_side(at: EvaluationPoint, y: np.ndarray) -> Derivative:
        return Derivative(own.rates(at.t, y, at.body, PythonLoads(at.bound_loads)))

    equations = StateEquations(name, own.states, attitude_of_rows, right_side)
    kernels, parameter_type = (
        Kernels(make_rhs(own), projection=equations.projection_kernel()),
        make_parameter_type(),
    )
    y = _trial_row(own)
    try:
        attitude_of_rows(y[None], TRIAL_BODY.inertia)
        parameters = parameter_type(**pack_body(TRIAL_BODY, ()))
        compiler().njit(**OPTIONS)(kernels.rhs)(parameters, 0.0, tuple(y.tolist()))
    except COMPILE_ERRORS as fault:
        raise function_error(function, fault) from None
    description = " ".join((function.__doc__ or "").split())

    fields: dict[str, Any] = {
        "__module__": function.__module__, "__doc__": description or name, "name": name, "title": name,
        "summary": description.partition(". ")[0], "help": description,
        "source": phrase("{file}, line {line}", file=inspect.getfile(function), line=function.__code__.co_firstlineno),
        "blocks": equations.blocks, "own": equations,
        "stabilisations": ("none", "renormalise") if kernels.projection else ("none",),
        "parameter_type": parameter_type, "kernels": kernels,
    }  # fmt: skip
    formulation_class: type[Formulation] = type(name, (NamedStatesFormulation,), fields)
    return formulation_class
