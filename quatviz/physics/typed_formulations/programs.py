"""Programs of a typed formulation: parsed into statements, and written as kernels and as functions of NumPy columns."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.vector_program import (
    INVERSE_OF_J,
    MATRIX,
    NUMBER,
    QUATERNION,
    VECTOR,
    Assignments,
    Shape,
    UnknownNameError,
    Value,
    assigned_rates,
    is_misspelled,
    is_valid_name,
    read_assignments,
    refuse_quotient_rates,
)
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations._named_states import (
    ATTITUDE_NAME,
    KNOWN_BLOCKS,
    Derivative,
    NamedState,
    StateEquations,
    known_start,
)
from quatviz.physics.kernels.algebra import on_sphere
from quatviz.physics.kernels.binder import Kernels, compile_source
from quatviz.physics.kernels.generated_modules import create_module
from quatviz.physics.loads import PackedLoads, body_torque
from quatviz.physics.loads.torque_law.scope import ARRAY_SCOPE, KERNEL_SCOPE, attitude_lines, constant_lines
from quatviz.physics.mechanics.rotations import normalize, rotation_matrix

_J = Value(MATRIX, tuple(f"_j{k}" for k in range(9)))
_INVERSE = Value(MATRIX, tuple(f"_i{k}" for k in range(9)))
_A = Value(MATRIX, tuple(f"_a{k}" for k in range(9)))
_P = Value(QUATERNION, tuple(f"_p{k}" for k in range(4)))
_OMEGA = Value(VECTOR, ("_w0", "_w1", "_w2"))
_TORQUE = Value(VECTOR, ("_n0", "_n1", "_n2"))
_TIME = Value(NUMBER, ("_t",))
_INERTIA = {"J": _J, INVERSE_OF_J: _INVERSE}
_ATTITUDE_LINES = {
    "omega_space": "omega = A.T @ omega_space",
    "h": "omega = solve(J, h)",
    "h_space": "omega = solve(J, A.T @ h_space)",
    "p_rate": "omega = 2*product(conjugate(p), p_rate)[1:]/dot(p, p)",
    "g": "omega = solve(J, product(conjugate(p), g)[1:]/2)",
}
"""Default lines that compute omega from p and a state with a predefined velocity name, by this name.

