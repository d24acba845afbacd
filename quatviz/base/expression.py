"""Numbers that depend on time, typed as text such as `2*sin(3*t)`: read into a postfix program, never run as code.

Numbers, `t`, `pi`, + - * / **, parentheses, and the functions of `FUNCTIONS`. A loop over the tokens refuses everything else
where it stands, in words for a person who is no programmer; what is left Python's own parser reads, so that precedence is
Python's: `-t**2` is `-(t**2)`, and `2**3**2` is `2**(3**2)`. Text, depth and program are limited, and arithmetic is that
of doubles: whatever is typed is read or refused within a few milliseconds.
"""

import ast
import math
import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import number

LONGEST = 400
"""Characters of an expression."""
DEEPEST = 12
"""Values that a program may hold at once: what the kernels keep of its stack."""

NUMBER, TIME, NEGATIVE, SIN, COS, EXP, SQRT, ABS, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, MIN, MAX = range(15)
"""Instructions of a program: those up to `TIME` push a value, those up to `ABS` change the last one, and the others
take two and leave one."""

FUNCTIONS = {"sin": SIN, "cos": COS, "exp": EXP, "sqrt": SQRT, "abs": ABS, "min": MIN, "max": MAX}
_OPERATORS = {ast.Add: ADD, ast.Sub: SUBTRACT, ast.Mult: MULTIPLY, ast.Div: DIVIDE, ast.Pow: POWER}
_TAKES_MANY = ("min", "max")
_TOKEN = re.compile(
    r"(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),])", re.ASCII
)
_SPACE = re.compile(r"\s*")
_EXPECTED = phrase(
    "an expression of time: numbers, t, pi, + - * / **, parentheses, and {functions}",
    functions=", ".join(FUNCTIONS),
)


class BadExpression(InputError):
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


class TooLarge(BadExpression):
    """A number that is none of this machine."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        super().__init__(
            text, start, stop, "a number that is too large", "write a smaller one", "a number up to 1.8e308"
        )


@dataclass(frozen=True, eq=False)
class Expression(ArrayEquality):
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


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[tuple[int, float], ...]:
    """The postfix program, from what Python's parser makes of the tokens."""
    if len(text) > LONGEST:
        raise BadExpression(
            text,
            LONGEST,
            len(text),
            phrase("{count} characters, too many", count=len(text)),
            phrase("write at most {longest} characters", longest=LONGEST),
        )
    # Each with a point, for Python knows no whole number such as 007.
    plain = [f"{token}." if token.isdecimal() else token for token in _tokens(text)]
    try:
        waiting = [ast.parse(" ".join(plain), mode="eval").body]
    except (MemoryError, RecursionError):  # how deeply it nests depends on the version of Python
        raise BadExpression(
            text,
            0,
            len(text),
            "parentheses within parentheses, too many",
            "leave out those that change nothing",
        ) from None
    backwards: list[tuple[int, float]] = []
    while waiting:  # the last operand first: no recursion, however deep it is
        node = waiting.pop()
        match node:
            case ast.Constant(value=float(value)):
                backwards.append((NUMBER, value))
            case ast.Name("t"):
                backwards.append((TIME, 0.0))
            case ast.Name("pi"):
                backwards.append((NUMBER, math.pi))
            case ast.UnaryOp(ast.UAdd(), operand):
                waiting.append(operand)
            case ast.UnaryOp(ast.USub(), operand):
                backwards.append((NEGATIVE, 0.0))
                waiting.append(operand)
            case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
                backwards.append((_OPERATORS[type(sign)], 0.0))
                waiting += [left, right]
            case ast.Call(ast.Name(name) as function, [*others, last], []) if name in FUNCTIONS:
                backwards.append((FUNCTIONS[name], 0.0))
                if (
                    len(others) > 1
                ):  # the least of three is the lesser of the third and of the least of the others
                    others = [ast.Call(function, others, [])]
                waiting += [*others, last]
            case _:
                raise AssertionError(f"{ast.dump(node)} in {text!r}")
    return tuple(reversed(backwards))


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


@dataclass
class _Opened:
    """A parenthesis that is not closed yet, with the function before it. `commas` counts those inside."""

    start: int
    function: str = ""
    function_start: int = 0
    commas: int = 0


