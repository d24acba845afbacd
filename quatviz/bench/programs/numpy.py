"""RK4 of Euler's equations in NumPy as people write it, from the checkout's `tests/peers`."""

import runpy
import time

import numpy as np

from quatviz.base import resources
from quatviz.bench.programs.base import Problem, Program, Solved

SAMPLES = 3


class NumPy(Program):
    """A free body, over the first few samples: all would take a minute."""

    name = "numpy"
    title = "NumPy RK4"
    package = "numpy"
    install = "run it from a checkout"
    beside = ("newton_euler",)

    @classmethod
    def is_there(cls) -> bool:
        return resources.checkout() is not None

    def takes(self, problem: Problem) -> bool:
        return not problem.weight

    def solve(self, problem: Problem) -> Solved:
        loop = runpy.run_path(str(resources.checkout() / "tests" / "peers" / "numpy_loop.py"))  # type: ignore[operator]
        derivative = loop["newton_euler"](np.diag(problem.moments))
        rows = [np.concatenate([problem.omega, problem.p])]
        started = time.thread_time()
        for _ in range(SAMPLES):
            rows.append(loop["rk4"](derivative, rows[-1], problem.dt, problem.every))
        return Solved(np.array(rows)[:, 3:], time.thread_time() - started)
