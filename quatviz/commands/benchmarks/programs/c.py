"""RK4 of Euler's equations in C, from the assets, compiled here and now."""

import ctypes
import shutil
import time

import numpy as np

from quatviz.commands.benchmarks.engine import body_of, library
from quatviz.commands.benchmarks.programs.base import Problem, Program, Solved


class C(Program):
    """A body about its principal axes, free or under gravity."""

    name = "c"
    title = "C RK4"
    package = ""
    install = "it needs a C compiler: sudo apt install gcc libc6-dev"
    beside = ("newton_euler",)

    @classmethod
    def is_there(cls) -> bool:
        return shutil.which("gcc") is not None

    def solve(self, problem: Problem) -> Solved:
        state = np.concatenate([problem.omega, problem.p])
        rows = np.empty((problem.samples, len(state)))
        y, written = (array.ctypes.data_as(ctypes.c_void_p) for array in (state, rows))
        numbers = ctypes.c_double(problem.dt), ctypes.c_long(problem.samples), ctypes.c_long(problem.every)
        function = library()[f"rk4_newton_euler_{'heavy' if problem.weight else 'free'}"]
        body = ctypes.byref(body_of(problem.preset))
        started = time.thread_time()
        function(body, y, *numbers, written)
        seconds = time.thread_time() - started
        return Solved(np.vstack([problem.p, rows[:, 3:]]), seconds)
