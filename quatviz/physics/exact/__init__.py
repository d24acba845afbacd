"""Exact solutions in closed form, one file each, and the selection of the one that describes a run."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.registry import Registry
from quatviz.physics.exact.base import ExactProblem, ExactSolution
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body

SOLUTIONS: Registry[type[ExactSolution]] = Registry(__name__, ExactSolution)


class NoClosedForm(Exception):
    """Raised if no closed form is known for a body, its loads and its initial state.

    The message says what each solution requires. `status` becomes the status of the lane and distinguishes this
    case from other reasons for a lane without a result.
    """

    status = "no_closed_form"


def solution_classes() -> list[type[ExactSolution]]:
    """Return all exact solutions in the order in which they are tried."""
    return sorted(SOLUTIONS.values(), key=lambda solution_class: (solution_class.order, solution_class.name))


def solve(body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> ExactSolution:
    """Return the closed form of a motion.

    Parameters
    ----------
    body, loads
        The body and the loads that act on it.
    p
        Unit Euler parameters (4,) at t = 0.
    omega
        Angular velocity (3,) [rad/s, body] at t = 0.

    Returns
    -------
    ExactSolution
        Its `evaluate` gives p (n, 4) and omega (n, 3) [rad/s, body] at times (n,) [s], accurate to rounding at any
        time.

    Raises
    ------
    NoClosedForm
        If no closed form is known.

    Examples
    --------
    >>> motion = solve(Body(inertia=[1.0, 2.0, 3.0]), [], np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 2.0]))
    >>> p, omega = motion.evaluate(np.array([0.0, np.pi / 2.0]))
    >>> motion.name, p.round(12).tolist()
    ('steady', [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    """
    problem = ExactProblem(body, loads, p, omega)
    if body.ring is not None:
        raise NoClosedForm(phrase("no closed form is known for a body with a ring inside"))
    reasons = []
    for solution_class in solution_classes():
        if solution_class.carries_rotors != bool(body.rotors):
            continue
        reason = solution_class.unsupported_reason(problem)
        if not reason:
            return solution_class(problem)
        title, requirement = phrase(solution_class.title), phrase(solution_class.needs)
        reasons.append(
            phrase("{title} needs {needs}, but {reason}", title=title, needs=requirement, reason=reason)
        )
    reasons_text = reduce(lambda joined, last: phrase("{joined}; {last}", joined=joined, last=last), reasons)
    raise NoClosedForm(phrase("no closed form is known for this run: {reasons}", reasons=reasons_text))
