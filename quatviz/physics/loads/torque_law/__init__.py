"""The torque that follows a typed law of t, p and omega."""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import parameter, quote_value
from quatviz.base.vector_program import (
    MATRIX,
    NUMBER,
    QUATERNION,
    VECTOR,
    Assignments,
    Program,
    ProgramError,
    UnknownNameError,
    Value,
    combine_remedies,
    is_misspelled,
    is_valid_name,
    names_in,
    program_tree,
    read_assignments,
    read_program,
)
from quatviz.physics.kernels.binder import compile_source, inline
from quatviz.physics.kernels.forces import symmetric_components
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import MAX_KERNEL_NUMBERS, Load
from quatviz.physics.loads.torque_law.examples import EXAMPLE_NAMES, EXAMPLES
from quatviz.physics.loads.torque_law.scope import ARRAY_SCOPE, KERNEL_SCOPE, attitude_lines, constant_lines
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import multiply, normalize, rotation_matrix

_INERTIA_NUMBERS = 6
MAX_GAINS = MAX_KERNEL_NUMBERS - _INERTIA_NUMBERS
"""Largest number of gains of a law. The row of a load also holds the inertia."""
_J = ("_j0", "_j3", "_j4", "_j3", "_j1", "_j5", "_j4", "_j5", "_j2")
INPUTS = {
    "t": Value(NUMBER, ("_t",)),
    "p": Value(QUATERNION, ("_p0", "_p1", "_p2", "_p3")),
    "omega": Value(VECTOR, ("_w0", "_w1", "_w2")),
    "A": Value(MATRIX, tuple(f"_a{k}" for k in range(9))),
    "J": Value(MATRIX, _J),
}
"""Inputs of a law: t [s], unit p (4), omega (3) [rad/s, body], A (3, 3), body to space, and J (3, 3) [kg m^2]."""
TARGET_NAME = "target"
"""Name of the line of a law that defines its target attitude, with which control measures compare the motion."""


def _textbook_remedies() -> dict[str, str]:
    """Return remedies, by name, for names that have a meaning in textbooks but are undefined in a law."""
    remedies: dict[str, str] = {
        "e": phrase("for the error vector, add the line e = sign(p[0])*p[1:] above"),
        "q": _write("p"), "w": _write("omega"), "h": _write("J @ omega"),
    }  # fmt: skip
    for joint in ("", "_"):
        remedies |= {f"{name}{joint}{k}": _write(f"p[{k}]") for name in "peq" for k in range(4)}
        for k, axis in enumerate("xyz"):
            for suffix in (f"{joint}{k + 1}", f"{joint}{axis}"):
                remedies |= dict.fromkeys((f"w{suffix}", f"omega{suffix}"), _write(f"omega[{k}]"))
                remedies[f"h{suffix}"] = _write(f"(J @ omega)[{k}]")
    return remedies


def _write(expression: str) -> str:
    return phrase("write {expression}", expression=expression)


_REMEDIES = _textbook_remedies()
"""Maps names that have a meaning in textbooks, but none in a law, to remedies. These names are not offered as gains."""


