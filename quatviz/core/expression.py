"""Numbers that depend on time, typed as text such as `2*sin(3*t)`: read into a postfix program, never run as code.

Numbers, `t`, `pi`, + - * / **, parentheses, and the functions of `FUNCTIONS`, with Python's precedence: `-t**2` is
`-(t**2)`, and `2**3**2` is `2**(3**2)`. The reader is a loop over tokens without recursion, text, depth and program are
limited, and arithmetic is that of doubles: whatever is typed is read or refused within a millisecond.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from quatviz.core.by_value import ByValue
from quatviz.core.errors import Refusal, phrase

LONGEST = 400
"""Characters of an expression."""
DEEPEST = 12
"""Values that a program may hold at once: what the kernels keep of its stack."""

NUMBER, TIME, NEGATIVE, SIN, COS, EXP, SQRT, ABS, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, MIN, MAX = range(15)
"""Instructions of a program: those up to `TIME` push a value, those up to `ABS` change the last one, and the others
take two and leave one."""

FUNCTIONS = {"sin": SIN, "cos": COS, "exp": EXP, "sqrt": SQRT, "abs": ABS, "min": MIN, "max": MAX}
_OPERATORS = {"+": ADD, "-": SUBTRACT, "*": MULTIPLY, "/": DIVIDE, "**": POWER}
_BINDS = {ADD: 1, SUBTRACT: 1, MULTIPLY: 2, DIVIDE: 2, NEGATIVE: 3, POWER: 4}
_TOKEN = re.compile(
    r"(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),])", re.ASCII
)
_SPACE = re.compile(r"\s*")
_EXPECTED = phrase(
    "an expression of time: numbers, t, pi, + - * / **, parentheses, and {functions}",
    functions=", ".join(FUNCTIONS),
)


class BadExpression(Refusal):
    """A text that is no expression of time. The offence stands at `start:stop` in it."""

    def __init__(self, text: str, start: int, stop: int, fault: str, remedy: str, expected: str = "") -> None:
        self.start, self.stop = start, max(stop, start + 1)
        fault = phrase(fault)
        if _shown(text, 0) in fault:
            found = fault
        elif start == 0 and stop >= len(text) > 0:
            found = phrase("{fault}: {text}", fault=fault, text=_shown(text, 0))
        elif text.strip():
            found = phrase(
                "{fault} at character {number} of {text}",
                fault=fault,
                number=start + 1,
                text=_shown(text, start),
            )
        else:
            found = phrase("{fault} in an empty text", fault=fault)
        super().__init__("expression", expected=expected or _EXPECTED, found=found, remedy=remedy)


@dataclass(frozen=True, eq=False)
class Expression(ByValue):
    """A number as a function of time t [s]. `text` as typed; `program` (n, 2): instruction, and the value of a `NUMBER`.

    Raises `BadExpression` where the text cannot be read, or has no finite value at t = 0.
    """

    text: str
    program: np.ndarray = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        text = self.text.strip()
        program = _program(text)
        program.setflags(write=False)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "program", program)
        start = float(self.at(np.zeros(1))[0])
        if not math.isfinite(start):
            raise BadExpression(
                text,
                0,
                len(text),
                f"{start:g}",
                "change it so that it has a value at every time of the run",
                expected="a finite value at t = 0",
            )

    @property
    def is_constant(self) -> bool:
        """Whether it does not depend on time, as `2*pi`."""
        return not np.any(self.program[:, 0] == TIME)

    def at(self, t: np.ndarray) -> np.ndarray:
        """Its values (n,) at times (n,) [s]; inf or NaN where it has none."""
        stack: list[np.ndarray] = []
        with np.errstate(all="ignore"):
            for instruction, value in self.program.tolist():
                code = int(instruction)
                if code == NUMBER:
                    stack.append(np.full(np.shape(t), value))
                elif code == TIME:
                    stack.append(np.asarray(t, dtype=np.float64))
                elif code <= ABS:
                    stack.append(_UNARY[code](stack.pop()))
                else:
                    last = stack.pop()
                    stack.append(_BINARY[code](stack.pop(), last))
        return stack[0]


_UNARY = {NEGATIVE: np.negative, SIN: np.sin, COS: np.cos, EXP: np.exp, SQRT: np.sqrt, ABS: np.abs}
_BINARY = {
    ADD: np.add, SUBTRACT: np.subtract, MULTIPLY: np.multiply, DIVIDE: np.divide, POWER: np.power,
    MIN: np.minimum, MAX: np.maximum,
}  # fmt: skip


@dataclass
class _Pending:
    """An operator, a function or an open parenthesis that waits for what follows. `commas` counts those inside."""

    sign: str
    code: int
    start: int
    stop: int
    commas: int = 0


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[tuple[int, float], ...]:
    """The postfix program, by Dijkstra's shunting-yard algorithm."""
    if len(text) > LONGEST:
        raise BadExpression(
            text,
            LONGEST,
            len(text),
            phrase("{count} characters, too many", count=len(text)),
            phrase("write at most {longest} characters", longest=LONGEST),
        )
    program: list[tuple[int, float]] = []
    waiting: list[_Pending] = []
    wants_value = True
    at = _SPACE.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _stray(text, at)
        start, at = token.span()
        number, name, sign = token.groups()
        if wants_value:
            wants_value = _value(text, start, at, (number, name, sign), program, waiting)
        elif sign in _OPERATORS:
            _operator(_OPERATORS[sign], sign, start, at, program, waiting)
            wants_value = True
        elif sign in (")", ","):
            wants_value = _inside(text, start, at, sign, program, waiting)
        else:
            raise BadExpression(
                text,
                start,
                at,
                phrase("{sign!r} without an operator before it", sign=token[0]),
                "write * for a product, as in 2*t",
            )
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
    if wants_value:
        last = max(len(text) - 1, 0)
        raise BadExpression(
            text, last, len(text), "an end where a value has to follow", "complete it, as in 2*t"
        )
    while waiting:
        pending = waiting.pop()
        if pending.sign == "(":
            raise BadExpression(
                text, pending.start, pending.stop, "a parenthesis that is never closed", "add a )"
            )
        program.append((pending.code, 0.0))
    return tuple(program)


