"""`quatviz bench sweep`: speed of many runs compared with C, with two threads, on a cluster, and as a map.

The C code is an asset that is compiled on this machine. It integrates the same bodies with the same steps, eight bodies
at a time in one register, and counts the same flips at the same samples. Runs alternate, and the processor time of one
thread is measured.
"""

import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

import quatviz
from quatviz.analysis.sweeps.axes import Axis
from quatviz.analysis.sweeps.chunk import run_chunk
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.base import resources
from quatviz.base.child_processes import python_command
from quatviz.base.errors import InputError
from quatviz.commands.benchmarks._results import BenchmarkOutput, BenchmarkResult, Remark
from quatviz.commands.benchmarks._timing import summarize
from quatviz.commands.benchmarks._workers import compare_executors

PLACE = 25

SIDE, STEPS, STEPS_PER_SAMPLE, DT = 320, 1000, 10, 1e-2
"""Size of the sweep: number of initial conditions along each of its two axes, number of steps of each run, steps per
sample, and step [s]."""
MAP, MAP_STEPS = 400, 3000
"""Number of points along each axis of the map, and steps of each run."""
COARSE = 10_000
"""Number of points of the coarse map, which has every fourth point along both axes and is computed before the other
points."""
ROUNDS = 5
MEMORY_RUNS = (100_000, 1_000_000)
"""Numbers of runs for which the memory of a sweep is compared."""
SPINS = ("initial.angular_velocity[0]", "initial.angular_velocity[2]")
_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def measure(rounds: int = ROUNDS) -> Iterator[BenchmarkOutput]:
    """Yield the results for `intermediate_axis` in Newton-Euler, with initial rotations about all axes."""
    yield from _compare_with_c(rounds)
    yield from _compare_threads()
    yield from compare_executors()
    yield from _measure_map()
    yield from _measure_memory()


def plan_of(side: int, steps: int, steps_per_sample: int = STEPS_PER_SAMPLE) -> SweepPlan:
    """Return the plan of a sweep that counts flips and varies two components of the initial omega."""
    axis = Axis.linear(-1.0, 1.0, side)
    return SweepPlan.create(
        quatviz.load_preset("intermediate_axis"), dict.fromkeys(SPINS, axis), lanes="newton_euler",
        dt=DT, sample_interval=steps_per_sample * DT, duration=steps * DT,
    )  # fmt: skip


def _compare_with_c(rounds: int) -> Iterator[BenchmarkResult]:
    plan = plan_of(SIDE, STEPS)
    run_chunk(plan, 0, 4096)
    ours, theirs = [], []
    for _ in range(rounds):
        started = time.thread_time()
        our_flips = run_chunk(plan, 0, plan.point_count)["flips"][0]
        ours.append((time.thread_time() - started) / plan.point_count / STEPS * 1e9)
        seconds, flips = run_c(plan, STEPS, STEPS_PER_SAMPLE)
        theirs.append(seconds / plan.point_count / STEPS * 1e9)
        assert (flips == our_flips).all(), "C computes different flips"
    reference = summarize("C, eight bodies in a register", theirs, "ns/step")
    result = summarize(f"{plan.point_count} starts of {STEPS} steps, one thread", ours, "ns/step", reference)
    yield BenchmarkResult(
        result.name, result.value, result.unit, reference, reach=reference.value / 0.9, spread=result.spread
    )


