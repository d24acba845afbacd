"""Expressions of time such as `2*sin(3*t)`, compiled from text into a postfix program that is interpreted, never
executed as code.

An expression contains numbers, `t`, `pi`, + - * / **, parentheses, and the functions of `FUNCTIONS`. A scan of the
tokens rejects everything else, with its position and an explanation for users who do not program. Python's own
parser reads the accepted text, so precedence is Python's: `-t**2` is `-(t**2)`, and `2**3**2` is `2**(3**2)`.
Length, nesting depth and stack size are limited and arithmetic uses float64, so every text is read or rejected
within a few milliseconds.
"""

import ast
import math
import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError, phrase
from quatviz.base.expression_codes import (
    ABS,
    ADD,
    COS,
    DIVIDE,
    EXP,
    MAX,
    MAX_STACK_DEPTH,
    MIN,
    MULTIPLY,
    NEGATIVE,
    NUMBER,
    POWER,
    SIN,
    SQRT,
    SUBTRACT,
    TIME,
)
from quatviz.base.formatting import parse_number

MAX_EXPRESSION_LENGTH = 400
"""Largest accepted length of an expression [characters]."""

FUNCTIONS = {"sin": SIN, "cos": COS, "exp": EXP, "sqrt": SQRT, "abs": ABS, "min": MIN, "max": MAX}
_OPERATORS = {ast.Add: ADD, ast.Sub: SUBTRACT, ast.Mult: MULTIPLY, ast.Div: DIVIDE, ast.Pow: POWER}
_VARIADIC_FUNCTIONS = ("min", "max")
_TOKEN = re.compile(
    r"(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),])", re.ASCII
)
_SPACE = re.compile(r"\s*")
_EXPECTED_TEXT = phrase(
    "an expression of time: numbers, t, pi, + - * / **, parentheses, and {functions}",
    functions=", ".join(FUNCTIONS),
)


class ExpressionError(InputError):
    """Error for a text that is not an expression of time. `start:stop` is the rejected part of the text."""

    def __init__(self, text: str, start: int, stop: int, fault: str, remedy: str, expected: str = "") -> None:
        self.start, self.stop = start, max(stop, start + 1)
        fault = phrase(fault)
        if _quote_excerpt(text, 0) in fault:
            found = fault
        elif start == 0 and stop >= len(text) > 0:
            found = phrase("{problem}: {text}", problem=fault, text=_quote_excerpt(text, 0))
        elif text.strip():
            found = phrase(
                "{problem} at character {number} of {text}",
                problem=fault,
                number=start + 1,
                text=_quote_excerpt(text, start),
            )
        else:
            found = phrase("{problem} in an empty text", problem=fault)
        super().__init__("expression", expected=expected or _EXPECTED_TEXT, found=found, remedy=remedy)


