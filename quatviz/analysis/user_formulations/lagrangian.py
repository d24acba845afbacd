"""Formulations from a Lagrangian: SymPy derives Lagrange's equations of the first kind, numba compiles them."""

import importlib
import importlib.util
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import least_squares

from quatviz.analysis.user_formulations.function import make_parameter_type
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import quote_value
from quatviz.physics.equations import Equation, EvaluationPoint, Term
from quatviz.physics.equations.coordinates import solve_or_nan as solution_of
from quatviz.physics.equations.evaluation_point import directional_derivative
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels.algebra import dot3
from quatviz.physics.kernels.binder import Kernels, compile_source, inline, noinline
from quatviz.physics.kernels.linear_solve import pivoted_determinant, pivoted_solve
from quatviz.physics.loads import body_torque
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import LOCK_THRESHOLD, SEQUENCES, angles_from_p
from quatviz.physics.mechanics.state import EULER_PARAMETERS, EULER_RATES, StateBlock, StateVariable

_PRINCIPAL_SYMBOLS = ("J1", "J2", "J3")
_INERTIA_SYMBOLS = tuple(f"J{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3))
_MAX_LATEX_LENGTH = 2000
"""Longest LaTeX text [characters] of a derived equation that is displayed. Longer equations are omitted; M q'' = f is
always displayed."""
STEPS_TO_SINGULARITY = 1.0
"""Smallest accepted number of steps in which the body could reach the singularity at its present angular speed.

The limit is smaller than for Euler angles, because it is unknown which component of the angular velocity leads towards
the singularity. The spin of a fast top, for example, does not.
"""
_SOLVER_STARTS, _COORDINATE_TOLERANCE = 40, 1e-9
"""Number of random initial guesses for the coordinates of an attitude, and largest accepted residual of a solution."""
_COMPARED_SOLUTIONS = 4
"""Number of solutions for the coordinates of an attitude among which the best conditioned is chosen."""


@dataclass(frozen=True)
class LagrangianProblem:
    """A Lagrangian with its coordinates and constraints, as the user gave it."""

    lagrangian: Any
    """Lagrangian T - V [J], a SymPy expression."""
    coordinates: tuple[Any, ...]
    """Generalized coordinates, as SymPy functions of t."""
    constraints: tuple[Any, ...] = ()
    """Expressions of the coordinates that the constraints require to be zero."""
    attitude: Any = None
    """Relation of p to the coordinates: None if they are p, the name of an Euler sequence, or four expressions."""
    loads: bool = True
    """True if the loads of the run act in addition to the Lagrangian."""


@dataclass(frozen=True)
class DerivedEquations:
    """Lagrange's equations M q'' + A^T lambda = f, A q'' = a, with omega = S q', as numerical functions."""

    size: int
    """Number of coordinates n."""
    constraints: int
    """Number of constraints m."""
    terms: Any
    """`terms(t, zero, q, v, J)` returns one flat tuple with the entries of M (n, n), f (n), A (m, n), a (m), S (3, n) and
    p (4). Matrices are row-major.

    `zero` is added to every entry, so that with 0.0 all entries are floats, as the compiler requires.
    """
    columns: Any
    """The same function as `terms`, but for NumPy. If `zero` is an array (k,), every entry is an array (k,),
    so that k states are evaluated at once."""
    latex: tuple[str, ...]
    """The derived equations, one LaTeX line each."""
    symbols: frozenset[str]
    """Names of the inertia symbols that occur in the equations."""


def derive_equations(problem: LagrangianProblem) -> DerivedEquations:
    """Return Lagrange's equations of the first kind, derived with SymPy.

    Raises
    ------
    InputError
        If the problem does not have three degrees of freedom, or contains unknown symbols.
    """
    sympy = _sympy()
    mechanics = importlib.import_module("sympy.physics.mechanics")
    t, q = mechanics.dynamicsymbols._t, sympy.Matrix(problem.coordinates)
    n, m = len(q), len(problem.constraints)
    if n - m != 3:
        raise _lagrangian_error(
            "three more coordinates than constraints", phrase("{n} coordinates, {m} constraints", n=n, m=m)
        )
    method = mechanics.LagrangesMethod(problem.lagrangian, q, hol_coneqs=list(problem.constraints) or None)
    equations = method.form_lagranges_equations()
    rates = q.diff(t)
    # SymPy puts the multiplier terms on the right-hand side.
    A = -method.lam_coeffs if m else sympy.zeros(0, n)
    p = _euler_parameters(sympy, problem)
    S = 2 * _matrix_L(sympy, p) * p.jacobian(q)
    right = method.forcing_full[n:] if m else method.forcing
    expressions = [*method.mass_matrix[:, :n], *right[:n], *A, *right[n:], *S, *p]
    zero, coordinate_symbols, v = sympy.Symbol("zero"), sympy.symbols(f"q0:{n}"), sympy.symbols(f"v0:{n}")
    J = sympy.symbols(_INERTIA_SYMBOLS)
    diagonal = dict(zip(sympy.symbols(_PRINCIPAL_SYMBOLS), J[::4], strict=True))
    symbol_names = {
        str(symbol) for expression in expressions for symbol in sympy.sympify(expression).free_symbols - {t}
    }
    if unknown := symbol_names - {*_PRINCIPAL_SYMBOLS, *_INERTIA_SYMBOLS}:
        raise _lagrangian_error(
            phrase("an expression of the coordinates, t, numbers, J1, J2, J3 and J11 to J33"),
            ", ".join(sorted(unknown)),
        )
    substitutions = dict(zip([*rates, *q], [*v, *coordinate_symbols], strict=True))
    entries = tuple(
        sympy.sympify(expression).subs(substitutions).subs(diagonal) + zero for expression in expressions
    )
    terms, columns = (
        sympy.lambdify((t, zero, coordinate_symbols, v, J), entries, modules=modules, cse=True)
        for modules in ("math", "numpy")
    )
    given_lines = ("L", problem.lagrangian), *(("0", expression) for expression in problem.constraints)
    lines = [*given_lines, *(("0", expression) for expression in equations)]
    latex_lines = [(left_side, mechanics.vlatex(expression)) for left_side, expression in lines]
    latex = tuple(
        f"{left_side} &= {expression}"
        for left_side, expression in latex_lines
        if len(expression) <= _MAX_LATEX_LENGTH
    )
    return DerivedEquations(n, m, terms, columns, latex, frozenset(symbol_names))


def _sympy() -> Any:
    if importlib.util.find_spec("sympy") is None:
        raise InputError(
            "formulation", expected="SymPy", found="no such package",
            remedy='install it: pip install "quatviz[sympy]"', topic="own#a-lagrangian",
        )  # fmt: skip
    return importlib.import_module("sympy")


def _euler_parameters(sympy: Any, problem: LagrangianProblem) -> Any:
    """Return p (4,) as SymPy expressions in the coordinates of the problem."""
    attitude = problem.attitude
    if attitude is None:
        attitude = problem.coordinates
    elif isinstance(attitude, str):
        if attitude not in SEQUENCES:
            raise _lagrangian_error(
                phrase("one of the sequences {names}", names=", ".join(SEQUENCES)), repr(attitude)
            )
        p = sympy.Matrix([1, 0, 0, 0])
        for angle, axis in zip(problem.coordinates, attitude, strict=True):
            e = sympy.zeros(3, 1)
            e[int(axis) - 1] = sympy.sin(angle / 2)
            c, vector_part = sympy.cos(angle / 2), p[1:, 0]
            p = sympy.Matrix(
                [p[0] * c - vector_part.dot(e), *(p[0] * e + c * vector_part + vector_part.cross(e))]
            )
        return p
    if not hasattr(attitude, "__len__") or len(attitude) != 4:
        raise _lagrangian_error(
            "four Euler parameters, or an Euler sequence such as 313", quote_value(attitude)
        )
    return sympy.Matrix(attitude)


def _matrix_L(sympy: Any, p: Any) -> Any:
    e0, e1, e2, e3 = p
    return sympy.Matrix([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def _lagrangian_error(expected: str, found: str) -> InputError:
    return InputError(
        "formulation", expected=expected, found=found,
        remedy="see the help about Lagrangians", topic="own#a-lagrangian",
    )  # fmt: skip


# --- kernels


def make_kernels(equations: DerivedEquations, loads: bool, singular: bool) -> Kernels:
    """Return the kernels of derived equations, which solve the system [M A^T; A 0] at each evaluation."""
    n, m = equations.size, equations.constraints
    terms: Any = noinline(equations.terms)
    split_state = inline(compile_source("halves", "y", [f"return y[:{n}], y[{n}:]"]))
    system, right_side, omega_of, attitude, add_load_torque, rate_matrix = map(inline, _term_selectors(n, m))
    solve, determinant, column_norms = pivoted_solve(n + m), pivoted_determinant(n), inline(_column_norms(n))

    @inline
    def solve_state(par, t, y):
        q, v = split_state(y)
        x = terms(t, 0.0, q, v, par.inertia)
        force = right_side(x)
        if loads and par.loads.present:
            force = add_load_torque(x, force, body_torque(par.loads, t, attitude(x), omega_of(x, v)))
        return solve(system(x), force)

    def rhs(par, t, y):
        return split_state(y)[1] + solve_state(par, t, y)[:n]

    def multiplier(par, t, y):
        return solve_state(par, t, y)[n]

    def singularity_measure(par, t, y):
        q, v = split_state(y)
        return determinant(rate_matrix(terms(t, 0.0, q, v, par.inertia)))

    def limit(par, dt, y):
        q, v = split_state(y)
        x = terms(0.0, 0.0, q, v, par.inertia)
        omega = omega_of(x, v)
        return STEPS_TO_SINGULARITY * abs(dt) * math.sqrt(dot3(omega, omega)) * column_norms(rate_matrix(x))

    return Kernels(
        rhs=rhs,
        multiplier=multiplier if m == 1 else None,
        singularity=singularity_measure if singular else None,
        singularity_limit=limit if singular else None,
    )


def _column_norms(n: int) -> Any:
    """Return a function that computes the product of the norms of the columns of a row-major (n, n) matrix.

    A determinant divided by this product does not depend on the units of the coordinates.
    """
    squares = (" + ".join(f"a[{n * row + k}] * a[{n * row + k}]" for row in range(n)) for k in range(n))
    return compile_source(
        "norms", "a", ["return " + " * ".join(f"sqrt({square})" for square in squares)], sqrt=math.sqrt
    )


def _term_selectors(n: int, m: int) -> Iterator[Any]:
    """Yield functions that extract parts of the flat tuple that `DerivedEquations.terms` returns. In order,
    the parts are: [M A^T; A 0], the right-hand side, omega, p, the right-hand side plus the load torque, and
    [S; A]."""
    f, A = n * n, n * n + n
    S = A + m * n + m
    rows = [
        [f"x[{n * row + k}]" for k in range(n)] + [f"x[{A + n * j + row}]" for j in range(m)]
        for row in range(n)
    ]
    constraint_rows = [[f"x[{A + n * row + k}]" for k in range(n)] for row in range(m)]
    rows += [[*row, *["0.0"] * m] for row in constraint_rows]
    yield compile_source("system", "x", [_return_tuple(entry for row in rows for entry in row)])
    right_entries = [f"x[{f + k}]" for k in range(n)] + [f"x[{A + m * n + row}]" for row in range(m)]
    yield compile_source("right", "x", [_return_tuple(right_entries)])
    omega_entries = (" + ".join(f"x[{S + n * row + k}] * v[{k}]" for k in range(n)) for row in range(3))
    yield compile_source("spin", "x, v", [_return_tuple(omega_entries)])
    yield compile_source("attitude", "x", [_return_tuple(f"x[{S + 3 * n + k}]" for k in range(4))])
    load_entries = (
        " + ".join([f"force[{k}]", *(f"x[{S + n * row + k}] * moment[{row}]" for row in range(3))])
        for k in range(n)
    )
    yield compile_source(
        "virtual",
        "x, force, moment",
        [_return_tuple([*load_entries, *(f"force[{n + row}]" for row in range(m))])],
    )
    matrix = [[f"x[{S + n * row + k}]" for k in range(n)] for row in range(3)] + constraint_rows
    yield compile_source("independent", "x", [_return_tuple(entry for row in matrix for entry in row)])


def _return_tuple(parts: Iterable[str]) -> str:
    return f"return ({', '.join(parts)},)"


# --- the class


class LagrangianFormulation(Formulation):
    """Base class of formulations from a Lagrangian. It provides the state, the observables, the equation card
    and the help."""

    problem: ClassVar[LagrangianProblem]
    derived: ClassVar[DerivedEquations]
    typeset: ClassVar[tuple[str, ...]]
    """The Lagrangian, the constraints and the derived equations, in LaTeX."""
    second_order = True

    def parameters(self, body: Body, loads: Sequence[Load]) -> Any:
        if not body.is_principal and self.derived.symbols & {*_PRINCIPAL_SYMBOLS}:
            raise InputError(
                self.name, expected="a body with principal axes, because the Lagrangian contains J1, J2, J3",
                found="products of inertia", remedy="write the Lagrangian with J11 to J33", topic="own#a-lagrangian",
            )  # fmt: skip
        return super().parameters(body, loads)

    def _terms_at(self, J: Any, q: np.ndarray, v: np.ndarray, t: float = 0.0) -> dict[str, np.ndarray]:
        """Return the values of `DerivedEquations.terms` by name, each (..., rows), for q and v of shape (n, rows)."""
        zero = np.zeros(q.shape[1])
        return _terms_by_name(self.derived, np.array(self.derived.columns(t, zero, q, v, np.ravel(J))))

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        q = self.coordinates_at(p, parameters.inertia)
        terms = self._terms_at(parameters.inertia, q[:, None], np.zeros((len(q), 1)))
        matrix = np.concatenate((terms["S"], terms["A"]))[..., 0]
        target = np.concatenate((omega * (p @ p), np.zeros(self.derived.constraints)))
        return np.concatenate((q, np.linalg.lstsq(matrix, target, rcond=None)[0]))

    def singularity_limit(self, state: np.ndarray, parameters: Any, dt: float) -> float:
        if not self.singularity_title:
            return self.threshold
        q, v = np.split(state[:, None], 2)
        terms = self._terms_at(parameters.inertia, q, v)
        omega = np.einsum("rk...,k...->r...", terms["S"], v)[:, 0]
        lengths = np.linalg.norm(np.concatenate((terms["S"], terms["A"]))[..., 0], axis=0)
        return max(
            self.threshold, STEPS_TO_SINGULARITY * abs(dt) * float(np.linalg.norm(omega) * lengths.prod())
        )

    def coordinates_at(self, p: np.ndarray, inertia: Any) -> np.ndarray:
        """Return coordinates q (n,) of the attitude p (4,). Raises `InputError` if no solution is found."""
        attitude, n = self.problem.attitude, self.derived.size
        if attitude is None:
            return np.array(p)
        if isinstance(attitude, str):
            return np.array(angles_from_p(p, attitude))

        def residuals(q: np.ndarray, target: np.ndarray) -> np.ndarray:
            trial = self._terms_at(inertia, q[:, None], np.zeros((n, 1)))["p"][:, 0]
            return np.concatenate((trial - target, self._constraint_values(q)))

        random = np.random.default_rng(1)
        solutions: list[np.ndarray] = []
        # Start near zero, but not at zero, where p of a rotation vector is 0/0.
        sizes = np.concatenate(([0.05], np.ones(_SOLVER_STARTS - 1)))
        for guess in sizes[:, None] * random.uniform(-1.0, 1.0, (_SOLVER_STARTS, n)):
            # p and -p are the same attitude; some coordinates reach only one of them, or one more accurately.
            for target in (p, -p):
                solution = least_squares(
                    residuals, guess, xtol=1e-15, ftol=1e-15, gtol=1e-15, args=(np.asarray(target),)
                )
                if np.abs(solution.fun).max() < _COORDINATE_TOLERANCE:
                    solutions.append(np.asarray(solution.x))
            if len(solutions) >= _COMPARED_SOLUTIONS:
                break
        if solutions:
            return min(solutions, key=lambda q: self._condition(q, inertia))
        raise InputError(
            self.name, expected="coordinates for every attitude",
            found=phrase("no coordinates at p = {p}", p=str(np.round(p, 6).tolist())),
            remedy="change the initial attitude, or choose other coordinates", topic="own#a-lagrangian",
        )  # fmt: skip

    def _condition(self, q: np.ndarray, inertia: Any) -> float:
        """Return the condition number of the matrix [S; A], which determines q', at the coordinates q (n,).
        The number is infinite if the matrix is not finite."""
        terms = self._terms_at(inertia, q[:, None], np.zeros((len(q), 1)))
        matrix = np.concatenate((terms["S"], terms["A"]))[..., 0]
        with np.errstate(all="ignore"):
            condition = float(np.linalg.cond(matrix)) if np.isfinite(matrix).all() else np.inf
        # Among equally conditioned solutions prefer the one nearest to zero: the others differ by whole
        # turns.
        return condition * (1.0 + 1e-6 * float(np.linalg.norm(q)))

    def _constraint_values(self, q: np.ndarray) -> np.ndarray:
        """Return the values of the constraints (m,), which are zero if they are satisfied."""
        sympy = _sympy()
        values = dict(zip(self.problem.coordinates, q.tolist(), strict=True))
        return np.array(
            [float(sympy.sympify(constraint).subs(values)) for constraint in self.problem.constraints]
        )

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        n = self.derived.size
        terms = self._terms_at(parameters.inertia, states[:, :n].T, states[:, n:].T)
        p = terms["p"].T
        omega = np.einsum("ijr,rj->ri", terms["S"], states[:, n:])
        return p, omega / np.einsum("ri,ri->r", p, p)[:, None]

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if self.problem.attitude is not None:
            return super().constraint_rate(states, parameters)
        return np.einsum("ni,ni->n", states[:, :4], states[:, 4:])

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        form = cls(variant)
        left_terms = [
            Term(
                r"M(q)\,\ddot q",
                "mass matrix times the second derivatives, from the computed motion",
                lambda point: form._term_value(point, "inertia"),
            )
        ]
        if form.derived.constraints:
            left_terms.append(
                Term(
                    r"A^{T}\lambda",
                    "constraint force, with the λ of this lane",
                    lambda point: form._term_value(point, "constraint"),
                    "lam",
                )
            )
        right_terms = [
            Term(
                r"f(q, \dot q)",
                "remaining terms of the Lagrangian",
                lambda point: form._term_value(point, "f"),
            )
        ]
        if form.problem.loads:
            right_terms.append(
                Term(
                    r"S^{T}n",
                    "torque of all loads about the coordinates",
                    lambda point: form._term_value(point, "load"),
                    "torque",
                )
            )
        return (Equation(tuple(left_terms), tuple(right_terms), "J", "", "the motion"),)

    def _term_value(self, point: EvaluationPoint, name: str) -> np.ndarray:
        """Return the value (n,) at `point` of the term with this name in the equation card."""
        q = self.coordinates_at(point.p, point.J)
        v = self.start(point.p, point.omega, InertiaParameters(tuple(point.J.ravel().tolist())))[len(q) :]

        def matrix(q: np.ndarray) -> np.ndarray:
            terms = self._terms_at(point.J, q[:, None], v[:, None], point.t)
            return np.concatenate((terms["S"], terms["A"]))[..., 0]

        terms = {
            key: values[..., 0]
            for key, values in self._terms_at(point.J, q[:, None], v[:, None], point.t).items()
        }
        if name == "load":
            return terms["S"].T @ point.torque
        if name == "constraint":
            return terms["A"].T @ np.full(self.derived.constraints, point.lam)
        if name == "f":
            return terms["f"]
        drift = directional_derivative(lambda near: matrix(near) @ v, q, v)
        target = np.concatenate((point.omega_rate, np.zeros(self.derived.constraints))) - drift
        return terms["M"] @ solution_of(matrix(q), target)


@dataclass(frozen=True)
class InertiaParameters:
    """The part of a formulation's parameters that `start` reads: the inertia."""

    inertia: tuple[float, ...]


def _terms_by_name(equations: DerivedEquations, columns: np.ndarray) -> dict[str, np.ndarray]:
    n, m = equations.size, equations.constraints
    shapes = {"M": (n, n), "f": (n,), "A": (m, n), "a": (m,), "S": (3, n), "p": (4,)}
    terms, first = {}, 0
    for name, shape in shapes.items():
        count = int(np.prod(shape))
        terms[name] = (
            columns[first : first + count].reshape(*shape, -1)
            if count
            else np.zeros((*shape, columns.shape[1]))
        )
        first += count
    return terms


def formulation_from_lagrangian(
    problem: LagrangianProblem, name: str, module: str = "__main__"
) -> type[Formulation]:
    """Return the formulation class of a Lagrangian.

    The term of the multiplier is on the left side of the equations, `... + A^T lambda`, with the Jacobian A of the
    constraints. Raises `InputError` if the Lagrangian does not describe a rigid body.

    >>> import quatviz as qv
    >>> from sympy import Matrix, cos, diag, sin, symbols
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> q = phi, theta, psi = dynamicsymbols("phi theta psi")
    >>> d_phi, d_theta, d_psi = (angle.diff() for angle in q)
    >>> omega = Matrix([d_phi * sin(theta) * sin(psi) + d_theta * cos(psi),
    ...                 d_phi * sin(theta) * cos(psi) - d_theta * sin(psi), d_phi * cos(theta) + d_psi])
    >>> T = (omega.T * diag(*symbols("J1:4")) * omega)[0] / 2
    >>> top = qv.formulation(T, coordinates=q, attitude="313", name="top")
    >>> run = qv.simulate(qv.load_preset("heavy_top"), lanes=[top, "newton_euler"], duration=0.1)
    >>> bool(run.orientation_error("top", "newton_euler").max() < 1e-6)
    True
    """
    equations, parameter_type, kernels = _compile_lagrangian(problem)
    names = tuple(str(coordinate.func) for coordinate in problem.coordinates)
    blocks = (
        (EULER_PARAMETERS, EULER_RATES)
        if problem.attitude is None
        else (
            StateBlock(StateVariable.COORDINATES, names),
            StateBlock(StateVariable.COORDINATE_RATES, tuple(f"{coordinate}_rate" for coordinate in names)),
        )
    )
    singular = _can_be_singular(problem)
    singularity_fields = {
        "singularity_title": _singularity_title(names, equations.constraints),
        "threshold": LOCK_THRESHOLD,
    }
    fields: dict[str, Any] = {
        "__module__": module, "__doc__": f"Lagrange's equations of {name}.", "name": name, "title": name, "source": "SymPy",
        "blocks": blocks, "parameter_type": parameter_type,
        "kernels": kernels, "problem": problem, "derived": equations,
        "typeset": equations.latex, **(singularity_fields if singular else {}),
    }  # fmt: skip
    formulation_class: type[Formulation] = type(name, (LagrangianFormulation,), fields)
    return formulation_class


def _singularity_title(names: Sequence[str], constraints: int) -> str:
    """Return the title of the determinant det S in terms of the user's coordinate names."""
    rates = ", ".join(f"{name}'" for name in names)
    return f"det ∂(ω, constraints)/∂({rates})" if constraints else f"det ∂ω/∂({rates})"


def _can_be_singular(problem: LagrangianProblem) -> bool:
    """Return True if some attitudes are singular for the coordinates. There are none if the coordinates are p."""
    return problem.attitude is not None


_compiled_cache: dict[LagrangianProblem, tuple[DerivedEquations, type[Any], Kernels]] = {}
"""Compiled Lagrangians by problem, so that running a notebook cell again compiles nothing."""


def _compile_lagrangian(problem: LagrangianProblem) -> tuple[DerivedEquations, type[Any], Kernels]:
    """Return the derived equations, the parameter type and the kernels, which are compiled when they first run."""
    attitude = problem.attitude
    key: LagrangianProblem | None = None
    with suppress(TypeError):  # A problem with mutable or unhashable members is not cached.
        key = replace(problem, attitude=attitude if isinstance(attitude, str | None) else tuple(attitude))
        if key in _compiled_cache:
            return _compiled_cache[key]
    equations = derive_equations(problem)
    compiled = (
        equations,
        make_parameter_type(),
        make_kernels(equations, problem.loads, _can_be_singular(problem)),
    )
    with suppress(TypeError):
        if key is not None:
            _compiled_cache[key] = compiled
    return compiled
