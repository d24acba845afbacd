"""Motions known in closed form, one file each, and the choice of the one that a run is."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.registry import Registry
from quatviz.physics.exact.base import Problem, Solution
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body

SOLUTIONS: Registry[type[Solution]] = Registry(__name__, Solution)


class NoClosedForm(Exception):
    """No closed form is known for this body, these loads and this start; the sentence says what each one lacks.

    A lane that has nothing to show for another reason has a `status` of its own."""

    status = "no_closed_form"


def solutions() -> list[type[Solution]]:
    """Every kind of solution, in the order in which they are tried."""
    return sorted(SOLUTIONS.values(), key=lambda kind: (kind.order, kind.name))


def solve(body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> Solution:
    """The closed form of the motion from p (4,) and omega (3,) [rad/s, body]; `NoClosedForm` where none is known.

    Its `at` gives p (n, 4) and omega (n, 3) [rad/s, body] at times (n,) [s], good to rounding at any time.

    >>> motion = solve(Body(inertia=[1.0, 2.0, 3.0]), [], np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 2.0]))
    >>> p, omega = motion.at(np.array([0.0, np.pi / 2.0]))
    >>> motion.name, p.round(12).tolist()
    ('steady', [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    """
    problem = Problem(body, loads, p, omega)
    if body.ring is not None:
        raise NoClosedForm(phrase("no closed form is known for a body with a ring inside"))
    misfits = []
    for kind in solutions():
        misfit = kind.misfit(problem)
        if not misfit:
            return kind(problem)
        title, needs = phrase(kind.title), phrase(kind.needs)
        misfits.append(phrase("{title} needs {needs}, but {misfit}", title=title, needs=needs, misfit=misfit))
    lacks = reduce(lambda some, one: phrase("{some}; {one}", some=some, one=one), misfits)
    raise NoClosedForm(phrase("no closed form is known for this run: {lacks}", lacks=lacks))