They are used if the user types no line for omega.
"""
_SAME_VALUE = 1e-13
"""Largest relative difference of p and omega from those of an evaluation point at which the torque of the point is
reused."""
MULTIPLIER_NAME, SINGULARITY_NAME = "lam", "singular"
"""Names of two optional lines of the rates: the first gives lambda [J], the second a number that tends to 0
at a singularity.
"""

TAKEN_NAMES = frozenset((*KNOWN_BLOCKS, "t", "A", "J", "n", MULTIPLIER_NAME))
"""Names that the user cannot give to a constant."""


class Texts(NamedTuple):
    """Text that the user typed: lines for the rates, for the start values and for the attitude, and the names
    of the constants in them.
    """

    rates: str
    start: str = ""
    attitude: str = ""
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypedPrograms:
    """The programs of a formulation after parsing and checking.

    `states` are the names and shapes of its states, in the order of their rates.
    """

    states: tuple[tuple[str, Shape], ...]
    start: Assignments
    attitude: Assignments
    rates: Assignments
    p: Value
    omega: Value
    number_names: tuple[str, ...]

    @property
    def state_values(self) -> dict[str, Value]:
        """The states by name, as values whose components are the variables `_y0`, `_y1`, ..., numbered across all
        states."""
        return _state_values(self.states)

    @property
    def size(self) -> int:
        """Number of components of all states."""
        return sum(len(value.parts) for value in self.state_values.values())


def _state_values(states: Sequence[tuple[str, Shape]]) -> dict[str, Value]:
    values, first = {}, 0
    for name, shape in states:
        count = math.prod(shape)
        values[name] = Value(shape, tuple(f"_y{first + k}" for k in range(count)))
        first += count
    return values


def read_programs(texts: Texts) -> TypedPrograms:
    """Parse the programs of a formulation.

    Raises
    ------
    InputError
        If a text is not a valid program. The error contains the key of the text, the line and the column.
    """
    numbers = {name: Value(NUMBER, (f"_g{k}",)) for k, name in enumerate(texts.numbers)}
    inputs = {ATTITUDE_NAME: _P, "omega": _OMEGA, "A": _A, **_INERTIA, **numbers}
    start = _read("start", texts.start, inputs, taken=assigned_rates(texts.rates))
    with _errors_of("rates"):
        refuse_quotient_rates(texts.rates)
    names = assigned_rates(texts.rates)
    if not names:
        raise _error(
            "rates",
            "the rates of states, such as omega' = ...",
            "none",
            "write a line name' = expression for each state",
        )
    states = tuple((name, _state_shape(name, start)) for name in names)
    values = _state_values(states)
    if other := [name for name in start.values if name in KNOWN_BLOCKS and name not in names]:
        raise _error(
            "start",
            "initial values of states that have a rate",
            other[0],
            phrase("write {name}' = ... in the rates, or choose another name", name=other[0]),
        )
    attitude, p, omega = _read_attitude(texts.attitude, values, numbers)
    known = {
        **values,
        "t": _TIME,
        "A": _A,
        **_INERTIA,
        "n": _TORQUE,
        ATTITUDE_NAME: p,
        "omega": omega,
        **numbers,
    }
    rates = _read("rates", texts.rates, known, attitude)
    for name, shape in states:
        if rates.values[f"{name}'"].shape != shape:
            raise _error(
                "rates",
                phrase("{name}' with {count} components, like the start value of {name}", name=name, count=math.prod(shape)),
                phrase("{count} components", count=math.prod(rates.values[f"{name}'"].shape)),
                "give both the same number of components",
            )  # fmt: skip
    for name in (MULTIPLIER_NAME, SINGULARITY_NAME):
        if name in rates.values and rates.values[name].shape != NUMBER:
            raise _error(
                "rates", phrase("a number for {name}", name=name), "a vector", "write it as a number"
            )
    return TypedPrograms(states, start, attitude, rates, p, omega, texts.numbers)


def _read(
    key: str,
    text: str,
    inputs: Mapping[str, Value],
    before: Assignments | None = None,
    taken: Sequence[str] = (),
) -> Assignments:
    """Parse one text of a formulation.

    Names in `taken` are in use, so that errors do not propose to define constants with these names.
    """
    with _errors_of(key):
        try:
            return read_assignments(text, inputs, before)
        except UnknownNameError as fault:
            raise _with_numbers_as_remedy(fault, {*TAKEN_NAMES, *inputs, *taken}) from None


def _with_numbers_as_remedy(fault: UnknownNameError, taken: Collection[str]) -> UnknownNameError:
    """Return the error about unknown names with a second remedy for each name that a constant can have: to define this
    constant."""
    remedies = {
        name: phrase("give a value under Numbers, or {remedy}", remedy=phrase(remedy))
        if is_valid_name(name) and name not in taken and not is_misspelled(name, taken)
        else remedy
        for name, remedy in fault.remedies.items()
    }
    return UnknownNameError(fault.line, fault.column, remedies)


@contextmanager
def _errors_of(key: str) -> Iterator[None]:
    """Return a context that adds `key`, the key of a text of a formulation, to errors that are raised in it."""
    try:
        yield
    except InputError as refusal:
        place = phrase("{key}, {place}", key=key, place=refusal.place)
        raise refusal.with_place(place, key) from refusal


def _state_shape(name: str, start: Assignments) -> Shape:
    if name in KNOWN_BLOCKS:
        return (len(KNOWN_BLOCKS[name].names),)
    if name not in start.values:
        raise _error(
            "start", phrase("the start value of {name}", name=name), "none", phrase("write a line {name} = expression", name=name)
        )  # fmt: skip
    shape = start.values[name].shape
    if shape not in (NUMBER, VECTOR, QUATERNION):
        raise _error(
            "start",
            phrase("a number, a vector or a quaternion for {name}", name=name),
            "another value",
            "write its components",
        )
    return shape


def _read_attitude(
    text: str, states: Mapping[str, Value], numbers: Mapping[str, Value]
) -> tuple[Assignments, Value, Value]:
    """Return the parsed lines of the attitude and the values of p and omega.

    If the user types no line for omega, the lines include a default line that computes it from a predefined state.
    """
    inputs = {**states, **_INERTIA, **numbers}
    if ATTITUDE_NAME in states:
        inputs["A"] = _A
    lines = _read("attitude", text, inputs)
    p = lines.values.get(ATTITUDE_NAME) or states.get(ATTITUDE_NAME)
    omega = lines.values.get("omega") or states.get("omega")
    if omega is None and p is not None:
        known = [name for name in states if name in _ATTITUDE_LINES]
        if known and ATTITUDE_NAME in states:
            derived = read_assignments(_ATTITUDE_LINES[known[0]], inputs, lines)
            lines = Assignments(derived.constants, derived.statements, {**lines.values, **derived.values})
            omega = derived.values["omega"]
    for name, value, shape in ((ATTITUDE_NAME, p, QUATERNION), ("omega", omega, VECTOR)):
        if value is None or value.shape != shape:
            raise _error(
                "attitude", phrase("{name} as {count} numbers computed from the states", name=name, count=shape[0]),
                "none" if value is None else phrase("{count} numbers", count=len(value.parts)),
                phrase("write a line {name} = expression", name=name),
            )  # fmt: skip
    assert p is not None
    assert omega is not None
    return lines, p, omega


def _error(key: str, expected: str, found: str, remedy: str) -> InputError:
    return InputError(
        key, expected=expected, found=found, remedy=remedy, key=key, topic="own#a-formulation-in-a-preset"
    )


# --- kernels and functions


class TypedParameters(NamedTuple):
    """Parameters of the kernels of a typed formulation: the fields of `BodyParameters`, and the values of the
    user's constants.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    numbers: tuple[float, ...]


