"""RK4 of Euler's equations in NumPy as people write it, from the assets."""

import runpy
import time

import numpy as np

from quatviz.base import resources
from quatviz.commands.benchmarks.programs.base import Problem, Program, Solved

SAMPLES = 3


class NumPy(Program):
    """A free body, over the first few samples: all would take a minute."""

    name = "numpy"
    title = "NumPy RK4"
    package = "numpy"
    beside = ("newton_euler",)

    def takes(self, problem: Problem) -> bool:
        return not problem.weight

    def solve(self, problem: Problem) -> Solved:
        loop = runpy.run_path(str(resources.asset("peers/numpy_loop.py")))
        derivative = loop["newton_euler"](np.diag(problem.moments))
        rows = [np.concatenate([problem.omega, problem.p])]
        started = time.thread_time()
        for _ in range(SAMPLES):
            rows.append(loop["rk4"](derivative, rows[-1], problem.dt, problem.every))
        return Solved(np.array(rows)[:, 3:], time.thread_time() - started)