class NumberTooLargeError(ExpressionError):
    """Error for a number that float64 cannot represent."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        super().__init__(
            text, start, stop, "a number that is too large", "write a smaller one", "a number up to 1.8e308"
        )


@dataclass(frozen=True, eq=False)
class Expression(ArrayEquality):
    """A compiled expression: a number as a function of time t [s].

    `text` is the typed text. `program` (n, 2) has one row per instruction: its code, and its value if the instruction
    is a `NUMBER`.

    Raises
    ------
    ExpressionError
        If the text cannot be read or has no finite value at t = 0.
    """

    text: str
    program: np.ndarray = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        text = self.text.strip()
        program = _compile_program(text)
        program.setflags(write=False)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "program", program)
        start = float(self.evaluate(np.zeros(1))[0])
        if not math.isfinite(start):
            raise ExpressionError(
                text,
                0,
                len(text),
                f"{start:g}",
                "change the expression so that it has a value at every time of the run",
                expected="a finite value at t = 0",
            )

    @property
    def is_constant(self) -> bool:
        """True if the expression does not contain t, as `2*pi`."""
        return not np.any(self.program[:, 0] == TIME)

    def evaluate(self, t: np.ndarray) -> np.ndarray:
        """Return the values (n,) at times (n,) [s]; inf or NaN where the expression is undefined."""
        return evaluate_instructions(self.program, t)[-1]


def evaluate_instructions(program: np.ndarray, t: np.ndarray) -> list[np.ndarray]:
    """Return the result (n,) of each instruction of a program (m, 2) at times (n,) [s]. The last result is the
    value of the expression."""
    results: list[np.ndarray] = []
    stack: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for instruction, value in program.tolist():
            code = int(instruction)
            if code == NUMBER:
                stack.append(np.full(np.shape(t), value))
            elif code == TIME:
                stack.append(np.asarray(t, dtype=np.float64))
            elif code <= ABS:
                stack.append(_UNARY[code](stack.pop()))
            else:
                right_operand = stack.pop()
                stack.append(_BINARY[code](stack.pop(), right_operand))
            results.append(stack[-1])
    return results


_UNARY = {NEGATIVE: np.negative, SIN: np.sin, COS: np.cos, EXP: np.exp, SQRT: np.sqrt, ABS: np.abs}
_BINARY = {
    ADD: np.add, SUBTRACT: np.subtract, MULTIPLY: np.multiply, DIVIDE: np.divide, POWER: np.power,
    MIN: np.minimum, MAX: np.maximum,
}  # fmt: skip


@lru_cache(maxsize=256)
def _parse(text: str) -> tuple[tuple[int, float], ...]:
    """Return the instructions of the postfix program of a text, as pairs (code, value)."""
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise ExpressionError(
            text,
            MAX_EXPRESSION_LENGTH,
            len(text),
            phrase("{count} characters, too many", count=len(text)),
            phrase("write at most {longest} characters", longest=MAX_EXPRESSION_LENGTH),
        )
    # With a decimal point, since Python rejects integers such as 007.
    float_tokens = [f"{token}." if token.isdecimal() else token for token in _tokenize(text)]
    try:
        pending = [ast.parse(" ".join(float_tokens), mode="eval").body]
    except (MemoryError, RecursionError):  # the supported nesting depth depends on the version of Python
        raise ExpressionError(
            text,
            0,
            len(text),
            "too many nested parentheses",
            "remove parentheses that change nothing",
        ) from None
    reversed_program: list[tuple[int, float]] = []
    while pending:  # a loop with an explicit stack, since recursion would limit the depth
        node = pending.pop()
        match node:
            case ast.Constant(value=float(value)):
                reversed_program.append((NUMBER, value))
            case ast.Name("t"):
                reversed_program.append((TIME, 0.0))
            case ast.Name("pi"):
                reversed_program.append((NUMBER, math.pi))
            case ast.UnaryOp(ast.UAdd(), operand):
                pending.append(operand)
            case ast.UnaryOp(ast.USub(), operand):
                reversed_program.append((NEGATIVE, 0.0))
                pending.append(operand)
            case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
                reversed_program.append((_OPERATORS[type(sign)], 0.0))
                pending += [left, right]
            case ast.Call(ast.Name(name) as function, [*others, last], []) if name in FUNCTIONS:
                reversed_program.append((FUNCTIONS[name], 0.0))
                if len(others) > 1:  # min(a, b, c) = min(min(a, b), c)
                    others = [ast.Call(function, others, [])]
                pending += [*others, last]
            case _:
                raise AssertionError(f"{ast.dump(node)} in {text!r}")
    return tuple(reversed(reversed_program))


def _compile_program(text: str) -> np.ndarray:
    program = _parse(text)
    stack_size = max_stack_size = 0
    for code, _ in program:
        stack_size += 1 if code <= TIME else 0 if code <= ABS else -1
        max_stack_size = max(max_stack_size, stack_size)
    if max_stack_size > MAX_STACK_DEPTH:
        raise ExpressionError(
            text,
            0,
            len(text),
            phrase("{count} levels of nesting", count=max_stack_size),
            phrase(
                "use at most {deepest} levels of nesting, for example by writing the longest operand of a sum or product first",
                deepest=MAX_STACK_DEPTH,
            ),
        )
    return np.array(program, dtype=np.float64)


@dataclass
class _OpenParenthesis:
    """An open parenthesis, with the name of the function before it.

    `commas` is the number of commas that were read inside the parenthesis.
    """

    start: int
    function: str = ""
    function_start: int = 0
    commas: int = 0


def _tokenize(text: str) -> list[str]:
    """Return the tokens of an expression. Raise `ExpressionError` at the first token that is not allowed at its position."""
    tokens: list[str] = []
    open_parentheses: list[_OpenParenthesis] = []
    expects_value = True
    position = _skip_spaces(text, 0)
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise _unexpected_character(text, position)
        if expects_value:
            expects_value = _check_operand(text, token, tokens, open_parentheses)
        elif token[0] in (")", ","):
            expects_value = _check_separator(text, token, open_parentheses)
        elif token[3] is not None and token[0] != "(":
            expects_value = True
        else:
            fault = phrase("{sign!r} without an operator before it", sign=token[0])
            raise ExpressionError(text, *token.span(), fault, "write * for a product, as in 2*t")
        tokens.append(token[0])
        position = _skip_spaces(text, token.end())
    if expects_value:
        last = max(len(text) - 1, 0)
        raise ExpressionError(
            text,
            last,
            len(text),
            "an expression that ends where a value must follow",
            "add a value, as in 2*t",
        )
    if open_parentheses:
        start = open_parentheses[-1].start
        raise ExpressionError(text, start, start + 1, "a parenthesis that is never closed", "add a )")
    return tokens


def _check_operand(
    text: str, token: re.Match[str], tokens: list[str], open_parentheses: list[_OpenParenthesis]
) -> bool:
    """Check a token at a position where an operand is expected.

    Return True if the next token must still be an operand, as after a minus sign.
    """
    number, name, sign = token.groups()
    if number is not None and math.isinf(float(number)):
        raise NumberTooLargeError(text, *token.span())
    if number is not None or name in ("t", "pi"):
        return False
    if name in FUNCTIONS:
        opening = _skip_spaces(text, token.end())
        if not text.startswith("(", opening):
            fault = phrase("{name!r} without an opening parenthesis", name=name)
            raise ExpressionError(text, *token.span(), fault, phrase("write {name}(...)", name=name))
        open_parentheses.append(_OpenParenthesis(opening, name, token.start()))
        return True
    if name is not None:
        fault = phrase("the unknown name {name!r}", name=name)
        raise ExpressionError(text, *token.span(), fault, "use t, pi and the functions listed above")
    if sign == "(":
        if not (tokens and tokens[-1] in FUNCTIONS):
            open_parentheses.append(_OpenParenthesis(token.start()))
        return True
    if sign in ("+", "-"):
        return True
    fault = phrase("{sign!r} where a value is expected", sign=sign)
    raise ExpressionError(text, *token.span(), fault, "write a number, t or a function before it")


def _check_separator(text: str, token: re.Match[str], open_parentheses: list[_OpenParenthesis]) -> bool:
    """Check a comma or closing parenthesis.

    Return True if the next token must be an operand, as after a comma.
    """
    if not open_parentheses:
        remedy = "write 0.5, not 0,5" if token[0] == "," else "remove it, or add a ("
        fault = phrase("{sign!r} without an opening parenthesis", sign=token[0])
        raise ExpressionError(text, *token.span(), fault, remedy)
    last = open_parentheses[-1]
    if token[0] == ",":
        if last.function not in _VARIADIC_FUNCTIONS:
            remedy = "only min and max take several values; write 0.5, not 0,5"
            raise ExpressionError(text, *token.span(), "a comma", remedy)
        last.commas += 1
        return True
    if last.function in _VARIADIC_FUNCTIONS and last.commas == 0:
        fault = phrase("{name} with a single value", name=last.function)
        remedy = phrase("write {name}(a, b)", name=last.function)
        raise ExpressionError(text, last.function_start, token.end(), fault, remedy)
    open_parentheses.pop()
    return False


def _skip_spaces(text: str, position: int) -> int:
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]


def _unexpected_character(text: str, position: int) -> ExpressionError:
    remedies = {
        "^": "write ** for a power",
        "−": "write the minus as -",
        "·": "write * for a product",
        "×": "write * for a product",
        "π": "write pi",
    }
    return ExpressionError(
        text, position, position + 1, f"{text[position]!r}", remedies.get(text[position], "remove it")
    )


def _quote_excerpt(text: str, position: int) -> str:
    """Return `text` in quotation marks; from a text over 60 characters, only the characters near
    `position`."""
    if len(text) <= 60:
        return repr(text)
    low = max(0, position - 25)
    return repr(("…" if low else "") + text[low : position + 25] + ("…" if position + 25 < len(text) else ""))


def expression_error(text: str) -> ExpressionError | None:
    """Return the error for a typed text, or None if the text is a number or an expression of time."""
    if parse_number(text) is not None:
        return None
    try:
        Expression(text)
    except ExpressionError as error:
        return error
    return None


_IMPLICIT_PRODUCT = re.compile(
    r"(?<![\w./])(?<!/ )(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|pi\b)\s*"
    rf"(?=\(|(?:pi|t|{'|'.join(FUNCTIONS)})\b)",
    re.ASCII,
)


def insert_product_signs(text: str) -> str:
    """Insert the product signs that a user left out. No sign is inserted after a division, which would be ambiguous.

    >>> [insert_product_signs(text) for text in ("2 pi/3", "2pi", "3 sin(2pi t)", "1/2 pi", "007", "x2 t")]
    ['2*pi/3', '2*pi', '3*sin(2*pi*t)', '1/2 pi', '007', 'x2 t']
    """
    if len(text) > MAX_EXPRESSION_LENGTH:
        return text  # it is refused, and the search would take very long
    # Twice, because a match may begin where the previous one ended.
    return _IMPLICIT_PRODUCT.sub(r"\1*", _IMPLICIT_PRODUCT.sub(r"\1*", text))


def parse_constant(text: str) -> float | None:
    """Return the value of a typed number or expression without t, or None for any other text.

    >>> parse_constant("0,25"), parse_constant("2 pi/4"), parse_constant("2 t"), parse_constant("1e400")
    (0.25, 1.5707963267948966, None, None)
    """
    plain_number = parse_number(text)
    try:
        expression = Expression(insert_product_signs(text)) if plain_number is None else None
    except ExpressionError:
        return None
    return (
        plain_number
        if expression is None
        else float(expression.evaluate(np.zeros(1))[0])
        if expression.is_constant
        else None
    )
