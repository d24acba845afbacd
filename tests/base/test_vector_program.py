"""Programs with vectors: they agree with NumPy, and everything else is refused with its position."""

import random
import time
import warnings
from contextlib import suppress

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.base.program_latex import program_latex
from quatviz.base.vector_program import MAX_PROGRAM_LENGTH, VECTOR, ProgramError, read_program
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.loads.torque import Torque
from quatviz.physics.loads.torque_law import INPUTS, TorqueLaw
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.typed_formulations.definition import TypedFormulation
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
    "n = A[0, 3]*omega", "n = A[3, 0]*omega", "n = A[-1, 0]*omega", "n = A[0]", "n = A[:, 0]", "n = A[0, 1, 2]*omega",
    "n = A[0][1]*omega", "n = A[t, 0]*omega", "n = A[0.0, 1]*omega", "n = A[True, 0]*omega", "n = A[(0, 1), 0]*omega",
    "n = A[()]*omega", "n = A[...]*omega", "n = A[0, *p]*omega", "n = A[i := 0, 1]*omega", "n = A[9**9**9, 0]*omega",
    "n = A[" + "9" * 3000 + ", 0]*omega", "n = A[" + "0, " * 900 + "0]*omega", "n = A[" + "1+" * 900 + "0, 0]*omega",
    "n = A" + "[0, 0]" * 500 + "*omega", "n = omega[0, 0]*omega", "n = t[0]*omega", "n = (t < 1)[0]*omega",
    "n = omega[__import__('os'), 0]", "n = A[lambda: 0, 0]*omega", "A[0, 2] = t\nn = omega",
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


@pytest.mark.parametrize("number", ["1", "1.5", ".5", "1e5", "1_0", "1j", "0x1", "0b1", "0o7"])
def test_number_beside_a_word_is_refused_without_a_warning(number: str) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for before in ("", "t", "t.", "A.T", "1.", "1e5..", "("):
            for after in ("or t", "if t else t", "is 1", "for t", "and 1", "in t"):
                with pytest.raises(ProgramError):
                    read(f"n = {before}{number}{after}")
    assert not shown