def _tokens(text: str) -> list[str]:
    """The tokens of an expression. `BadExpression` at the first that cannot stand where it does."""
    tokens: list[str] = []
    opened: list[_Opened] = []
    wants_value = True
    at = _after_space(text, 0)
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _stray(text, at)
        if wants_value:
            wants_value = _value(text, token, tokens, opened)
        elif token[0] in (")", ","):
            wants_value = _inside(text, token, opened)
        elif token[3] is not None and token[0] != "(":
            wants_value = True
        else:
            fault = phrase("{sign!r} without an operator before it", sign=token[0])
            raise BadExpression(text, *token.span(), fault, "write * for a product, as in 2*t")
        tokens.append(token[0])
        at = _after_space(text, token.end())
    if wants_value:
        last = max(len(text) - 1, 0)
        raise BadExpression(
            text, last, len(text), "an end where a value has to follow", "complete it, as in 2*t"
        )
    if opened:
        start = opened[-1].start
        raise BadExpression(text, start, start + 1, "a parenthesis that is never closed", "add a )")
    return tokens


def _value(text: str, token: re.Match[str], tokens: list[str], opened: list[_Opened]) -> bool:
    """Judge a token where a value has to begin; whether one still has to."""
    number, name, sign = token.groups()
    if number is not None and math.isinf(float(number)):
        raise TooLarge(text, *token.span())
    if number is not None or name in ("t", "pi"):
        return False
    if name in FUNCTIONS:
        opening = _after_space(text, token.end())
        if not text.startswith("(", opening):
            fault = phrase("{name!r} without (", name=name)
            raise BadExpression(text, *token.span(), fault, phrase("write {name}(...)", name=name))
        opened.append(_Opened(opening, name, token.start()))
        return True
    if name is not None:
        fault = phrase("the unknown name {name!r}", name=name)
        raise BadExpression(text, *token.span(), fault, "use t, pi and the functions named here")
    if sign == "(":
        if not (tokens and tokens[-1] in FUNCTIONS):
            opened.append(_Opened(token.start()))
        return True
    if sign in ("+", "-"):
        return True
    fault = phrase("{sign!r} where a value has to stand", sign=sign)
    raise BadExpression(text, *token.span(), fault, "write a number, t or a function before it")


def _inside(text: str, token: re.Match[str], opened: list[_Opened]) -> bool:
    """Judge a comma or a closing parenthesis; whether a value has to follow."""
    if not opened:
        remedy = "write 0.5, not 0,5" if token[0] == "," else "remove it, or add a ("
        fault = phrase("{sign!r} without a parenthesis before it", sign=token[0])
        raise BadExpression(text, *token.span(), fault, remedy)
    last = opened[-1]
    if token[0] == ",":
        if last.function not in _TAKES_MANY:
            remedy = "only min and max take several values; write 0.5, not 0,5"
            raise BadExpression(text, *token.span(), "a comma", remedy)
        last.commas += 1
        return True
    if last.function in _TAKES_MANY and last.commas == 0:
        fault = phrase("{name} of one value", name=last.function)
        remedy = phrase("write {name}(a, b)", name=last.function)
        raise BadExpression(text, last.function_start, token.end(), fault, remedy)
    opened.pop()
    return False


def _after_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


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


def fault_in(text: str) -> BadExpression | None:
    """What keeps `text` from being a number or an expression of time."""
    if number(text) is not None:
        return None
    try:
        Expression(text)
    except BadExpression as bad:
        return bad
    return None


_FACTOR = re.compile(
    r"(?<![\w./])(?<!/ )(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|pi\b)\s*"
    rf"(?=\(|(?:pi|t|{'|'.join(FUNCTIONS)})\b)",
    re.ASCII,
)


def explicit(text: str) -> str:
    """What a person types with the signs of products that are left out, as files write it. Not behind a division, where the
    product may stand below the line or not.

    >>> [explicit(text) for text in ("2 pi/3", "2pi", "3 sin(2pi t)", "1/2 pi", "007", "x2 t")]
    ['2*pi/3', '2*pi', '3*sin(2*pi*t)', '1/2 pi', '007', 'x2 t']
    """
    return _FACTOR.sub(
        r"\1*", _FACTOR.sub(r"\1*", text)
    )  # what stands behind the first factor may be one, too


def constant(text: str) -> float | None:
    """The number that a person types, as itself or as an expression without t; None for anything else.

    >>> constant("0,25"), constant("2 pi/4"), constant("2 t"), constant("1e400")
    (0.25, 1.5707963267948966, None, None)
    """
    found = number(text)
    try:
        read = Expression(explicit(text)) if found is None else None
    except BadExpression:
        return None
    return found if read is None else float(read.at(np.zeros(1))[0]) if read.is_constant else None
