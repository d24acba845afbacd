"""Expressions of time: their values, refusals with positions, and that no text can do harm."""

import ast
import math
import random
import tracemalloc

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.base.expression import (
    FUNCTIONS,
    MAX_EXPRESSION_LENGTH,
    MAX_STACK_DEPTH,
    Expression,
    ExpressionError,
    parse_constant,
)
from quatviz.base.parameters import to_table
from quatviz.physics.kernels.binder import compiled
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads._kernels.rows import PROGRAM_START, PROGRAM_STOP
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.body import Body

T = np.array([0.0, 0.3, 1.7, 40.0])
NAMES = {"pi": math.pi, "min": min, "max": max, "abs": abs} | {
    name: getattr(math, name) for name in ("sin", "cos", "exp", "sqrt")
}
BODY = Body(inertia=[1.0, 2.0, 2.5])


def by_python(text: str, t: float) -> float:
    return float(eval(text, {"__builtins__": {}}, {**NAMES, "t": t}))


@compiled
def called(rows: np.ndarray, first: int, stop: int, t: float) -> float:
    """The interpreter as kernels call it; it cannot be called from Python directly."""
    return value_at(rows, first, stop, t)


def by_kernel(text: str) -> list[float]:
    """Value at each time by the compiled interpreter, from the program that kernels get."""
    loads = pack_loads(bind([Torque(torque=[text, 0.0, 0.0])], BODY), "torque")
    (first, stop), rows = (
        loads.variable_sum.rows[0, PROGRAM_START : PROGRAM_STOP + 1],
        loads.variable_sum.rows,
    )
    return [called(rows, int(first), int(stop), t) for t in T.tolist()]


@pytest.mark.parametrize(
    "text",
    [
        "2*sin(3*t)",
        "-t**2",
        "2**-t",
        "2**3**2*t",
        "-2**2*t-3",
        "1/(1+t)/2",
        "t-1-2",
        "t*2/4*3",
        "min(t,1,0.5)+max(t, 2)",
        "abs(cos(t))*sqrt(t)+exp(-t)",
        "+t - -t + 3e-2*.5 + 1.e1",
        "((t))*(pi)",
        "2**-t**2",
        "min(max(t,0.2),abs(-1.5))",
        "1+(2+(3+(4+(5+t))))",
    ],
)
def test_expression_equals_python(text: str) -> None:
    expected = [by_python(text, t) for t in T.tolist()]
    assert Expression(text).evaluate(T) == pytest.approx(expected, rel=1e-14)
    assert by_kernel(text) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "offence", "message"),
    [
        ("2*foo(t)", "foo", "unknown name 'foo' at character 3"),
        ("2t", "t", "without an operator"),
        ("2^t", "^", "'^' at character 2"),
        ("2*", "*", "ends where a value must follow"),
        ("(1+2", "(", "never closed at character 1"),
        ("t+2)", ")", "without an opening parenthesis at character 4"),
        ("0,5", ",", "at character 2"),
        ("(0,5)", ",", "a comma at character 3"),
        ("min(t)", "min(t)", "min with a single value"),
        ("sin t", "sin", "'sin' without an opening parenthesis"),
        ("t.real", ".", "'.' at character 2"),
        ("t[0]", "[", "'[' at character 2"),
        ("'t'", "'", "at character 1"),
        ("2*π", "π", "'π' at character 3 of '2*π'"),
        ("lambda: t", "lambda", "unknown name 'lambda'"),
        ("__import__('os')", "__import__", "unknown name '__import__'"),
        ("t if t else 1", "if", "'if' without an operator"),
        ("*t", "*", "where a value is expected"),
        ("1//t", "/", "where a value is expected at character 3"),
        ("1/t", "1/t", "inf: '1/t'"),
        ("9**9**9", "9**9**9", "inf"),
        ("sqrt(-1)", "sqrt(-1)", "nan"),
        ("1e999", "1e999", "too large"),
        ("t\N{MINUS SIGN}1", "\N{MINUS SIGN}", "at character 2"),
    ],
)
def test_invalid_expression_is_refused_at_its_position(text: str, offence: str, message: str) -> None:
    with pytest.raises(ExpressionError) as refusal:
        Expression(text)
    assert message in refusal.value.found
    assert text[refusal.value.start : refusal.value.stop] == offence