ATOMS = (
    "omega", "p", "t", "A", "J", "K", "D", "pi", "1", "2.5", "1e308", "0", "(", ")", "[", "]", "+", "-", "*", "/", "**", "@", ".T",
    ",", "=", "<", ">", "sin", "cross", "where", "norm", "p[1:]", "omega[0]", "A[0, 2]", "J[2, 1]", "A[", ", 1]", "[0]", "[-1, 0]",
    "[3, 3]", "__class__", ".", "'", ":", "x", "{", "}", "%", "~", "é", "2t", "\n", " ", "not ", "lambda ", "import ", "if ",
    "9" * 40, "s' = ", "omega' = n\n", "p' = p\n", "solve", "lam",
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


def assert_refused(text: str, position: tuple[int, int], found: str, expected: str, remedy: str) -> None:
    """Assert that reading `text` fails at `position` (line and character, from 1), with the other parts in the error."""
    with pytest.raises(ProgramError) as caught:
        read(text)
    error = caught.value
    assert (error.line, error.column + 1) == position
    assert error.found == found
    assert expected in error.expected
    assert remedy in error.remedy


@pytest.mark.parametrize(
    ("text", "position", "found", "expected", "remedy"),
    [
        ("e = p[1:]\nn = -K*(e - D*omega", (2, 8), "'(' that is never closed", "')'", "add ')'"),
        ("e = p[1:\nn = -K*e", (1, 6), "'[' that is never closed", "']'", "add ']'"),
        ("n = (omega # c)", (1, 5), "'(' that is never closed", "')'", "add ')'"),
        ("n = -K*p[1:) - D*omega", (1, 12), "')'", "']'", "write ']'"),
        ("n = -D*omega)", (1, 13), "')' without an opening bracket", "an opening bracket", "remove it"),
        ("n = 2*", (1, 7), "the end of the line", "lines such as", "complete the line"),
        ("n = 2 3*omega", (1, 7), "'3'", "lines such as", "complete the line"),
        ("n = [0 0 1]", (1, 6), "'0'", "lines such as", "commas between values"),
        ("a = 2\n  n = omega", (2, 2), "'n'", "lines such as", "blanks before the line"),
    ],
)
def test_error_of_syntax_names_what_was_found(
    text: str, position: tuple[int, int], found: str, expected: str, remedy: str
) -> None:
    assert_refused(text, position, found, expected, remedy)


@pytest.mark.parametrize(
    ("text", "position", "found", "expected", "remedy"),
    [
        ("n = A[0, 3]*omega", (1, 10), "3", "an index from 0 to 2", "from 0"),
        ("n = omega[-1]*omega", (1, 11), "-1", "an index from 0 to 2", "from 0"),
        ("n = p[4]*omega", (1, 7), "4", "an index from 0 to 3", "from 0"),
        ("n = A[2]", (1, 5), "something else", "row and column", "A[0, 2]"),
        ("n = omega[0, 1]*omega", (1, 5), "something else", "a component", "omega[2]"),
        ("n = t[0]*omega", (1, 5), "a number", "a vector or a matrix", "remove the index"),
        (
            "n = A02*omega",
            (1, 5),
            "the unknown name 'A02'",
            "a known name",
            "A[0, 2]? Components are counted from 0",
        ),
        ("n = J_12*omega", (1, 5), "the unknown name 'J_12'", "a known name", "J[1, 2]?"),
    ],
)
def test_error_of_index_names_the_permitted_indices(
    text: str, position: tuple[int, int], found: str, expected: str, remedy: str
) -> None:
    assert_refused(text, position, found, expected, remedy)


def test_entries_of_matrices_and_components_are_those_of_numpy() -> None:
    body = Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]])
    law = TorqueLaw(law="B = A.T @ J\nn = [A[0, 2]*omega[2], J[1, 2] + B[2, 0], (A @ A)[1, 0]]")
    p, omega = np.array([[0.5, -0.1, 0.7, 0.5]]), np.array([[0.3, -0.4, 2.0]])
    A = rotation_matrix(p[0] / np.linalg.norm(p))
    right = [A[0, 2] * 2.0, body.inertia[1, 2] + (A.T @ body.inertia)[2, 0], (A @ A)[1, 0]]
    np.testing.assert_allclose(law.bind(body).torque(np.zeros(1), p, omega)[0], right, rtol=1e-13)


def test_entries_of_matrices_are_typeset_from_one() -> None:
    assert program_latex("s' = A[0, 2]*p[0] + omega[2]") == [r"\dot{s} = {A}_{13}\,{p}_{0} + {\omega}_{3}"]


def test_formulation_reads_entries_of_matrices() -> None:
    by_rows = (
        "omega' = [(n[0] + (J[1, 1] - J[2, 2])*omega[1]*omega[2])/J[0, 0],"
        " (n[1] + (J[2, 2] - J[0, 0])*omega[2]*omega[0])/J[1, 1],"
        " (n[2] + (J[0, 0] - J[1, 1])*omega[0]*omega[1])/J[2, 2]]\n"
        "p' = product(p, [0, omega])/2"
    )
    body = Body(inertia=[1.0, 1.4, 0.8])
    point = EvaluationPoint(
        body,
        [Torque(torque=[0.3, -0.2, 0.1], frame="body")],
        0.0,
        np.array([0.5, -0.5, 0.5, 0.5]),
        np.array([1.0, -2.0, 0.7]),
    )
    equations = TypedFormulation("by_rows", rates=by_rows).equations
    rates = equations.right_side(point, equations.start(point.p, point.omega, point.J)).rates
    np.testing.assert_allclose(rates[:3], point.omega_rate, rtol=1e-13)


def test_brackets_in_comments_do_not_count() -> None:
    read("a = 2  # (one\nn = [0,  # first]\n 0, a]")


@pytest.mark.parametrize("comment", ["the 2nd law", "see (3.2b", 10 * "-", 8 * "not "])
def test_comments_are_not_checked(comment: str) -> None:
    read(f"n = omega  # {comment}")


def test_line_after_a_carriage_return_is_not_a_comment() -> None:
    with pytest.raises(ProgramError, match="signs in a row"):
        read("# a comment\rn = " + 10 * "-" + "omega")
