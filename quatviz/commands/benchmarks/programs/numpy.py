"""RK4 of Euler's equations in NumPy, as commonly written, from the assets."""

import runpy
import time

import numpy as np

from quatviz.base import resources
from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram, TimedSolution

SAMPLES = 3
"""Number of samples that the slow NumPy loop computes."""


class NumPy(PeerProgram):
    """Runge-Kutta code in NumPy for a free body. Only the first few samples are computed, because all samples would take a
    minute."""

    name = "numpy"
    title = "NumPy RK4"
    package = "numpy"
    compared_lanes = ("newton_euler",)

    def supports(self, problem: BenchmarkProblem) -> bool:
        return not problem.weight

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        loop = runpy.run_path(str(resources.asset_path("peers/numpy_loop.py")))
        derivative = loop["newton_euler"](np.diag(problem.moments))
        rows = [np.concatenate([problem.omega, problem.p])]
        started = time.thread_time()
        for _ in range(SAMPLES):
            rows.append(loop["rk4"](derivative, rows[-1], problem.dt, problem.steps_per_sample))
        return TimedSolution(np.array(rows)[:, 3:], time.thread_time() - started)
