"""RK4 of Euler's equations in C, from the checkout's `tests/peers`, compiled here and now."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np

from quatviz.base import resources
from quatviz.bench.programs.base import Problem, Program, Solved

_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


class C(Program):
    """A free body, with its full inertia matrix."""

    name = "c"
    title = "C RK4"
    package = ""
    install = "run it from a checkout, with a C compiler: sudo apt install gcc libc6-dev"
    beside = ("newton_euler",)

    @classmethod
    def is_there(cls) -> bool:
        return resources.checkout() is not None and shutil.which("gcc") is not None

    def takes(self, problem: Problem) -> bool:
        return not problem.weight

    def solve(self, problem: Problem) -> Solved:
        inertia = np.diag(problem.moments)
        rows = np.empty((problem.samples, 7))
        state = np.concatenate([problem.omega, problem.p])
        arrays = (inertia, np.linalg.inv(inertia), state, rows)
        J, Ji, y, out = (array.ctypes.data_as(ctypes.c_void_p) for array in arrays)
        steps = ctypes.c_double(problem.dt), ctypes.c_long(problem.samples), ctypes.c_long(problem.every)
        function = _library().rk4_newton_euler
        started = time.thread_time()
        function(J, Ji, y, *steps, out)
        seconds = time.thread_time() - started
        return Solved(np.vstack([problem.p, rows[:, 3:]]), seconds)


@cache
def _library() -> ctypes.CDLL:
    source = Path(str(resources.checkout())) / "tests" / "peers" / "rk4.c"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "rk4.so"
        subprocess.run(["gcc", *_FLAGS, str(source), "-o", str(made)], check=True)
        return ctypes.CDLL(str(made))  # stays loaded where its file is gone
