"""Programs with vectors: they agree with NumPy, and everything else is refused with its position."""

import random
import time
from contextlib import suppress

import pytest

from quatviz.base.errors import InputError
from quatviz.base.vector_program import MAX_PROGRAM_LENGTH, VECTOR, ProgramError, read_program
from quatviz.physics.loads.torque_law import INPUTS
from quatviz.physics.typed_formulations.programs import Texts, read_programs

HOSTILE = (
    "__import__('os').system('true')", "().__class__.__bases__", "n = (lambda: 1)()", "import os", "exec(1)", "n = [x for x in p]",
    "n = open('/etc/passwd')", "n = p.__class__", "n = omega.dtype", "def f(): pass", "n = 9**9**9**9", "n = " + "(" * 300,
    "n = " + "-" * 3000 + "1", "n = " + "[" * 50 + "]" * 50, "n = 1e999*omega", "n = " + "9" * 3000, "while True: pass",
    "n = {1: 2}", "n = f'{p}'", "n = p[-1]*omega", "n = p[10**9]*omega", "n: int = 3", "n += omega", "global p", "p = omega",
    "n = omega if t > 1 else omega", "n = omega or omega", "n = True*omega", "n = 1j*omega", "n = omega; n = omega; t = 1",
    "n = \x00", "n = ω", "@", "", "\n\n", "#", "n = sin", "n = sin()", "n = sin(t, t)", "n = where(1, omega, omega)", "yield omega",
    "n = (omega)(t)", "n = omega @ omega @ omega @ omega", "a = b = omega", "a, b = omega", "n = " + "*".join(["t"] * 900),
    "n = " + "omega" + "+omega" * 900, "\n".join(f"a{k} = cross(A @ omega, omega)" for k in range(120)), "del t", "_0 = omega",
    "n = omega.T", "n = A.T.T.T.T.T", "n = getattr(p, t)", "n = __builtins__", "assert omega", "n = omega[t]", "n = p[1:2:3]",
)  # fmt: skip


def read(text: str) -> None:
    read_program(text, INPUTS, ("K", "D"), VECTOR, "n")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_refused(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ProgramError) as refusal:
        read(text)
    assert time.perf_counter() - start < 0.1
    assert refusal.value.expected
    assert refusal.value.remedy


ATOMS = (
    "omega", "p", "t", "A", "J", "K", "D", "pi", "1", "2.5", "1e308", "0", "(", ")", "[", "]", "+", "-", "*", "/", "**", "@", ".T",
    ",", "=", "<", ">", "sin", "cross", "where", "norm", "p[1:]", "omega[0]", "__class__", ".", "'", ":", "x", "{", "}", "%", "~",
    "é", "2t", "\n", " ", "not ", "lambda ", "import ", "if ", "9" * 40, "s' = ", "omega' = n\n", "p' = p\n", "solve", "lam",
)  # fmt: skip


def fuzz(count: int, seed: int) -> int:
    """Read `count` random texts as laws and as formulations in turn; return how many are programs. Whatever is refused is refused
    by `InputError` within 0.1 s."""
    chance = random.Random(seed)
    programs = 0
    for number in range(count):
        length = chance.choice((3, 8, 20, 60, 400))
        text = "n = " * chance.randint(0, 1) + "".join(chance.choices(ATOMS, k=length))
        if chance.random() < 0.3:
            text = chance.choice(HOSTILE) + text
        start = time.process_time()
        with suppress(InputError):
            if number % 2:
                read_programs(Texts(text, start=text[:200], attitude=text[-200:] if number % 4 == 1 else ""))
            else:
                read(text)
            programs += 1
        assert time.process_time() - start < 0.1, text
    return programs


def test_random_programs_are_parsed_or_refused() -> None:
    assert fuzz(3000, seed=5) < 1500


def test_program_length_and_user_names() -> None:
    with pytest.raises(ProgramError, match="at most 4000 characters"):
        read("n = omega" + " " * MAX_PROGRAM_LENGTH)
    with pytest.raises(ProgramError, match=r"(?s)line 2, character 5.*unknown name 'omgea'.*omega"):
        read("e = p[1:]\nn = omgea")
    with pytest.raises(ProgramError, match=r"(?s)a vector \(3\) \* a vector \(3\).*dot"):
        read("n = omega*omega")
    with pytest.raises(ProgramError, match=r"(?s)a vector \(3\).*a number"):
        read("n = K*t")
    with pytest.raises(ProgramError, match=r"(?s)n = ... as the last line.*torque"):
        read("torque = omega")
    with pytest.raises(ProgramError, match=r"(?s)function.*'crosss'.*cross"):
        read("n = crosss(omega, omega)")


@pytest.mark.parametrize(
    ("text", "position", "found", "expected", "remedy"),
    [
        ("e = p[1:]\nn = -K*(e - D*omega", (2, 8), "'(' that is never closed", "')'", "add ')'"),
        ("e = p[1:\nn = -K*e", (1, 6), "'[' that is never closed", "']'", "add ']'"),
        ("n = (omega # c)", (1, 5), "'(' that is never closed", "')'", "add ')'"),
        ("n = -K*p[1:) - D*omega", (1, 12), "')'", "']'", "write ']'"),
        ("n = -D*omega)", (1, 13), "')' that closes nothing", "an opening bracket", "remove it"),
        ("n = 2*", (1, 7), "the end of the line", "lines such as", "complete the line"),
        ("n = 2 3*omega", (1, 7), "'3'", "lines such as", "complete the line"),
        ("n = [0 0 1]", (1, 6), "'0'", "lines such as", "commas between values"),
        ("a = 2\n  n = omega", (2, 2), "'n'", "lines such as", "blanks before the line"),
    ],
)
def test_error_of_syntax_names_what_was_found(
    text: str, position: tuple[int, int], found: str, expected: str, remedy: str
) -> None:
    with pytest.raises(ProgramError) as caught:
        read(text)
    error = caught.value
    assert (error.line, error.column + 1) == position
    assert error.found == found
    assert expected in error.expected
    assert remedy in error.remedy


def test_brackets_in_comments_do_not_count() -> None:
    read("a = 2  # (one\nn = [0,  # first]\n 0, a]")
