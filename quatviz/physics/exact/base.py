"""The protocol of a closed form, and the motion that it is asked about."""

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
"""Relative: by how much a symmetry of the body, or a right angle, may be missed by typed or computed doubles."""


class ExactProblem:
    """A body, its loads and how it starts: p (4,) and omega (3,) [rad/s, body], every double taken as it is.

    Numbers with many digits are mpmath's; lists of three stand for vectors in body components.
    """

    def __init__(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> None:
        self.body = body
        self.loads = tuple(load for load in loads if load.timed or not load.is_zero)
        """The loads that can do anything at all."""
        self.p = np.asarray(p, dtype=np.float64)
        self.omega = np.asarray(omega, dtype=np.float64)

    @cached_property
    def inertia(self) -> list[list[Any]]:
        """J as rows [kg m^2]."""
        return [to_multiprecision_vector(row) for row in self.body.inertia]

    @cached_property
    def rate(self) -> list[Any]:
        """omega [rad/s, body]."""
        return to_multiprecision_vector(self.omega)

    @cached_property
    def h(self) -> list[Any]:
        """J omega [kg m^2/s, body]."""
        return matrix_times(self.inertia, self.rate)

    @cached_property
    def unit_p(self) -> list[Any]:
        """p/|p|."""
        p = to_multiprecision_vector(self.p)
        length = context().sqrt(dot(p, p))
        return [component / length for component in p]

    @cached_property
    def space_from_body(self) -> list[list[Any]]:
        """A as rows, of the unit p."""
        e0, e1, e2, e3 = self.unit_p
        return [
            [e0**2 + e1**2 - e2**2 - e3**2, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), e0**2 - e1**2 + e2**2 - e3**2, 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2],
        ]

    def to_body(self, v: Sequence[Any]) -> list[Any]:
        """A^T v of a vector of space, at the start."""
        return [dot((row[i] for row in self.space_from_body), v) for i in range(3)]


class ExactSolution(ABC):
    """One kind of motion whose state at any time is known. The contract, from which one can be written:

    1. One module in `quatviz/physics/exact/`, or in an outside package behind an entry point of the group `quatviz.exact`,
       defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what people read, `needs`
       its conditions as a clause ("no load that acts"), `source` where the formulae stand.
    2. `unsupported_reason` says in a clause what keeps it from being this motion; empty where it is. Conditions hold to rounding.
    3. An instance holds constants. `at` evaluates them for all times at once, by the same operations for any t: nothing
       is stepped, summed or searched over time.
    4. p is continuous in t, of either sign where it starts; omega is 2 L p'.
    5. Solutions are tried in their `order`; the first that fits is taken, so the special stands before the general.
    6. `samples` are motions of the kind by what they are, beside those of `quatviz.verification.regimes`; every kind has
       one that is verified.
    7. `conditions` and `functions` are what the help's table of exact solutions says, Markdown: when, and by which functions.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    needs: ClassVar[str]
    source: ClassVar[str]
    order: ClassVar[int]
    carries_rotors: ClassVar[bool] = False
    """Whether it is a motion of a body with rotors. Others are not asked about one."""
    conditions: ClassVar[str] = ""
    functions: ClassVar[str] = ""

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        """Bodies, how they start, and what acts on them."""
        return {}

    @classmethod
    @abstractmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        """What is not as this solution needs it, such as "its moments of inertia are all different"; or nothing."""

    @abstractmethod
    def __init__(self, problem: ExactProblem) -> None:
        """Compute the constants of a problem that fits."""

    @abstractmethod
    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p (n, 4) and omega (n, 3) [rad/s, body] at the times t (n,) [s]."""


def load_names(loads: Sequence[Load]) -> str:
    """Loads in words: "damping", "gravity and spring"."""
    names = [phrase(name) for name in sorted({load.name.replace("_", " ") for load in loads})]
    return join_phrases([join_phrases(names[:-1]), *names[-1:]], "and")