def run_c(
    plan: SweepPlan, steps: int, steps_per_sample: int, start: int = 0, stop: int | None = None
) -> tuple[float, np.ndarray]:
    """Return the processor time [s] that the C code takes for the runs from `start` to `stop`, and the number
    of flips (n,) that it counts in each run."""
    values = plan.values_at(plan.grid_indices(start, plan.point_count if stop is None else stop))
    count = -(-len(values) // 8) * 8
    states, flips = np.zeros((7, count)), np.zeros(count)
    states[[0, 2], : len(values)] = values.T
    states[1], states[3] = 2.0, 1.0
    moments = np.diagonal(plan.preset.body.inertia).copy()
    arrays = [array.ctypes.data_as(ctypes.c_void_p) for array in (moments, states, flips)]
    numbers = (
        ctypes.c_long(count),
        ctypes.c_long(steps // steps_per_sample),
        ctypes.c_long(steps_per_sample),
        ctypes.c_double(DT),
    )
    function = _load_c_library().flips_of_many
    started = time.thread_time()
    function(arrays[0], *numbers, ctypes.c_int(1), arrays[1], arrays[2])
    return time.thread_time() - started, flips[: len(values)]


@cache
def _load_c_library() -> ctypes.CDLL:
    compiler = shutil.which("gcc")
    if compiler is None:
        raise InputError(
            "quatviz bench sweep", expected="gcc, for the reference code", found="no such program",
            remedy="install it, on Debian and Ubuntu with: sudo apt install gcc libc6-dev", topic="errors#benchmarks",
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        library_path = Path(folder) / "many.so"
        subprocess.run(
            [compiler, *_FLAGS, str(resources.asset_path("peers/many.c")), "-o", str(library_path)],
            check=True,
        )
        return ctypes.CDLL(str(library_path))


def _compare_threads() -> Iterator[BenchmarkResult]:
    """Yield the elapsed times with one thread and with two. The times of the C code show how much the second processor
    can gain."""
    plan = plan_of(SIDE, STEPS)
    runners = {"": _run_sweep, "C, ": _run_c_in_threads}
    times = {(prefix, jobs): float("inf") for prefix in runners for jobs in (1, 2)}
    for _ in range(3):
        for prefix, jobs in times:
            started = time.perf_counter()
            runners[prefix](plan, jobs)
            times[prefix, jobs] = min(times[prefix, jobs], time.perf_counter() - started)
    gain = times["C, ", 1] / times["C, ", 2]
    for prefix in runners:
        single = BenchmarkResult(f"{prefix}one thread, elapsed time", times[prefix, 1], "s")
        reach, why = (
            (None, "") if prefix else (single.value / 1.8, f"C itself is {gain:.2f} times as fast on two")
        )
        yield BenchmarkResult(f"{prefix}two threads", times[prefix, 2], "s", single, reach, why=why)


def _run_sweep(plan: SweepPlan, jobs: int) -> None:
    with Sweep(plan, jobs=jobs) as sweep:
        sweep.complete()


def _run_c_in_threads(plan: SweepPlan, jobs: int) -> None:
    """Run the C code in `jobs` threads. The threads run in parallel, because the code is called without the GIL."""
    part = plan.point_count // jobs
    with ThreadPoolExecutor(jobs) as threads:
        starts = range(0, plan.point_count, part)
        list(threads.map(lambda start: run_c(plan, STEPS, STEPS_PER_SAMPLE, start, start + part), starts))


def _measure_map() -> Iterator[BenchmarkResult]:
    """Yield the time to complete a map of flips with two threads, when its kernels are already compiled."""
    plan = plan_of(MAP, MAP_STEPS)
    started, coarse = time.perf_counter(), None
    with Sweep(plan, jobs=2) as sweep:
        while not sweep.done:
            sweep.poll(0.05)
            if coarse is None and sweep.points_computed >= COARSE:
                coarse = time.perf_counter() - started
        total = time.perf_counter() - started
    name = f"map of {MAP} x {MAP} flips, {MAP_STEPS} steps each"
    yield BenchmarkResult(f"{name}: every fourth point along both axes", coarse or total, "s", reach=1.0)
    yield BenchmarkResult(f"{name}: whole", total, "s", reach=20.0)


def _measure_memory() -> Iterator[BenchmarkOutput]:
    """Yield the peak memory of sweeps with 100 steps per run, one for each number of runs in `MEMORY_RUNS`. Each sweep
    has its own process."""
    if sys.platform == "win32":
        yield Remark("memory is not measured on Windows")
        return
    code = (
        "import sys, resource; from quatviz.commands.benchmarks.sweep import SweepPlan, Axis, Sweep; import quatviz\n"
        "axis = Axis.linear(-1.0, 1.0, int(sys.argv[1]))\n"
        "plan = SweepPlan.create(quatviz.load_preset('intermediate_axis'), {'initial.angular_velocity[0]': axis},"
        " lanes='newton_euler', dt=1e-2, sample_interval=0.1, duration=1.0)\n"
        "with Sweep(plan, jobs=2) as sweep: sweep.complete()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peak_memory = []
    for count in MEMORY_RUNS:
        process = subprocess.run(
            python_command("-c", code, str(count)), capture_output=True, text=True, check=True
        )
        peak_memory.append(int(process.stdout) / (2**20 if sys.platform == "darwin" else 2**10))
    first = BenchmarkResult(f"peak memory of {MEMORY_RUNS[0]} runs", peak_memory[0], "MB")
    yield BenchmarkResult(f"peak memory of {MEMORY_RUNS[1]} runs", peak_memory[1], "MB", first, reach=1024.0)