def _attitude_parts(programs: TypedPrograms) -> tuple[list[str], list[str]]:
    """Return two lists of source lines. The first list computes p and omega, and the second one the components `_a0`, ... of A
    from p. If p is a state, the first list computes A as well, and the second one is empty.
    """
    lines = attitude_lines(programs.p.parts)
    if ATTITUDE_NAME in dict(programs.states):
        return [*lines, *programs.attitude.statements], []
    return list(programs.attitude.statements), lines


def _tuple_text(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)},)"


def _rate_parts(programs: TypedPrograms) -> list[str]:
    return [part for name, _ in programs.states for part in programs.rates.values[f"{name}'"].parts]


@lru_cache(maxsize=64)
def make_kernels(texts: Texts) -> tuple[Kernels, type[Any]]:
    """Return the kernels of a typed formulation and the type of the kernels' parameters. Both depend on the
    texts of the formulation, not on the values of its constants."""
    programs = read_programs(texts)
    known, rotation = _attitude_parts(programs)
    lines = [
        *constant_lines(programs.rates.constants), *(f"_y{k} = y[{k}]" for k in range(programs.size)),
        *(f"_j{k} = par.inertia[{k}]" for k in range(9)), *(f"_i{k} = par.inverse_inertia[{k}]" for k in range(9)),
        *(f"_g{k} = par.numbers[{k}]" for k in range(len(texts.numbers))),
        *known, *rotation, "_n0, _n1, _n2 = 0.0, 0.0, 0.0", "if par.loads.present:",
        f"    _n0, _n1, _n2 = body_torque(par.loads, _t, {_tuple_text(programs.p.parts)}, {_tuple_text(programs.omega.parts)})",
        *programs.rates.statements[len(programs.attitude.statements) :],
    ]  # fmt: skip
    functions = {**KERNEL_SCOPE, "body_torque": body_torque, "on_sphere": on_sphere}
    text = repr(
        (
            lines,
            [(name, value.parts) for name, value in programs.rates.values.items()],
            TypedParameters.__annotations__,
        )
    )
    module = create_module(
        "typed_formulation", text, (function.__module__ for function in functions.values())
    )
    scope = {**KERNEL_SCOPE, "body_torque": body_torque, "__name__": module.__name__}
    rhs = compile_source(
        "typed_rates", "par, _t, y", [*lines, f"return {_tuple_text(_rate_parts(programs))}"], **scope
    )

    def kernel_of(name: str) -> Any:
        """Return the kernel that computes the number on the line `name`, or None if there is no such line."""
        if name not in programs.rates.values:
            return None
        result = programs.rates.values[name].parts[0]
        return compile_source(f"typed_{name}", "par, _t, y", [*lines, f"return {result}"], **scope)

    own = make_equations("", texts, (0.0,) * len(texts.numbers))
    parameter_type = type("OwnTypedParameters", (TypedParameters,), {"__module__": module.__name__})
    setattr(
        module, parameter_type.__name__, parameter_type
    )  # Loading a cached kernel looks up the type there.
    kernels = Kernels(
        rhs=rhs, multiplier=kernel_of(MULTIPLIER_NAME), singularity=kernel_of(SINGULARITY_NAME),
        projection=own.projection_kernel(module.__name__),
    )  # fmt: skip
    return kernels, parameter_type


