"""Lagrange's equations of typed T and V, derived with SymPy and written as a typed formulation."""

import importlib
import importlib.util
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.vector_program import (
    MATRIX,
    NUMBER,
    QUATERNION,
    UNARY_FUNCTIONS,
    VECTOR,
    Assignments,
    Shape,
    Value,
    assigned_rates,
    read_assignments,
)
from quatviz.physics.kernels.binder import compile_source
from quatviz.physics.typed_formulations.definition import TypedFormulation

_RATE_SUFFIX = "_rate"
_PRIMED = re.compile(r"\b([A-Za-z][A-Za-z0-9_]*)'")
_COMMENT = re.compile(r"#.*")
_J_PARTS = tuple(f"_j{k}" for k in range(9))
_SMOOTH_FUNCTIONS = {"asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "abs": "Abs"} | {
    name: name for name in UNARY_FUNCTIONS if name not in ("asin", "acos", "atan", "abs", "sign")
}
"""Functions that T, V, omega and p may contain, with their names in SymPy."""


@dataclass(frozen=True)
class LagrangeTexts:
    """T and V of a body, as text, with its three coordinates.

    `energies` has the lines `omega = ...` (3) [rad/s, body] and `T = ...` [J], both in terms of the coordinates and
    their rates such as `phi'`, and may have `V = ...` [J]. If V is given, it replaces all loads of the run; otherwise
    these loads act. `attitude` has the line `p = ...` (4). `start` computes the initial value of each coordinate, one
    line per coordinate, from p and the rotation matrix A. `numbers` are the values of named constants.
    """

    name: str
    energies: str
    attitude: str
    start: str
    numbers: Mapping[str, float] = field(default_factory=dict)


LAGRANGE_EXAMPLE = LagrangeTexts(
    "my_lagrange",
    energies="""\
omega = [phi'*sin(theta)*sin(psi) + theta'*cos(psi), phi'*sin(theta)*cos(psi) - theta'*sin(psi), phi'*cos(theta) + psi']
T = dot(omega, J @ omega)/2""",
    attitude="""\
p = [cos(theta/2)*cos((phi + psi)/2), sin(theta/2)*cos((phi - psi)/2), \
sin(theta/2)*sin((phi - psi)/2), cos(theta/2)*sin((phi + psi)/2)]""",
    start="""\
k = A @ [0, 0, 1]
m = A.T @ [0, 0, 1]
phi = atan2(k[0], -k[1])
theta = acos(k[2])
psi = atan2(m[0], m[1])""",
)
"""Example texts: the kinetic energy of a body in the Euler angles 3-1-3. There is no V, so that the loads
of the run act."""


def has_sympy() -> bool:
    """Return True if SymPy, which derives the equations, is installed."""
    return importlib.util.find_spec("sympy") is not None


def contains_energies(rates: str) -> bool:
    """Return True if the lines that the user typed as rates contain `T = ...` and no rates. Lagrange's equations are
    then derived from T."""
    return not assigned_rates(rates) and re.search(r"^[ \t]*T[ \t]*=", rates, re.MULTILINE) is not None


def derive_formulation(texts: LagrangeTexts) -> TypedFormulation:
    """Return the typed formulation whose lines are Lagrange's equations of T and V.

    The states are the coordinates and their rates. The accelerations are the solution of M q'' = f, with the
    rows r1, r2, r3 of the mass matrix M: q'' = (f1 r2 x r3 + f2 r3 x r1 + f3 r1 x r2) / det M.

    Raises
    ------
    InputError
        If SymPy is missing, a text is not valid, or T, omega or p has no derivatives.
    """
    if not has_sympy():
        raise _error("rates", "SymPy", "no such package", 'install it: pip install "quatviz[sympy]"')
    sympy = importlib.import_module("sympy")
    coordinates = list(dict.fromkeys(_PRIMED.findall(_COMMENT.sub("", texts.energies))))
    if len(coordinates) != 3:
        raise _error(
            "rates", "rates of three coordinates, such as phi'", ", ".join(coordinates) or "none",
            "write omega and T with the rates of three coordinates",
        )  # fmt: skip
    q = [sympy.Symbol(name) for name in coordinates]
    v = [sympy.Symbol(f"{name}{_RATE_SUFFIX}") for name in coordinates]
    values = _evaluate_energies(sympy, texts, q, v)
    omega, T = values["omega"], values["T"][0]
    V = values.get("V", [sympy.Integer(0)])[0]
    S = sympy.Matrix(omega).jacobian(v)
    momenta = sympy.Matrix([sympy.diff(T, rate) for rate in v])
    M = momenta.jacobian(v)
    f = sympy.Matrix([sympy.diff(T - V, angle) for angle in q]) - momenta.jacobian(q) * sympy.Matrix(v)
    if "V" not in values:
        f += S.T * sympy.Matrix([sympy.Symbol(f"n[{k}]") for k in range(3)])
    names = _free_names({*coordinates, *map(str, v), *texts.numbers})
    replacements, (M, f, S, omega_matrix) = sympy.cse(
        [M, f, S, sympy.Matrix(omega)], symbols=map(sympy.Symbol, names), order="none"
    )
    definitions = dict(replacements)

    def lines_for(*parts: Any) -> list[str]:
        """Return the lines that define the common subexpressions on which the matrices `parts` depend."""
        needed: set[Any] = set()
        waiting = [symbol for part in parts for symbol in part.free_symbols]
        while waiting:
            symbol = waiting.pop()
            if symbol in definitions and symbol not in needed:
                needed.add(symbol)
                waiting += definitions[symbol].free_symbols
        return [f"{symbol} = {value}" for symbol, value in replacements if symbol in needed]

    rates = [
        *(f"{name}' = {rate}" for name, rate in zip(coordinates, v, strict=True)),
        *lines_for(M, f), *(f"r{k + 1} = {_vector(M.row(k))}" for k in range(3)),
        "det = dot(r1, cross(r2, r3))",
        f"a = (({f[0]})*cross(r2, r3) + ({f[1]})*cross(r3, r1) + ({f[2]})*cross(r1, r2))/det",
        *(f"{rate}' = a[{k}]" for k, rate in enumerate(v)),
        "singular = sqrt(abs(det)/(norm(r1)*norm(r2)*norm(r3)))",
    ]  # fmt: skip
    start = [
        texts.start.strip("\n"), *lines_for(S), *(f"s{k + 1} = {_vector(S.col(k))}" for k in range(3)),
        "volume = dot(s1, cross(s2, s3))",
        *(f"{rate} = dot(omega, cross(s{a}, s{b}))/volume" for rate, (a, b) in zip(v, ((2, 3), (3, 1), (1, 2)), strict=True)),
    ]  # fmt: skip
    attitude = [texts.attitude.strip("\n"), *lines_for(omega_matrix), f"omega = {_vector(omega_matrix)}"]
    return TypedFormulation(
        texts.name, rates="\n".join(rates), start="\n".join(start), attitude="\n".join(attitude), numbers=texts.numbers
    )  # fmt: skip


