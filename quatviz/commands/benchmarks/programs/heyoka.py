"""heyoka: a high-order Taylor method, compiled for these equations, with dense output."""

import time
from functools import cache
from typing import Any

import numpy as np

from quatviz.commands.benchmarks.programs.base import TOLERANCE, BenchmarkProblem, PeerProgram, TimedSolution


class Heyoka(PeerProgram):
    """Taylor method of heyoka for Euler's equations and the kinematics of Euler parameters."""

    name = "heyoka"
    title = "heyoka"
    package = "heyoka"
    adaptive = True
    max_time_ratio = {"torque_free": 0.5, "heavy_top": 2.0}

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        integrator = _integrator(*problem.moments, problem.weight * problem.center_height)
        integrator.time = 0.0
        integrator.state[:] = [*problem.omega, *problem.p]
        started = time.thread_time()
        rows = integrator.propagate_grid(problem.t)[-1]
        return TimedSolution(np.array(rows)[:, 3:], time.thread_time() - started)


@cache
def _integrator(J1: float, J2: float, J3: float, moment: float) -> Any:
    """Return the integrator for principal moments [kg m^2] and weight times height [N m]."""
    import heyoka

    names = ("w1", "w2", "w3", "e0", "e1", "e2", "e3")
    w1, w2, w3, e0, e1, e2, e3 = heyoka.make_vars(*names)
    n1, n2 = moment * 2.0 * (e2 * e3 + e0 * e1), -moment * 2.0 * (e1 * e3 - e0 * e2)
    equations = [
        (w1, ((J2 - J3) * w2 * w3 + n1) / J1),
        (w2, ((J3 - J1) * w3 * w1 + n2) / J2),
        (w3, (J1 - J2) * w1 * w2 / J3),
        (e0, 0.5 * (-e1 * w1 - e2 * w2 - e3 * w3)),
        (e1, 0.5 * (e0 * w1 - e3 * w2 + e2 * w3)),
        (e2, 0.5 * (e3 * w1 + e0 * w2 - e1 * w3)),
        (e3, 0.5 * (-e2 * w1 + e1 * w2 + e0 * w3)),
    ]
    return heyoka.taylor_adaptive(equations, [0.0] * len(names), tol=TOLERANCE)
