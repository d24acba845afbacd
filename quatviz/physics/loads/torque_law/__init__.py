"""The torque that follows a typed law of t, p and omega."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import parameter, quote_value
from quatviz.base.vector_program import (
    MATRIX,
    NUMBER,
    QUATERNION,
    VECTOR,
    Program,
    ProgramError,
    UnknownNameError,
    Value,
    is_valid_name,
    read_program,
)
from quatviz.physics.kernels.binder import compile_source, inline
from quatviz.physics.kernels.forces import symmetric_components
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import MAX_KERNEL_NUMBERS, Load
from quatviz.physics.loads.torque_law.scope import ARRAY_SCOPE, KERNEL_SCOPE, attitude_lines, constant_lines
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import normalize, rotation_matrix

_INERTIA_NUMBERS = 6
MAX_GAINS = MAX_KERNEL_NUMBERS - _INERTIA_NUMBERS
"""Largest number of gains of a law."""
_J = ("_j0", "_j3", "_j4", "_j3", "_j1", "_j5", "_j4", "_j5", "_j2")
INPUTS = {
    "t": Value(NUMBER, ("_t",)),
    "p": Value(QUATERNION, ("_p0", "_p1", "_p2", "_p3")),
    "omega": Value(VECTOR, ("_w0", "_w1", "_w2")),
    "A": Value(MATRIX, tuple(f"_a{k}" for k in range(9))),
    "J": Value(MATRIX, _J),
}
"""Inputs of a law: t [s], unit p (4), omega (3) [rad/s, body], A (3, 3), body to space, and J (3, 3) [kg m^2]."""


@dataclass(frozen=True, eq=False)
class TorqueLaw(Load):
    r"""A torque n that follows a law of t, p and omega: lines with intermediate names, the last one `n = ...`.

    The law may use `t` [s], `p` (4, scalar first, unit), `omega` (3) [rad/s, body], `A` (3, 3), body to space, `J`
    (3, 3) [kg m^2] and its gains by name. It has + - * / **, `A @ v`, `A.T @ v`, components such as `omega[2]` and
    `p[1:]`, vectors such as `[0, 0, 1]`, and the functions sin, cos, tan, asin, acos, atan, atan2, exp, log, sqrt,
    tanh, abs, sign, min, max, clip, where, cross, dot, norm, conjugate and product of quaternions. A law is data:
    nothing in it can run code. A changed gain compiles nothing.

    >>> import quatviz as qv
    >>> law = qv.TorqueLaw(law="e = sign(p[0])*p[1:]\nn = -K*e - D*omega", gains={"K": 2.0, "D": 0.5})
    >>> control = law.bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> p, omega = np.array([[0.6, 0.0, 0.0, 0.8]]), np.array([[0.0, 0.0, 0.2]])
    >>> (control.torque(np.zeros(1), p, omega).round(12) + 0.0).tolist()  # [N m, body]
    [[0.0, 0.0, -1.7]]
    """

    name: ClassVar[str] = "torque_law"
    sort_order = 85
    action_text = "a torque that is typed as a law of $t$, $p$, $\\omega$ and gains"
    help = r"""
    A controller, an actuator or a model of drag in a few lines. Each line is `name = expression`; the last one is `n = ...`, the
    torque in the body or, with `frame = "space"`, in space. Gains are numbers with names: `gains = { K = 2.0, D = 0.4 }`.

    ```toml
    [[loads]]
    kind = "torque_law"
    law = '''
    e = sign(p[0])*p[1:]   # the shorter way round
    n = -K*e - D*omega'''
    gains = { K = 2.0, D = 0.4 }
    ```
    """

    is_control = True

    law: str = parameter(
        multiline=True, explanation="lines such as n = -D*omega, the last of which gives the torque [N m]"
    )
    frame: str = parameter(
        default="body", choices=("body", "space"), explanation="frame of the components of n"
    )
    gains: Any = ()
    """Numbers by name: a mapping, or pairs. They are stored as pairs."""
    program: Program = field(init=False, compare=False, repr=False)
    torque_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gains", _checked_gains(self.gains))
        names = tuple(name for name, _ in self.gains)
        try:
            program, kernel, _ = _compile_law(self.law, names, self.frame)
        except ProgramError as refusal:
            position = phrase("TorqueLaw.law, {place}", place=refusal.place)
            raise refusal.with_place(position, "law") from None
        object.__setattr__(self, "program", program)
        object.__setattr__(self, "torque_kernel", kernel)

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        damping = round_to_two_digits(0.05 * scale.moment * scale.rate)
        return {"law": "n = -D*omega", "gains": {"D": damping}}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        example_law = "axis = A.T @ [0, 0, 1]\nn = -K*cross([0, 0, 1], axis) - D*clip(omega, -1, 1)"
        return (
            cls(law=example_law, gains={"K": 0.7, "D": 0.1}),
            cls(law="n = [0, sin(2*t), 0.1]", frame="space"),
        )

    @property
    def is_zero(self) -> bool:
        """True if all components of the torque are the constant 0."""
        zeros = {f"_k{k}" for k, value in enumerate(self.program.constants) if value == 0.0}
        return zeros.issuperset(self.program.result)

    @property
    def named_numbers(self) -> Mapping[str, float]:
        return dict(self.gains)

    def with_named_numbers(self, numbers: Mapping[str, float]) -> Self:
        return replace(self, gains=dict(numbers))

    def text_fault(self, name: str, text: str) -> InputError | None:
        return law_fault(text, tuple(self.named_numbers)) if name == "law" else None

    def missing_numbers(self, name: str, text: str) -> Sequence[str]:
        return missing_gains(text, tuple(self.named_numbers)) if name == "law" else ()

    def undeclared_table(self) -> dict[str, Any]:
        return {"gains": dict(self.gains)} if self.gains else {}

    def row(self, body: Body) -> tuple[float, ...]:
        return (*symmetric_components(body.inertia), *(value for _, value in self.gains))

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        evaluate = _compile_law(self.law, tuple(name for name, _ in self.gains), self.frame)[2]
        with np.errstate(all="ignore"):
            p = normalize(p)
            A = rotation_matrix(p).reshape(-1, 9).T
            columns = evaluate(t, p.T, omega.T, A, np.array(self.row(body)))
        return np.stack([np.broadcast_to(column, t.shape) for column in columns], axis=1).astype(np.float64)

    def __reduce__(self) -> Any:
        return _rebuild, (self.law, self.frame, self.gains)

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _rebuild(law: str, frame: str, gains: tuple[tuple[str, float], ...]) -> TorqueLaw:
    return TorqueLaw(law=law, frame=frame, gains=gains)


def _checked_gains(gains: Any) -> tuple[tuple[str, float], ...]:
    """Return gains as pairs of names and finite numbers, or refuse them."""
    try:
        pairs = tuple(dict(gains).items())
        numbers = [float(value) for _, value in pairs if not isinstance(value, (bool, str))]
    except (TypeError, ValueError, OverflowError):
        raise _gains_error(quote_value(gains)) from None
    if len(numbers) != len(pairs) or not all(map(math.isfinite, numbers)):
        raise _gains_error(quote_value(gains))
    for name, _ in pairs:
        if not isinstance(name, str) or not is_valid_name(name) or name in INPUTS or name == "n":
            raise _gains_error(phrase("the name {name!r}", name=name))
    if len(pairs) > MAX_GAINS:
        raise _gains_error(phrase("{count} gains", count=len(pairs)))
    return tuple(zip((name for name, _ in pairs), numbers, strict=True))


def _gains_error(actual: str) -> InputError:
    return InputError(
        "TorqueLaw.gains", expected=phrase("at most {most} finite numbers by name", most=MAX_GAINS), found=actual,
        remedy="write for example gains = { K = 2.0, D = 0.4 }", key="gains", topic="own#a-torque-law",
    )  # fmt: skip


@lru_cache(maxsize=256)
def _compile_law(law: str, names: Sequence[str], frame: str) -> tuple[Program, Any, Any]:
    """Return the program of a law with these gains, its kernel, and a function that evaluates it for NumPy columns."""
    program = read_program(law, INPUTS, names, VECTOR, "n")
    n = program.result
    lines = list(program.statements)
    if frame == "space":
        n = tuple(" + ".join(f"_a{3 * row + column} * ({n[row]})" for row in range(3)) for column in range(3))
    numbers = [f"_j{k} = row[{k}]" for k in range(_INERTIA_NUMBERS)]
    numbers += [f"_g{k} = row[{_INERTIA_NUMBERS + k}]" for k in range(len(names))]
    components = ["_w0, _w1, _w2 = omega[0], omega[1], omega[2]", *numbers]
    kernel_lines = [
        *attitude_lines([f"p[{k}]" for k in range(4)]), *constant_lines(program.constants),
        *components, *lines, f"return ({', '.join(n)})",
    ]  # fmt: skip
    kernel = inline(compile_source("law", "row, _t, p, omega", kernel_lines, **KERNEL_SCOPE))
    array_lines = [
        *constant_lines(program.constants, "float64({})"),
        "_p0, _p1, _p2, _p3 = p[0], p[1], p[2], p[3]",
        *(f"_a{k} = A[{k}]" for k in range(9)), *components, *lines, f"return ({', '.join(n)})",
    ]  # fmt: skip
    evaluate = compile_source("law_of_columns", "_t, p, omega, A, row", array_lines, **ARRAY_SCOPE)
    return program, kernel, evaluate


def law_fault(law: str, gains: Sequence[str]) -> ProgramError | None:
    """Return the error in the text of a law with these gains, or None if it is valid. Nothing is compiled."""
    try:
        read_program(law, INPUTS, tuple(gains), VECTOR, "n")
    except ProgramError as refusal:
        return refusal
    return None


def missing_gains(law: str, gains: Sequence[str]) -> list[str]:
    """Return the undefined names in a law, which could become gains."""
    missing: list[str] = []
    while len(gains) + len(missing) < MAX_GAINS:
        fault = law_fault(law, (*gains, *missing))
        if not isinstance(fault, UnknownNameError) or not is_valid_name(fault.name) or fault.name == "n":
            break
        missing.append(fault.name)
    return missing