def _program(text: str) -> np.ndarray:
    program = _read(text)
    held = deepest = 0
    for code, _ in program:
        held += 1 if code <= TIME else 0 if code <= ABS else -1
        deepest = max(deepest, held)
    if deepest > DEEPEST:
        raise BadExpression(
            text,
            0,
            len(text),
            phrase("{count} values to be kept at once", count=deepest),
            phrase(
                "nest less deeply, so that {deepest} are enough: write the longest part of a sum or product first",
                deepest=DEEPEST,
            ),
        )
    return np.array(program, dtype=np.float64)


def _value(
    text: str,
    start: int,
    stop: int,
    token: tuple[str | None, str | None, str | None],
    program: list[tuple[int, float]],
    waiting: list[_Pending],
) -> bool:
    """Take a token where a value has to begin; whether one still has to."""
    number, name, sign = token
    if number is not None:
        program.append((NUMBER, float(number)))
    elif name == "t":
        program.append((TIME, 0.0))
    elif name == "pi":
        program.append((NUMBER, math.pi))
    elif name in FUNCTIONS:
        opening = _SPACE.match(text, stop).end()  # type: ignore[union-attr]
        if not text.startswith("(", opening):
            raise BadExpression(
                text,
                start,
                stop,
                phrase("{name!r} without (", name=name),
                phrase("write {name}(...)", name=name),
            )
        waiting.append(_Pending(name, FUNCTIONS[name], start, stop))
        return True
    elif name is not None:
        raise BadExpression(
            text,
            start,
            stop,
            phrase("the unknown name {name!r}", name=name),
            "use t, pi and the functions named here",
        )
    elif sign == "(":
        waiting.append(_Pending("(", -1, start, stop))
        return True
    elif sign == "-":
        waiting.append(_Pending("-", NEGATIVE, start, stop))
        return True
    elif sign == "+":
        return True
    else:
        raise BadExpression(
            text,
            start,
            stop,
            phrase("{sign!r} where a value has to stand", sign=sign),
            "write a number, t or a function before it",
        )
    return False


def _operator(
    code: int, sign: str, start: int, stop: int, program: list[tuple[int, float]], waiting: list[_Pending]
) -> None:
    """Do first what binds as tightly or more; a power waits for what stands to its right."""
    while waiting and waiting[-1].sign != "(":
        before = _BINDS.get(waiting[-1].code, 5)
        if before < _BINDS[code] or (code == POWER and before == _BINDS[POWER]):
            break
        program.append((waiting.pop().code, 0.0))
    waiting.append(_Pending(sign, code, start, stop))


def _inside(
    text: str, start: int, stop: int, sign: str, program: list[tuple[int, float]], waiting: list[_Pending]
) -> bool:
    """Take a comma or a closing parenthesis; whether a value has to follow."""
    while waiting and waiting[-1].sign != "(":
        program.append((waiting.pop().code, 0.0))
    if not waiting:
        remedy = "write 0.5, not 0,5" if sign == "," else "remove it, or add a ("
        fault = phrase("{sign!r} without a parenthesis before it", sign=sign)
        raise BadExpression(text, start, stop, fault, remedy)
    function = waiting[-2] if len(waiting) > 1 and waiting[-2].sign in FUNCTIONS else None
    takes_many = function is not None and function.code in (MIN, MAX)
    if sign == ",":
        if function is None or not takes_many:
            raise BadExpression(
                text, start, stop, "a comma", "only min and max take several values; write 0.5, not 0,5"
            )
        function.commas += 1
        if function.commas > 1:
            program.append((function.code, 0.0))
        return True
    waiting.pop()
    if function is not None:
        waiting.pop()
        if takes_many and function.commas == 0:
            raise BadExpression(
                text,
                function.start,
                stop,
                phrase("{name} of one value", name=function.sign),
                phrase("write {name}(a, b)", name=function.sign),
            )
        program.append((function.code, 0.0))
    return False


def _stray(text: str, at: int) -> BadExpression:
    remedies = {
        "^": "write ** for a power",
        "−": "write the minus as -",
        "·": "write * for a product",
        "×": "write * for a product",
        "π": "write pi",
    }
    return BadExpression(text, at, at + 1, f"{text[at]!r}", remedies.get(text[at], "remove it"))


def _shown(text: str, at: int) -> str:
    """The text, or what is around the offence in a long one."""
    if len(text) <= 60:
        return repr(text)
    low = max(0, at - 25)
    return repr(("…" if low else "") + text[low : at + 25] + ("…" if at + 25 < len(text) else ""))
