"""RK4 of Euler's equations in C, from the assets, compiled on this machine."""

import ctypes
import shutil
import time

import numpy as np

from quatviz.commands.benchmarks.engine import c_body, load_c_library
from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram, TimedSolution


class C(PeerProgram):
    """Runge-Kutta code in C for a body about its principal axes, free or under gravity."""

    name = "c"
    title = "C RK4"
    package = ""
    install = "it needs a C compiler: sudo apt install gcc libc6-dev"
    compared_lanes = ("newton_euler",)

    @classmethod
    def is_installed(cls) -> bool:
        return shutil.which("gcc") is not None

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        state = np.concatenate([problem.omega, problem.p])
        rows = np.empty((problem.samples, len(state)))
        y, rows_pointer = (array.ctypes.data_as(ctypes.c_void_p) for array in (state, rows))
        numbers = (
            ctypes.c_double(problem.dt),
            ctypes.c_long(problem.samples),
            ctypes.c_long(problem.steps_per_sample),
        )
        function = load_c_library()[f"rk4_newton_euler_{'heavy' if problem.weight else 'free'}"]
        body = ctypes.byref(c_body(problem.preset))
        started = time.thread_time()
        function(body, y, *numbers, rows_pointer)
        seconds = time.thread_time() - started
        return TimedSolution(np.vstack([problem.p, rows[:, 3:]]), seconds)