def _evaluate_energies(
    sympy: Any, texts: LagrangeTexts, q: Sequence[Any], v: Sequence[Any]
) -> dict[str, list[Any]]:
    """Return the components of omega, T and V as SymPy expressions of coordinates and rates."""
    inputs: dict[str, Value] = {"J": Value(MATRIX, _J_PARTS), "t": Value(NUMBER, ("t",))}
    # J is symmetric: both entries off the diagonal are the same symbol.
    symbols = {f"_j{3 * row + column}": sympy.Symbol(f"J[{min(row, column)}, {max(row, column)}]")
               for row in range(3) for column in range(3)}  # fmt: skip
    symbols["t"] = sympy.Symbol("t")
    for index, (angle, rate) in enumerate(zip(q, v, strict=True)):
        inputs[str(angle)] = Value(NUMBER, (f"_q{index}",))
        inputs[f"{angle}'"] = Value(NUMBER, (f"_v{index}",))
        symbols.update({f"_q{index}": angle, f"_v{index}": rate})
    for index, name in enumerate(texts.numbers):
        inputs[name] = Value(NUMBER, (f"_g{index}",))
        symbols[f"_g{index}"] = sympy.Symbol(name)
    lines = _read("rates", texts.energies, inputs)
    coordinates_only = {name: value for name, value in inputs.items() if not name.endswith("'")}
    attitude = _read("attitude", texts.attitude, coordinates_only)
    _require(lines, "rates", "omega", VECTOR)
    _require(lines, "rates", "T", NUMBER)
    _require(attitude, "attitude", "p", QUATERNION)
    if "V" in lines.values:
        _require(lines, "rates", "V", NUMBER)
    results = {name: lines.values[name].parts for name in ("omega", "T", "V") if name in lines.values}
    parts = [part for value in results.values() for part in value]
    scope = {name: getattr(sympy, sympy_name) for name, sympy_name in _SMOOTH_FUNCTIONS.items()}
    constants = {f"_k{k}": _exact(sympy, value) for k, value in enumerate(lines.constants)}
    evaluate = compile_source(
        "energies", ", ".join([*symbols, *constants]), [*lines.statements, f"return ({', '.join(parts)},)"], **scope
    )  # fmt: skip
    try:
        computed = list(evaluate(*symbols.values(), *constants.values()))
    except (NameError, TypeError):
        raise _error(
            "rates", "smooth functions in omega, T and V", "min, max, sign, clip, where or a comparison",
            "write them with sin, cos, sqrt and powers",
        ) from None  # fmt: skip
    return {name: [sympy.sympify(computed.pop(0)) for _ in value] for name, value in results.items()}


def _exact(sympy: Any, value: float) -> Any:
    """Return a constant as a SymPy number: exact if it is a multiple of 1/64, otherwise a floating-point
    number."""
    return sympy.Rational(value) if (64.0 * value).is_integer() else sympy.Float(value)


def _read(key: str, text: str, inputs: Mapping[str, Value]) -> Assignments:
    try:
        return read_assignments(text, inputs)
    except InputError as refusal:
        raise refusal.with_place(phrase("{key}, {place}", key=key, place=refusal.place), key) from refusal


def _require(lines: Assignments, key: str, name: str, shape: Shape) -> None:
    value = lines.values.get(name)
    if value is None or value.shape != shape:
        raise _error(
            key, phrase("a line {name} = ... with {count} components", name=name, count=shape[0]),
            "none" if value is None else phrase("components: {count}", count=len(value.parts)),
            "write it in terms of the coordinates and their rates",
        )  # fmt: skip


def _vector(entries: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, entries))}]"


def _free_names(taken: set[str]) -> Iterator[str]:
    """Yield names c1, c2, ... that are not taken."""
    number = 0
    while True:
        number += 1
        if f"c{number}" not in taken:
            yield f"c{number}"


def _error(key: str, expected: str, found: str, remedy: str) -> InputError:
    return InputError(
        key,
        expected=expected,
        found=found,
        remedy=remedy,
        key=key,
        topic="own#lagrange-from-t-and-v",
    )
