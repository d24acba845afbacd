"""SciPy: `solve_ivp` with its Runge-Kutta method of order eight. The derivative computes with floats, which are faster
here than arrays."""

import time
from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp

from quatviz.commands.benchmarks.programs.base import TOLERANCE, BenchmarkProblem, PeerProgram, TimedSolution


class SciPy(PeerProgram):
    """Method of order eight of SciPy for Euler's equations and the kinematics of Euler parameters."""

    name = "scipy"
    title = "SciPy DOP853"
    package = "scipy"
    adaptive = True

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        J1, J2, J3 = problem.moments.tolist()
        moment = problem.weight * problem.center_height

        def derivative(_: float, y: Sequence[float]) -> tuple[float, ...]:
            w1, w2, w3, e0, e1, e2, e3 = y
            return (
                ((J2 - J3) * w2 * w3 + 2.0 * moment * (e2 * e3 + e0 * e1)) / J1,
                ((J3 - J1) * w3 * w1 - 2.0 * moment * (e1 * e3 - e0 * e2)) / J2,
                (J1 - J2) * w1 * w2 / J3,
                0.5 * (-e1 * w1 - e2 * w2 - e3 * w3),
                0.5 * (e0 * w1 - e3 * w2 + e2 * w3),
                0.5 * (e3 * w1 + e0 * w2 - e1 * w3),
                0.5 * (-e2 * w1 + e1 * w2 + e0 * w3),
            )

        start = np.concatenate([problem.omega, problem.p])
        started = time.thread_time()
        solution = solve_ivp(
            derivative, (0.0, problem.duration), start, "DOP853", problem.t, rtol=TOLERANCE, atol=TOLERANCE
        )
        return TimedSolution(solution.y[3:].T, time.thread_time() - started)
