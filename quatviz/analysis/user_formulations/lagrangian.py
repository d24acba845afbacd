"""A formulation from a Lagrangian: SymPy derives Lagrange's equations of the first kind, numba compiles them."""

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import least_squares

from quatviz.analysis.user_formulations.function import parameters_of_its_own
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import shown
from quatviz.physics.equations import Equation, Point, Term
from quatviz.physics.equations.coordinates import solved as solution_of
from quatviz.physics.equations.evaluation_point import derivative
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels.binder import Kernels, inline, outline, written
from quatviz.physics.kernels.linear_solve import pivoted_determinant, pivoted_solve
from quatviz.physics.loads import body_torque
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import LOCKED, SEQUENCES, angles_from_p
from quatviz.physics.mechanics.state import EULER_PARAMETERS, EULER_RATES, Block, Kind

_PRINCIPAL = ("J1", "J2", "J3")
_FULL = tuple(f"J{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3))
_LONGEST = 2000
"""Characters of LaTeX of a derived equation that is shown; of a longer one M q'' = f says enough."""
_STARTS, _ALIKE = 40, 1e-9


@dataclass(frozen=True)
class Problem:
    """A Lagrangian [J] of coordinates, which are functions of t, under constraints that are zero; how p follows from the
    coordinates: None where they are p, an Euler sequence, or four expressions; whether the loads of a run act as well."""

    lagrangian: Any
    coordinates: tuple[Any, ...]
    constraints: tuple[Any, ...] = ()
    attitude: Any = None
    loads: bool = True


@dataclass(frozen=True)
class Derived:
    """M q'' + A^T lambda = f and A q'' = a, omega = S q': as functions of numbers, or of columns.

    `terms(t, zero, q, v, J)` gives M (n n), f (n), A (m n), a (m), S (3 n) and p (4), one after the other, `zero` being added to
    each: 0.0 makes all of them floats for the compiler, an array makes all of them columns.
    """

    size: int
    constraints: int
    terms: Any
    columns: Any
    latex: tuple[str, ...]
    symbols: frozenset[str]


def derived(problem: Problem) -> Derived:
    """Lagrange's equations of the first kind. `InputError` for a problem that has none of a rigid body."""
    sympy = _sympy()
    mechanics = importlib.import_module("sympy.physics.mechanics")
    t, q = mechanics.dynamicsymbols._t, sympy.Matrix(problem.coordinates)
    n, m = len(q), len(problem.constraints)
    if n - m != 3:
        raise _refusal(
            "three coordinates more than constraints", phrase("{n} coordinates, {m} constraints", n=n, m=m)
        )
    method = mechanics.LagrangesMethod(problem.lagrangian, q, hol_coneqs=list(problem.constraints) or None)
    equations = method.form_lagranges_equations()
    rates = q.diff(t)
    A = -method.lam_coeffs if m else sympy.zeros(0, n)  # SymPy's multipliers stand on the right
    p = _attitude(sympy, problem)
    S = 2 * _matrix_L(sympy, p) * p.jacobian(q)
    right = method.forcing_full[n:] if m else method.forcing
    whole = [*method.mass_matrix[:, :n], *right[:n], *A, *right[n:], *S, *p]
    zero, plain, v = sympy.Symbol("zero"), sympy.symbols(f"q0:{n}"), sympy.symbols(f"v0:{n}")
    J = sympy.symbols(_FULL)
    diagonal = dict(zip(sympy.symbols(_PRINCIPAL), J[::4], strict=True))
    used = {str(one) for each in whole for one in sympy.sympify(each).free_symbols - {t}}
    if unknown := used - {*_PRINCIPAL, *_FULL}:
        raise _refusal(
            phrase("numbers, t, J1, J2, J3 and J11 to J33 beside the coordinates"), ", ".join(sorted(unknown))
        )
    said = dict(zip([*rates, *q], [*v, *plain], strict=True))
    entries = tuple(sympy.sympify(each).subs(said).subs(diagonal) + zero for each in whole)
    terms, columns = (
        sympy.lambdify((t, zero, plain, v, J), entries, modules=modules, cse=True)
        for modules in ("math", "numpy")
    )
    given = ("L", problem.lagrangian), *(("0", each) for each in problem.constraints)
    lines = [*given, *(("0", each) for each in equations)]
    spoken = [(left, mechanics.vlatex(each)) for left, each in lines]
    latex = tuple(f"{left} &= {each}" for left, each in spoken if len(each) <= _LONGEST)
    return Derived(n, m, terms, columns, latex, frozenset(used))


def _sympy() -> Any:
    if importlib.util.find_spec("sympy") is None:
        raise InputError(
            "formulation", expected="SymPy", found="no such package",
            remedy='install it: pip install "quatviz[sympy]"', topic="own#a-lagrangian",
        )  # fmt: skip
    return importlib.import_module("sympy")


def _attitude(sympy: Any, problem: Problem) -> Any:
    """p (4) of the coordinates."""
    given = problem.attitude
    if given is None:
        given = problem.coordinates
    elif isinstance(given, str):
        if given not in SEQUENCES:
            raise _refusal(phrase("one of the sequences {names}", names=", ".join(SEQUENCES)), repr(given))
        p = sympy.Matrix([1, 0, 0, 0])
        for angle, axis in zip(problem.coordinates, given, strict=True):
            e = sympy.zeros(3, 1)
            e[int(axis) - 1] = sympy.sin(angle / 2)
            c, own = sympy.cos(angle / 2), p[1:, 0]
            p = sympy.Matrix([p[0] * c - own.dot(e), *(p[0] * e + c * own + own.cross(e))])
        return p
    if not hasattr(given, "__len__") or len(given) != 4:
        raise _refusal("four Euler parameters, or an Euler sequence such as 313", shown(given))
    return sympy.Matrix(given)


def _matrix_L(sympy: Any, p: Any) -> Any:
    e0, e1, e2, e3 = p
    return sympy.Matrix([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def _refusal(expected: str, found: str) -> InputError:
    return InputError(
        "formulation", expected=expected, found=found,
        remedy="see the help on a formulation of your own: what a Lagrangian is made of", topic="own#a-lagrangian",
    )  # fmt: skip


# --- kernels


def kernels_of(own: Derived, loads: bool, singular: bool) -> Kernels:
    """What is compiled: the system [M A^T; A 0] is solved at each evaluation."""
    n, m = own.size, own.constraints
    terms: Any = outline(own.terms)
    halves = inline(written("halves", "y", [f"return y[:{n}], y[{n}:]"]))
    system, right, spin, attitude, virtual, independent = map(inline, _texts(n, m))
    solve, determinant = pivoted_solve(n + m), pivoted_determinant(n)

    @inline
    def solved(par, t, y):
        q, v = halves(y)
        x = terms(t, 0.0, q, v, par.inertia)
        force = right(x)
        if loads and par.loads.present:
            force = virtual(x, force, body_torque(par.loads, t, attitude(x), spin(x, v)))
        return solve(system(x), force)

    def rhs(par, t, y):
        return halves(y)[1] + solved(par, t, y)[:n]

    def multiplier(par, t, y):
        return solved(par, t, y)[n]

    def distance(par, t, y):
        q, v = halves(y)
        return determinant(independent(terms(t, 0.0, q, v, par.inertia)))

    return Kernels(
        rhs=rhs, multiplier=multiplier if m == 1 else None, singularity=distance if singular else None
    )


def _texts(n: int, m: int) -> Iterator[Any]:
    """What picks from the terms x: the matrix [M A^T; A 0], the right side, omega, p, the right side with the torque of loads
    added, and [S; A]."""
    f, A = n * n, n * n + n
    S = A + m * n + m
    rows = [
        [f"x[{n * row + k}]" for k in range(n)] + [f"x[{A + n * j + row}]" for j in range(m)]
        for row in range(n)
    ]
    below = [[f"x[{A + n * row + k}]" for k in range(n)] for row in range(m)]
    rows += [[*row, *["0.0"] * m] for row in below]
    yield written("system", "x", [_tuple(each for row in rows for each in row)])
    sides = [f"x[{f + k}]" for k in range(n)] + [f"x[{A + m * n + row}]" for row in range(m)]
    yield written("right", "x", [_tuple(sides)])
    velocity = (" + ".join(f"x[{S + n * row + k}] * v[{k}]" for k in range(n)) for row in range(3))
    yield written("spin", "x, v", [_tuple(velocity)])
    yield written("attitude", "x", [_tuple(f"x[{S + 3 * n + k}]" for k in range(4))])
    work = (
        " + ".join([f"force[{k}]", *(f"x[{S + n * row + k}] * moment[{row}]" for row in range(3))])
        for k in range(n)
    )
    yield written(
        "virtual", "x, force, moment", [_tuple([*work, *(f"force[{n + row}]" for row in range(m))])]
    )
    matrix = [[f"x[{S + n * row + k}]" for k in range(n)] for row in range(3)] + below
    yield written("independent", "x", [_tuple(each for row in matrix for each in row)])


def _tuple(parts: Iterable[str]) -> str:
    return f"return ({', '.join(parts)},)"


# --- the class


class LagrangianForm(Formulation):
    """What the class of a Lagrangian adds: how its coordinates are found and read, its card and what the help says."""

    problem: ClassVar[Problem]
    derived: ClassVar[Derived]
    typeset: ClassVar[tuple[str, ...]]
    """The Lagrangian, the constraints and what follows from them, in LaTeX."""
    second_order = True

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        if not body.is_principal and self.derived.symbols & {*_PRINCIPAL}:
            raise InputError(
                self.name, expected="a body whose axes are principal, for its Lagrangian has J1, J2, J3",
                found="products of inertia", remedy="write the Lagrangian with J11 to J33", topic="own#a-lagrangian",
            )  # fmt: skip
        return super().parameters(body, loads)

    def _at(self, J: Any, q: np.ndarray, v: np.ndarray, t: float = 0.0) -> dict[str, np.ndarray]:
        """What `Derived.terms` gives, by name, for q and v (n, rows): (..., rows)."""
        zero = np.zeros(q.shape[1])
        return _named(self.derived, np.array(self.derived.columns(t, zero, q, v, np.ravel(J))))

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        q = self.coordinates(p, parameters.inertia)
        found = self._at(parameters.inertia, q[:, None], np.zeros((len(q), 1)))
        matrix = np.concatenate((found["S"], found["A"]))[..., 0]
        wanted = np.concatenate((omega * (p @ p), np.zeros(self.derived.constraints)))
        return np.concatenate((q, np.linalg.lstsq(matrix, wanted, rcond=None)[0]))

    def coordinates(self, p: np.ndarray, inertia: Any) -> np.ndarray:
        """q (n,) at p (4,); `InputError` where none is found."""
        given, n = self.problem.attitude, self.derived.size
        if given is None:
            return np.array(p)
        if isinstance(given, str):
            return np.array(angles_from_p(p, given))

        def misfit(q: np.ndarray) -> np.ndarray:
            found = self._at(inertia, q[:, None], np.zeros((n, 1)))["p"][:, 0]
            return np.concatenate((np.outer(found, found).ravel() - np.outer(p, p).ravel(), self._unkept(q)))

        random = np.random.default_rng(1)
        for _ in range(_STARTS):
            tried = least_squares(misfit, random.uniform(-1.0, 1.0, n), xtol=1e-15, ftol=1e-15, gtol=1e-15)
            if np.abs(tried.fun).max() < _ALIKE:
                return np.array(tried.x)
        raise InputError(
            self.name, expected="coordinates of every attitude", found=phrase("none at p = {p}", p=str(np.round(p, 6).tolist())),
            remedy="start elsewhere, or choose other coordinates", topic="own#a-lagrangian",
        )  # fmt: skip

    def _unkept(self, q: np.ndarray) -> np.ndarray:
        """How far the constraints (m,) are from zero."""
        sympy = _sympy()
        values = dict(zip(self.problem.coordinates, q.tolist(), strict=True))
        return np.array([float(sympy.sympify(each).subs(values)) for each in self.problem.constraints])

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        n = self.derived.size
        found = self._at(parameters.inertia, states[:, :n].T, states[:, n:].T)
        p = found["p"].T
        omega = np.einsum("ijr,rj->ri", found["S"], states[:, n:])
        return p, omega / np.einsum("ri,ri->r", p, p)[:, None]

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if self.problem.attitude is not None:
            return super().constraint_rate(states, parameters)
        return np.einsum("ni,ni->n", states[:, :4], states[:, 4:])

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        own = cls(variant)
        left = [
            Term(
                r"M(q)\,\ddot q",
                "mass matrix times the second rates, by the motion",
                lambda at: own._value(at, "inertia"),
            )
        ]
        if own.derived.constraints:
            left.append(
                Term(
                    r"A^{T}\lambda",
                    "constraint force, λ is what this lane found",
                    lambda at: own._value(at, "constraint"),
                    "lam",
                )
            )
        right = [Term(r"f(q, \dot q)", "what the Lagrangian gives besides", lambda at: own._value(at, "f"))]
        if own.problem.loads:
            right.append(
                Term(
                    r"S^{T}n",
                    "torque of all loads about the coordinates",
                    lambda at: own._value(at, "load"),
                    "torque",
                )
            )
        return (Equation(tuple(left), tuple(right), "J", "", "the motion"),)

    def _value(self, at: Point, name: str) -> np.ndarray:
        """The numbers of a term (n,)."""
        q = self.coordinates(at.p, at.J)
        v = self.start(at.p, at.omega, BodyOnly(tuple(at.J.ravel().tolist())))[len(q) :]

        def matrix(q: np.ndarray) -> np.ndarray:
            found = self._at(at.J, q[:, None], v[:, None], at.t)
            return np.concatenate((found["S"], found["A"]))[..., 0]

        found = {key: values[..., 0] for key, values in self._at(at.J, q[:, None], v[:, None], at.t).items()}
        if name == "load":
            return found["S"].T @ at.torque
        if name == "constraint":
            return found["A"].T @ np.full(self.derived.constraints, at.lam)
        if name == "f":
            return found["f"]
        drift = derivative(lambda near: matrix(near) @ v, q, v)
        right = np.concatenate((at.omega_rate, np.zeros(self.derived.constraints))) - drift
        return found["M"] @ solution_of(matrix(q), right)


@dataclass(frozen=True)
class BodyOnly:
    """As much of the parameters as a start reads."""

    inertia: tuple[float, ...]


def _named(own: Derived, columns: np.ndarray) -> dict[str, np.ndarray]:
    n, m = own.size, own.constraints
    shapes = {"M": (n, n), "f": (n,), "A": (m, n), "a": (m,), "S": (3, n), "p": (4,)}
    found, first = {}, 0
    for name, shape in shapes.items():
        count = int(np.prod(shape))
        found[name] = (
            columns[first : first + count].reshape(*shape, -1)
            if count
            else np.zeros((*shape, columns.shape[1]))
        )
        first += count
    return found


def form_of_lagrangian(problem: Problem, name: str, module: str = "__main__") -> type[Formulation]:
    """The class of a Lagrangian. `InputError` for what is none of a rigid body."""
    own, parameter_type, kernels = _compiled(problem)
    names = tuple(str(each.func) for each in problem.coordinates)
    blocks = (
        (EULER_PARAMETERS, EULER_RATES)
        if problem.attitude is None
        else (
            Block(Kind.COORDINATES, names),
            Block(Kind.COORDINATE_RATES, tuple(f"{each}_rate" for each in names)),
        )
    )
    singular = _may_lock(problem)
    measure = {"singularity_title": "det [S; A]" if own.constraints else "det S", "threshold": LOCKED}
    fields: dict[str, Any] = {
        "__module__": module, "__doc__": f"Lagrange's equations of {name}.", "name": name, "title": name, "source": "SymPy",
        "blocks": blocks, "parameter_type": parameter_type,
        "kernels": kernels, "problem": problem, "derived": own,
        "typeset": own.latex, **(measure if singular else {}),
    }  # fmt: skip
    kind: type[Formulation] = type(name, (LagrangianForm,), fields)
    return kind


def _may_lock(problem: Problem) -> bool:
    """Whether there are attitudes at which its coordinates have no rates: there are none where they are p."""
    return problem.attitude is not None


_compiled_before: dict[Problem, tuple[Derived, type[Any], Kernels]] = {}
"""For a cell that is run again as it stands, as functions have it."""


def _compiled(problem: Problem) -> tuple[Derived, type[Any], Kernels]:
    """What is derived of it, the type of its parameters and its kernels, which are compiled once they run."""
    attitude = problem.attitude
    key: Problem | None = None
    with suppress(TypeError):  # of what is made of things that can be changed
        key = replace(problem, attitude=attitude if isinstance(attitude, str | None) else tuple(attitude))
        if key in _compiled_before:
            return _compiled_before[key]
    own = derived(problem)
    found = own, parameters_of_its_own(), kernels_of(own, problem.loads, _may_lock(problem))
    with suppress(TypeError):
        if key is not None:
            _compiled_before[key] = found
    return found