@dataclass(frozen=True, eq=False)
class TorqueLaw(Load):
    r"""A torque n that follows a law of t, p and omega: lines with intermediate names, the last one `n = ...`.

    The law may use `t` [s], `p` (4, scalar first, unit), `omega` (3) [rad/s, body], `A` (3, 3), body to space, `J`
    (3, 3) [kg m^2] and its gains by name. It has + - * / **, `A @ v`, `A.T @ v`, components such as `omega[2]`,
    `p[1:]` and `A[0, 2]`, vectors such as `[0, 0, 1]`, and the functions sin, cos, tan, asin, acos, atan, atan2, exp,
    log, sqrt, tanh, abs, sign, min, max, clip, where, cross, dot, norm, conjugate and product of quaternions. A law is
    data: nothing in it can run code. A changed gain compiles nothing.

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
    """Gains by name: a mapping or pairs of name and number. They are stored as pairs."""
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
        return EXAMPLES[0].table(scale)

    def examples(self, scale: MotionScale) -> Sequence[tuple[str, dict[str, Any]]]:
        """Return the examples, which aim at the same target as this law if it has a line `target = ...`."""
        lines, used_names = _target_lines(self.law, self.gains)
        gains = {name: value for name, value in self.gains if name in used_names}
        return [(example.title, example.table(scale, lines, gains)) for example in EXAMPLES]

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

    def unused_numbers(self, name: str, text: str) -> Sequence[str]:
        return unused_gains(text, tuple(self.named_numbers)) if name == "law" else ()

    def start_numbers(self, text: str, names: Sequence[str], scale: MotionScale) -> Mapping[str, float]:
        return start_gains(text, dict(self.gains), names, self.frame, scale)

    def undeclared_table(self) -> dict[str, Any]:
        return {"gains": dict(self.gains)} if self.gains else {}

    @property
    def example_title(self) -> str:
        """Title of the example that has the lines of this law, with any gains; "" if there is none."""
        lines, _ = _target_lines(self.law, self.gains)
        return next((example.title for example in EXAMPLES if example.text(lines) == self.law), "")

    @property
    def target_attitude(self) -> np.ndarray | None:
        """Unit Euler parameters (4) of the target, or None without a target.

        A line `target = [...]` of the law defines the target by constants. Without this line it is the identity,
        provided that the torque on a body at rest is zero at the identity only.
        """
        return self._traits.target

    def discontinuity_branch(self, p: np.ndarray) -> np.ndarray | None:
        """Return a mask (n,) whose value changes where the torque jumps half a turn from the target, or None if it
        does not jump there.

        A torque jumps there if its law has `sign(p[0])`, or switches between modified Rodrigues parameters and
        their shadow set.
        """
        target = self._traits.jump_from
        return None if target is None else np.asarray(p @ target < 0.0)

    @property
    def _traits(self) -> "LawTraits":
        return _law_traits(self.law, self.gains, self.frame)

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
    """Return gains as pairs of names and finite numbers.

    Raise an `InputError` if `gains` are anything else.
    """
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


class LawTraits(NamedTuple):
    """Properties of a law, found by evaluating its torque at trial attitudes."""

    target: np.ndarray | None
    """Euler parameters (4) of the attitude to which the law turns the body; None without a fixed target."""
    jump_from: np.ndarray | None
    """Target attitude (4) if the torque jumps where the body is half a turn away from it; None if it does not
    jump.
    """


_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
_TRIAL_DIRECTIONS = np.vstack([np.eye(3), normalize(np.random.default_rng(5).normal(size=(6, 3)))])
"""Axes (9, 3) of the trial rotations at which the torque of a law is evaluated to find its properties."""
_TRIAL_ANGLES = (0.3, 1.4, 2.6)
"""Angles [rad] of the trial rotations about `_TRIAL_DIRECTIONS`."""
_TRIAL_ATTITUDES = np.column_stack(
    [np.full(len(_TRIAL_DIRECTIONS), math.cos(0.7)), math.sin(0.7) * _TRIAL_DIRECTIONS]
)
"""Attitudes (9, 4) at which the effect of a gain on the torque is evaluated."""
_HALF_TURN_OFFSET = 1e-9
"""Magnitude of the scalar part of two trial quaternions, one on either side of half a turn from the target. The
torque jumps if it differs between them."""


@lru_cache(maxsize=256)
def _law_traits(law: str, gains: tuple[tuple[str, float], ...], frame: str) -> LawTraits:
    evaluate = _compile_law(law, tuple(name for name, _ in gains), frame)[2]

    def torque_at(p: np.ndarray) -> np.ndarray:
        return _columns(evaluate, p, gains)

    declared = _declared_target(law, gains)
    half_angles = 0.5 * np.repeat(_TRIAL_ANGLES, len(_TRIAL_DIRECTIONS))
    axes = np.tile(_TRIAL_DIRECTIONS, (len(_TRIAL_ANGLES), 1))
    rotated = np.column_stack([np.cos(half_angles), np.sin(half_angles)[:, None] * axes])
    sizes = np.linalg.norm(torque_at(rotated), axis=1)
    scale = float(sizes.max())
    at_identity = np.abs(torque_at(_IDENTITY[None])).max()
    is_only_zero = bool(scale > 0.0 and at_identity <= 1e-12 * scale and sizes.min() > 1e-9 * scale)
    target = declared if declared is not None else _IDENTITY if is_only_zero else None
    if target is None or not scale > 0.0:
        return LawTraits(target, None)
    near_half_turn = [
        torque_at(multiply(target, np.insert(_TRIAL_DIRECTIONS, 0, side * _HALF_TURN_OFFSET, axis=1)))
        for side in (1.0, -1.0)
    ]
    jumps = np.abs(near_half_turn[0] - near_half_turn[1]).max() > 1e-6 * scale
    return LawTraits(target, target if jumps else None)


def start_gains(
    law: str, gains: Mapping[str, float], new: Sequence[str], frame: str, scale: MotionScale
) -> dict[str, float]:
    """Return values of new gains of a law that suit a body and its motion.

    The unit of a gain follows from how the torque grows with the gain, J and omega. A gain whose unit is not clear, such as
    one inside `clip` or one that is multiplied by another gain, gets the value 1.
    """
    numbers = {**gains, **dict.fromkeys(new, 1.0)}
    try:
        evaluate = _compile_law(law, tuple(numbers), frame)[2]
    except ProgramError:
        return dict.fromkeys(new, 1.0)

    def effect(
        name: str,
        size: float = 1.0,
        moment: float = 1.0,
        rate: float = 1.0,
        t: float = 1.0,
        others: float = 1.0,
    ) -> np.ndarray:
        """Return the contribution (n, 3) of the gain `name` with the value `size` to the torque, at the trial attitudes.

        The inertia is `moment`, each component of omega is `rate`, and all other gains are multiplied by `others`.
        """
        scaled = {other: value * others for other, value in numbers.items()}
        with_gain, without = (
            _columns(evaluate, _TRIAL_ATTITUDES, tuple({**scaled, name: value}.items()), rate, moment, t)
            for value in (size, 0.0)
        )
        return np.asarray(with_gain - without)

    def start_gain(name: str) -> float:
        base = effect(name)
        if not np.isfinite(base).all() or not base.any():
            return 1.0
        for changed, factor in (
            (effect(name, size=2.0), 2.0),
            (effect(name, t=2.0), 1.0),
            (effect(name, others=2.0), 1.0),
        ):
            if not np.allclose(changed, factor * base, rtol=1e-9):
                return 1.0
        moment_power = _power_of_two(effect(name, moment=2.0), base)
        rate_power = _power_of_two(effect(name, rate=2.0), base)
        if moment_power is None or rate_power is None:
            return 1.0
        factor = {0: 2.0, 1: 1.4}.get(rate_power, 1.0)  # as in the first example
        return round_to_two_digits(
            factor * scale.moment ** (1 - moment_power) * scale.rate ** (2 - rate_power)
        )

    return {name: start_gain(name) for name in new}


def _power_of_two(values: np.ndarray, base: np.ndarray) -> int | None:
    """Return the k of 0, 1 and 2 for which `values` are 2**k times `base`, or None if there is none."""
    return next((k for k in (0, 1, 2) if np.allclose(values, 2.0**k * base, rtol=1e-9)), None)


def _target_lines(law: str, gains: tuple[tuple[str, float], ...]) -> tuple[list[str], frozenset[str]]:
    """Return the lines that define the target attitude of a law, up to `target = ...`, and all names in them. The
    lines are kept when an example replaces the law.

    If the names clash with those of the examples, a constant target is written as numbers instead.
    """
    target = _read_target(law, gains)[1]
    if target is None or target.shape != QUATERNION:
        return [], frozenset()
    tree, needed = program_tree(law), {TARGET_NAME}
    lines: list[str] = []
    for node in reversed(tree.body):
        if (
            isinstance(node, ast.Assign)
            and isinstance(name := node.targets[0], ast.Name)
            and name.id in needed
        ):
            needed |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
            lines.insert(0, ast.get_source_segment(law, node) or "")
    if not needed & EXAMPLE_NAMES:
        return lines, frozenset(needed)
    constant = _declared_target(law, gains)
    return ([] if constant is None else [f"{TARGET_NAME} = {constant.tolist()}"]), frozenset()


def _read_target(law: str, gains: tuple[tuple[str, float], ...]) -> tuple[Assignments, Value | None]:
    """Compile the lines of a law and return the program, followed by the value of its line `target = ...` if
    there is one.
    """
    numbers = {name: Value(NUMBER, (f"_g{k}",)) for k, (name, _) in enumerate(gains)}
    lines = read_assignments(law, {**INPUTS, **numbers})
    return lines, lines.values.get(TARGET_NAME)


def _declared_target(law: str, gains: tuple[tuple[str, float], ...]) -> np.ndarray | None:
    """Return the unit quaternion (4) of the line `target = ...`; None if the law has no such line or the
    value of the line varies."""
    lines, value = _read_target(law, gains)
    if value is None or value.shape != QUATERNION:
        return None
    evaluate = _compile_columns(lines, value.parts, len(gains))
    at_rest, turning = (
        _columns(evaluate, p[None], gains, rate)[0] for p, rate in ((_IDENTITY, 0.0), (_IDENTITY[::-1], 1.0))
    )
    length = np.linalg.norm(at_rest)
    return at_rest / length if np.array_equal(at_rest, turning) and 0.0 < length < math.inf else None


def _columns(
    evaluate: Any,
    p: np.ndarray,
    gains: tuple[tuple[str, float], ...],
    rate: float = 0.0,
    moment: float = 1.0,
    time: float | None = None,
) -> np.ndarray:
    """Return the values (n, k) of a function of NumPy columns at attitudes (n, 4).

    The body has the inertia `moment` times the unit matrix, and each component of omega is `rate`. t is `time`, or
    equal to `rate` if `time` is None.
    """
    p = normalize(np.atleast_2d(p))
    t = np.full(len(p), rate if time is None else time)
    row = np.array([moment, moment, moment, 0.0, 0.0, 0.0, *(value for _, value in gains)])
    with np.errstate(all="ignore"):
        columns = evaluate(t, p.T, np.full((3, len(p)), rate), rotation_matrix(p).reshape(-1, 9).T, row)
    return np.stack([np.broadcast_to(column, t.shape) for column in columns], axis=1).astype(np.float64)


def _compile_columns(program: Program | Assignments, results: Sequence[str], gain_count: int) -> Any:
    """Return a function for NumPy columns that runs a program and returns the values with the names
    `results`.
    """
    lines = [
        *constant_lines(program.constants, "float64({})"),
        "_p0, _p1, _p2, _p3 = p[0], p[1], p[2], p[3]",
        *(f"_a{k} = A[{k}]" for k in range(9)), *_row_lines(gain_count), *program.statements,
        f"return ({', '.join(results)})",
    ]  # fmt: skip
    return compile_source("law_of_columns", "_t, p, omega, A, row", lines, **ARRAY_SCOPE)


def _row_lines(gain_count: int) -> list[str]:
    """Return source lines that read omega from the arguments of a kernel, and inertia and gains from the row of the
    load."""
    numbers = [f"_j{k} = row[{k}]" for k in range(_INERTIA_NUMBERS)]
    numbers += [f"_g{k} = row[{_INERTIA_NUMBERS + k}]" for k in range(gain_count)]
    return ["_w0, _w1, _w2 = omega[0], omega[1], omega[2]", *numbers]


@lru_cache(maxsize=256)
def _compile_law(law: str, names: Sequence[str], frame: str) -> tuple[Program, Any, Any]:
    """Return the program of a law with gains of the given names, the kernel of the law, and a function that
    evaluates the law for NumPy columns."""
    program = _read_law(law, names)
    n = program.result
    lines = list(program.statements)
    if frame == "space":
        n = tuple(" + ".join(f"_a{3 * row + column} * ({n[row]})" for row in range(3)) for column in range(3))
    kernel_lines = [
        *attitude_lines([f"p[{k}]" for k in range(4)]), *constant_lines(program.constants),
        *_row_lines(len(names)), *lines, f"return ({', '.join(n)})",
    ]  # fmt: skip
    kernel = inline(compile_source("law", "row, _t, p, omega", kernel_lines, **KERNEL_SCOPE))
    return program, kernel, _compile_columns(program, n, len(names))


def law_fault(law: str, gains: Sequence[str]) -> ProgramError | None:
    """Return the error in the text of a law with the given gains, or None if the law is valid. Nothing is
    compiled."""
    try:
        _read_law(law, gains)
    except ProgramError as refusal:
        return refusal
    return None


def _read_law(law: str, gains: Sequence[str]) -> Program:
    """Return the program of a law. The error about unknown names says which of them can be gains."""
    try:
        return _read_program(law, gains)
    except UnknownNameError as fault:
        remedy = _remedy_with_gains(fault, law, gains)
        raise UnknownNameError(fault.line, fault.column, fault.remedies, remedy) from None


def _read_program(law: str, gains: Sequence[str]) -> Program:
    return read_program(law, INPUTS, tuple(gains), VECTOR, "n", _REMEDIES)


def _remedy_with_gains(fault: UnknownNameError, law: str, gains: Sequence[str]) -> str:
    """Return the remedy for the unknown names of a law: those without a meaning can become gains."""
    new_gains = [name for name in fault.remedies if _can_be_gain(name)]
    others = {name: remedy for name, remedy in fault.remedies.items() if name not in new_gains}
    if not new_gains:
        return fault.remedy
    names = ", ".join(map(repr, new_gains))
    if others:
        remedies = {
            **others,
            ", ".join(new_gains): phrase(
                "add as gains afterwards" if len(new_gains) > 1 else "add as a gain afterwards"
            ),
        }
        return combine_remedies(remedies)
    try:
        _read_program(law, (*gains, *new_gains))
    except ProgramError as next_fault:
        return phrase(
            "define vectors on lines above; with {names} as gains, {place} has {found}: {remedy}",
            names=names, place=phrase(next_fault.place), found=phrase(next_fault.found), remedy=phrase(next_fault.remedy),
        )  # fmt: skip
    if len(new_gains) > 1:
        return phrase("add {names} as gains", names=names)
    return phrase("add {name!r} as a gain, or {remedy}", name=new_gains[0], remedy=phrase(fault.remedy))


def _can_be_gain(name: str) -> bool:
    return is_valid_name(name) and name != "n" and name not in _REMEDIES and not is_misspelled(name, INPUTS)


def unused_gains(law: str, gains: Sequence[str]) -> list[str]:
    """Return the gains that a law does not use; none if the law is not valid."""
    if law_fault(law, gains) is not None:
        return []
    used = names_in(law)
    return [name for name in gains if name not in used]


def missing_gains(law: str, gains: Sequence[str]) -> list[str]:
    """Return the undefined names in a law that make the law valid if the user defines them as gains, or none
    if the law has another error."""
    fault = law_fault(law, gains)
    if not isinstance(fault, UnknownNameError):
        return []
    missing = list(fault.remedies)
    is_solution = (
        all(map(_can_be_gain, missing))
        and len(gains) + len(missing) <= MAX_GAINS
        and law_fault(law, (*gains, *missing)) is None
    )
    return missing if is_solution else []