@lru_cache(maxsize=64)
def _make_functions(texts: Texts) -> tuple[TypedPrograms, Any, Any, Any]:
    """Return the programs of a formulation and three functions for NumPy columns, which compute the start
    values, the attitude and the rates.
    """
    programs = read_programs(texts)
    inputs = [
        *(f"_j{k} = J[{k}]" for k in range(9)), *(f"_i{k} = J[{9 + k}]" for k in range(9)),
        *(f"_g{k} = numbers[{k}]" for k in range(len(texts.numbers)))
    ]  # fmt: skip
    own_starts = [name for name, _ in programs.states if name in programs.start.values]
    parts = [part for name in own_starts for part in programs.start.values[name].parts]
    result = _tuple_text(parts) if parts else "()"
    start = compile_source("start", "p, omega, A, J, numbers", [
        *constant_lines(programs.start.constants, "float64({})"), "_p0, _p1, _p2, _p3 = p", "_w0, _w1, _w2 = omega",
        *(f"_a{k} = A[{k}]" for k in range(9)), *inputs, *programs.start.statements, f"return {result}",
    ], **ARRAY_SCOPE)  # fmt: skip
    known, rotation = _attitude_parts(programs)
    common = [
        *constant_lines(programs.rates.constants, "float64({})"),
        *(f"_y{k} = y[{k}]" for k in range(programs.size)), *inputs, *known,
    ]  # fmt: skip
    attitude = compile_source(
        "attitude", "y, J, numbers",
        [*common, f"return {_tuple_text(programs.p.parts)}, {_tuple_text(programs.omega.parts)}"], **ARRAY_SCOPE,
    )  # fmt: skip
    results = _rate_parts(programs)
    for name, missing in ((MULTIPLIER_NAME, "nan"), (SINGULARITY_NAME, "1.0")):
        results += programs.rates.values.get(name, Value(NUMBER, (missing,))).parts
    rates = compile_source(
        "rates", "_t, y, n, J, numbers",
        [*common, *rotation, "_n0, _n1, _n2 = n", *programs.rates.statements[len(programs.attitude.statements) :],
         f"return {_tuple_text(results)}"], **ARRAY_SCOPE, nan=math.nan,
    )  # fmt: skip
    return programs, start, attitude, rates


@lru_cache(maxsize=64)
def make_equations(name: str, texts: Texts, numbers: tuple[float, ...]) -> StateEquations:
    """Return the equations of a formulation for evaluation in NumPy. Nothing is compiled."""
    programs, start_of, attitude_of, rates_of = _make_functions(texts)
    values = tuple(map(np.float64, numbers))

    def own_start(state: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
        names = [name for name, _ in programs.states if name in programs.start.values]
        counts = [len(programs.start.values[name].parts) for name in names]
        first = sum(counts[: names.index(state)])
        count = counts[names.index(state)]

        def start(p: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
            unit = normalize(np.asarray(p, dtype=float))
            with np.errstate(all="ignore"):
                parts = start_of(
                    tuple(unit), tuple(omega), rotation_matrix(unit).ravel(), _with_inverse(J), values
                )
            return np.array(parts[first : first + count], dtype=float)

        return start

    def attitude_of_rows(states: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(all="ignore"):
            parts = attitude_of(states.T, _with_inverse(J), values)
        p, omega = (_as_rows(components, len(states)) for components in parts)
        return p, omega

    def right_side(at: EvaluationPoint, y: np.ndarray) -> Derivative:
        with np.errstate(all="ignore"):
            p, omega = attitude_of(tuple(y), _with_inverse(at.J), values)
            n = _torque_at(at, normalize(np.array(p, dtype=float)), np.array(omega, dtype=float))
            *rates, lam, singularity = rates_of(
                np.float64(at.t), tuple(y), tuple(n), _with_inverse(at.J), values
            )
        return Derivative(np.array(rates, dtype=float), float(lam), float(singularity))

    def start_of_state(state: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
        known = known_start(state)
        return own_start(state) if state in programs.start.values or known is None else known

    states = tuple(
        NamedState(state, math.prod(shape), start_of_state(state)) for state, shape in programs.states
    )
    return StateEquations(name, states, attitude_of_rows, right_side)


def _torque_at(at: EvaluationPoint, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the torque (3,) [N m, body] of the loads of an evaluation point, at p (4,) and omega (3,) of a state.

    If they equal p and omega of the point, as usual, the torque that the point has already computed is returned.
    """
    if not at.body.rotors and all(
        np.abs(value - own).max() <= _SAME_VALUE * (1.0 + np.abs(own).max())
        for value, own in ((p, at.p), (omega, at.omega))
    ):
        return at.torque
    row = np.array([at.t]), p[None], omega[None]
    return np.asarray(sum((load.torque(*row)[0] for load in at.bound_loads), np.zeros(3)))


def _with_inverse(J: np.ndarray) -> np.ndarray:
    """Return the components (18,) of an inertia (3, 3) and of its inverse, both row-major."""
    return np.concatenate((np.ravel(J), np.linalg.inv(J).ravel()))


def _as_rows(components: Sequence[Any], count: int) -> np.ndarray:
    return np.stack([np.broadcast_to(component, (count,)) for component in components], axis=1).astype(float)
