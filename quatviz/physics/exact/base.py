"""The protocol of exact solutions, and the problem that they solve.

Terms: a *phase* is the argument of the elliptic functions in periods. The *separatrix* is the motion of infinite
period between two kinds of motion, such as oscillation and rotation. *Multiprecision* numbers are those of mpmath
with 160 digits.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from quatviz.base.errors import join_phrases, phrase
from quatviz.physics.exact._multiprecision import context, dot, matrix_times, to_multiprecision_vector
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial

SYMMETRY_TOLERANCE = 1e-14
"""Largest relative deviation of the body from a symmetry, or of an angle from a right angle, that is attributed to
rounding."""


class ExactProblem:
    """A body, its loads, and its initial state p (4,) and omega (3,) [rad/s, body], as the input of an exact solution.

    The given doubles count as exact. All other values of this object are multiprecision numbers of mpmath; lists of
    three numbers are vectors in body components.
    """

    def __init__(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> None:
        self.body = body
        self.loads = tuple(load for load in loads if load.timed or not load.is_zero)
        """Loads that are not identically zero."""
        self.p = np.asarray(p, dtype=np.float64)
        self.omega = np.asarray(omega, dtype=np.float64)

    @cached_property
    def inertia(self) -> list[list[Any]]:
        """Rows (3, 3) of the inertia J [kg m^2]."""
        return [to_multiprecision_vector(row) for row in self.body.inertia]

    @cached_property
    def rate(self) -> list[Any]:
        """Angular velocity omega [rad/s, body]."""
        return to_multiprecision_vector(self.omega)

    @cached_property
    def h(self) -> list[Any]:
        """Angular momentum J omega [kg m^2/s, body]."""
        return matrix_times(self.inertia, self.rate)

    @cached_property
    def unit_p(self) -> list[Any]:
        """Normalized Euler parameters p/|p|."""
        p = to_multiprecision_vector(self.p)
        length = context().sqrt(dot(p, p))
        return [component / length for component in p]

    @cached_property
    def space_from_body(self) -> list[list[Any]]:
        """Rows (3, 3) of the rotation matrix A of `unit_p`, which maps body to space components."""
        e0, e1, e2, e3 = self.unit_p
        return [
            [e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2],
        ]

    def to_body(self, v: Sequence[Any]) -> list[Any]:
        """Return A^T v, the body components at t = 0 of a vector in space components."""
        return [dot((row[i] for row in self.space_from_body), v) for i in range(3)]


class ExactSolution(ABC):
    """A motion whose state at any time is known in closed form. Contract for a new solution:

    1. One module in `quatviz/physics/exact/`, or in an outside package behind an entry point of the group
       `quatviz.exact`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` is
       shown to the user, `needs` states its conditions as a noun phrase ("a body without active loads"), `source` cites the
       formulas.
    2. `unsupported_reason` returns a clause that says why the solution does not describe a problem, or "" if it does.
       Conditions are checked to rounding.
    3. An instance holds constants. `evaluate` evaluates them for all times at once, by the same operations for any t,
       without time steps, sums or searches over time.
    4. p is continuous in t, with the sign of the initial p or the opposite one; omega is 2 L p'.
    5. Solutions are tried in their `order`, and the first that fits is used, so that special cases precede general
       ones.
    6. `samples` are example problems in addition to those of `quatviz.verification.regimes`; every solution has at
       least one problem that is verified.
    7. `conditions` and `functions` are Markdown for the help's table of exact solutions: when the solution applies and
       which functions it uses.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    needs: ClassVar[str]
    source: ClassVar[str]
    order: ClassVar[int]
    carries_rotors: ClassVar[bool] = False
    """True if the solution describes bodies with rotors. Only such solutions are tried for a body with rotors."""
    conditions: ClassVar[str] = ""
    functions: ClassVar[str] = ""

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        """Return example problems by name: body, initial state and loads."""
        return {}

    @classmethod
    @abstractmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        """Return why the solution does not apply, such as "its moments of inertia are all different", or "" if
        it applies."""

    @abstractmethod
    def __init__(self, problem: ExactProblem) -> None:
        """Compute the constants for a problem to which the solution applies."""

    @abstractmethod
    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Evaluate the motion at the times t (n,) [s] and return p (n, 4) and omega (n, 3) [rad/s, body]."""


def load_names(loads: Sequence[Load]) -> str:
    """Return the names of loads as text: "damping", "gravity and spring"."""
    names = [phrase(name) for name in sorted({load.name.replace("_", " ") for load in loads})]
    return join_phrases(names, "and")