def test_empty_text_is_refused() -> None:
    with pytest.raises(ExpressionError, match="an empty text"):
        Expression("  ")


@pytest.mark.parametrize(
    "text", ["(" * 10_000, "t" * MAX_EXPRESSION_LENGTH + "+1", "(" * 150 + "t" + ")" * 150 + "+t" * 60]
)
def test_long_texts_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="too many"):
        Expression(text)


def test_depth_is_limited_by_the_kernel_stack() -> None:
    assert Expression("(" * 150 + "t" + ")" * 150).evaluate(T) == pytest.approx(T)
    deep = "t+(" * (MAX_STACK_DEPTH - 1) + "t" + ")" * (MAX_STACK_DEPTH - 1)
    assert by_kernel(deep) == pytest.approx((MAX_STACK_DEPTH * T).tolist())
    with pytest.raises(ExpressionError, match="levels of nesting"):
        Expression("t+(" * MAX_STACK_DEPTH + "t" + ")" * MAX_STACK_DEPTH)


def test_every_nesting_depth_of_a_text_is_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    for deep in (
        "(" * 199 + "t" + ")" * 199,
        "-" * 398 + "t",
        "min(" * 57 + "t" + ",t)" * 57,
        "007.50*t/7.5",
    ):
        assert Expression(deep).evaluate(T) == pytest.approx(T)

    def no_memory(*arguments: object, **settings: object) -> None:
        raise MemoryError

    monkeypatch.setattr(ast, "parse", no_memory)
    with pytest.raises(ExpressionError, match="too many"):
        Expression("((((((t + 1))))))")


def test_expressions_without_time_become_numbers() -> None:
    assert to_table(Torque(torque=["2*pi", "t", "1"]))["torque"] == [2 * math.pi, "t", 1.0]
    assert Torque(torque=["2*3", "1", 0]).torque.tolist() == [6.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "value", [["2*x", 0, 0], ["t", 0], ["t", True, 0], ["t", math.inf, 0], ["t", 10**400, 0], "t"]
)
def test_vector_with_invalid_component_is_refused(value: object) -> None:
    with pytest.raises(InputError) as refusal:
        Torque(torque=value)
    assert refusal.value.key == "torque"


def test_only_magnitudes_accept_expressions() -> None:
    with pytest.raises(InputError, match="without quotes"):
        Gravity(weight=1.0, centre=["t", 0, 0])
    with pytest.raises(InputError, match="without quotes"):
        Body(inertia=["t", 1, 1])


PIECES = (
    *("t", "pi", "1", "2.5", "1e3", "1e308", "9", "0", ".5"),
    *("+", "-", "*", "/", "**", "(", ")", ",", " "),
    *(f"{name}(" for name in FUNCTIONS),
    *(
        "x",
        "__class__",
        "import",
        "os",
        "^",
        "'",
        "\n",
        "\0",
        "é",
        "−",
        "..",
        "[",
        "]",
        "{",
        "e",
        "_",
        "0x1F",
        ";",
    ),
)
COUNT = 100_000


def texts(seed: int) -> list[str]:
    """Random texts of a few tokens, most of them invalid."""
    chance = random.Random(seed)
    expressions = []
    for _ in range(COUNT):
        sane = chance.random() < 0.7
        pieces = PIECES[: 18 + len(FUNCTIONS)] if sane else PIECES
        expressions.append("".join(chance.choices(pieces, k=chance.randint(1, 12))))
    return expressions


@pytest.mark.slow
def test_random_text_is_parsed_or_refused() -> None:
    """10^5 texts give either an error with a position or a program of bounded size with a finite value at 0."""
    read, pointed = 0, True
    for text in texts(20_260_801):
        try:
            expression = Expression(text)
        except ExpressionError as bad:
            pointed = pointed and 0 <= bad.start < max(len(text.strip()), 1)
        else:
            read += 1
            assert len(expression.program) <= len(text)
            assert np.isfinite(expression.evaluate(np.zeros(1))).all()
    assert pointed
    assert read > 0.02 * COUNT


def test_parsing_needs_little_memory() -> None:
    tracemalloc.start()
    for text in ("9**9**9", "9**9**9**9**9", "(" * 10_000, "exp(" * 90 + "9" + ")" * 90, "t" * 1_000_000):
        with pytest.raises(ExpressionError):
            Expression(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3e6


def made(chance: random.Random, depth: int) -> str:
    """Return a random expression of at most this depth."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(("t", "t", "pi", "0.7", "3", "1e-3"))
    parts = [made(chance, depth - 1) for _ in range(3)]
    choice = chance.randint(0, 3)
    if choice == 0:
        return f"-{parts[0]}"
    if choice == 1:
        return f"({parts[0]})"
    if choice == 2:
        return parts[0] + chance.choice(("+", "-", "*", "/", "**", " - ")) + parts[1]
    name = chance.choice(list(FUNCTIONS))
    return f"{name}({', '.join(parts[: chance.randint(2, 3)] if name in ('min', 'max') else parts[:1])})"


def shaken(expression: Expression) -> np.ndarray:
    """Return the change of the values at `T` for t changed by a few roundings. Processors round exp differently, and the
    cosine of a large exponential depends on its last digits."""
    known = expression.evaluate(T)
    with np.errstate(all="ignore"):
        ways = [np.abs(expression.evaluate(T * (1.0 + part * 2.0**-52)) - known) for part in (-8, -4, 4, 8)]
    return np.nan_to_num(np.max(ways, axis=0), nan=1e-300, posinf=np.inf) + 1e-300


@pytest.mark.slow
def test_kernel_numpy_and_python_agree_on_random_expressions() -> None:
    chance, compared = random.Random(7), 0
    for text in (made(chance, 4) for _ in range(3000)):
        try:
            expression = Expression(text)
        except ExpressionError:
            continue
        if expression.is_constant:
            continue
        values, loosely = expression.evaluate(T), shaken(expression)
        for value, known, loose in zip(by_kernel(text), values.tolist(), loosely, strict=True):
            assert value == pytest.approx(known, rel=1e-12, abs=loose, nan_ok=True), text
        for t, value, loose in zip(T.tolist(), values.tolist(), loosely, strict=True):
            try:
                expected = by_python(text, t)
            except (ZeroDivisionError, OverflowError, ValueError, TypeError):  # undefined or complex
                continue
            if math.isfinite(value):
                assert expected == pytest.approx(value, rel=1e-9, abs=loose), (text, t)
                compared += 1
    assert compared > 2000


def test_error_that_spans_the_text_is_stated_once() -> None:
    with pytest.raises(ExpressionError) as caught:
        Expression("π")
    assert (caught.value.found, caught.value.remedy) == ("'π'", "write pi")
    with pytest.raises(ExpressionError) as caught:
        Expression("foo")
    assert caught.value.found == "the unknown name 'foo'"


def test_too_large_number_states_the_expected_range() -> None:
    with pytest.raises(ExpressionError) as refusal:
        Expression("2 * 1e400")
    assert (refusal.value.start, refusal.value.stop) == (4, 9)
    assert "up to 1.8e308" in refusal.value.expected


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("2 pi/3", 2 * np.pi / 3),
        ("2pi/3", 2 * np.pi / 3),
        ("2 (1 + 1)", 4.0),
        ("3sin(0.5pi)", 3.0),
        ("1e1 pi", 10 * np.pi),
    ],
)
def test_product_sign_may_be_omitted_in_typed_text(typed: str, value: float) -> None:
    assert parse_constant(typed) == pytest.approx(value)
    with pytest.raises(ExpressionError):
        Expression(typed)  # files contain the explicit sign


@pytest.mark.parametrize("typed", ["1/2 pi", "1/2pi", "pi 2", "2 3", "2 t", "x2 pi", "1e400 pi"])
def test_ambiguous_numbers_are_refused(typed: str) -> None:
    assert parse_constant(typed) is None
