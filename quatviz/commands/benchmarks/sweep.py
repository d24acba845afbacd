"""`quatviz bench sweep`: many runs at once, beside C that does the same; on two processors, a cluster, and as a map.

C is text among the assets, compiled here and now: the same bodies, eight in a register, the same steps, flips counted at the same
samples, and the same counts. Runs alternate, in processor time of one thread.
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
from quatviz.base.errors import InputError
from quatviz.commands.benchmarks._results import Figure, Finding, Remark
from quatviz.commands.benchmarks._timing import figure
from quatviz.commands.benchmarks._workers import compared

PLACE = 25

SIDE, STEPS, EVERY, DT = 320, 1000, 10, 1e-2
"""Starts along each axis: some 10^5; steps, steps for each sample, and the step [s]."""
MAP, MAP_STEPS = 400, 3000
COARSE = 10_000
"""Points of the map that is there first: every fourth along both axes."""
ROUNDS = 5
MANY = (100_000, 1_000_000)
"""Runs of which memory is compared."""
SPINS = ("initial.angular_velocity[0]", "initial.angular_velocity[2]")
_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def measure(rounds: int = ROUNDS) -> Iterator[Finding]:
    """Figures of `intermediate_axis` in Newton-Euler, started about all axes."""
    yield from _beside_c(rounds)
    yield from _on_two()
    yield from compared()
    yield from _map()
    yield from _memory()


def plan_of(side: int, steps: int, every: int = EVERY) -> SweepPlan:
    """Flips over two components of omega at the start."""
    axis = Axis.linear(-1.0, 1.0, side)
    return SweepPlan.of(
        quatviz.load_preset("intermediate_axis"), dict.fromkeys(SPINS, axis), lanes="newton_euler",
        dt=DT, sample_interval=every * DT, duration=steps * DT,
    )  # fmt: skip


def _beside_c(rounds: int) -> Iterator[Figure]:
    plan = plan_of(SIDE, STEPS)
    run_chunk(plan, 0, 4096)
    ours, theirs = [], []
    for _ in range(rounds):
        began = time.thread_time()
        found = run_chunk(plan, 0, plan.points)["flips"][0]
        ours.append((time.thread_time() - began) / plan.points / STEPS * 1e9)
        seconds, flips = in_c(plan, STEPS, EVERY)
        theirs.append(seconds / plan.points / STEPS * 1e9)
        assert (flips == found).all(), "C does not do the same"
    reference = figure("C, eight bodies in a register", theirs, "ns/step")
    mine = figure(f"{plan.points} starts of {STEPS} steps, one thread", ours, "ns/step", reference)
    yield Figure(mine.name, mine.value, mine.unit, reference, reach=reference.value / 0.9, spread=mine.spread)


def in_c(
    plan: SweepPlan, steps: int, every: int, start: int = 0, stop: int | None = None
) -> tuple[float, np.ndarray]:
    """Processor time [s] of C for the same runs, from `start` to `stop` of them, and the flips (n,) that it finds."""
    values = plan.values(plan.numbers(start, plan.points if stop is None else stop))
    count = -(-len(values) // 8) * 8
    states, flips = np.zeros((7, count)), np.zeros(count)
    states[[0, 2], : len(values)] = values.T
    states[1], states[3] = 2.0, 1.0
    moments = np.diagonal(plan.preset.body.inertia).copy()
    arrays = [array.ctypes.data_as(ctypes.c_void_p) for array in (moments, states, flips)]
    numbers = (ctypes.c_long(count), ctypes.c_long(steps // every), ctypes.c_long(every), ctypes.c_double(DT))
    function = _library().flips_of_many
    began = time.thread_time()
    function(arrays[0], *numbers, ctypes.c_int(1), arrays[1], arrays[2])
    return time.thread_time() - began, flips[: len(values)]


@cache
def _library() -> ctypes.CDLL:
    compiler = shutil.which("gcc")
    if compiler is None:
        raise InputError(
            "quatviz bench sweep", expected="gcc, for the loop to compare with", found="no such program",
            remedy="install it, on Debian and Ubuntu with: sudo apt install gcc libc6-dev", topic="errors#benchmarks",
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "many.so"
        subprocess.run([compiler, *_FLAGS, str(resources.asset("peers/many.c")), "-o", str(made)], check=True)
        return ctypes.CDLL(str(made))


def _on_two() -> Iterator[Figure]:
    """The same by one thread and by two, by the clock; and the same of C, which says what the second processor gives."""
    plan = plan_of(SIDE, STEPS)
    kinds = {"": _swept, "C, ": _swept_in_c}
    taken = {(kind, jobs): float("inf") for kind in kinds for jobs in (1, 2)}
    for _ in range(3):
        for kind, jobs in taken:
            began = time.perf_counter()
            kinds[kind](plan, jobs)
            taken[kind, jobs] = min(taken[kind, jobs], time.perf_counter() - began)
    gain = taken["C, ", 1] / taken["C, ", 2]
    for kind in kinds:
        one = Figure(f"{kind}one thread, by the clock", taken[kind, 1], "s")
        reach, why = (None, "") if kind else (one.value / 1.8, f"C itself is {gain:.2f} times as fast on two")
        yield Figure(f"{kind}two threads", taken[kind, 2], "s", one, reach, why=why)


def _swept(plan: SweepPlan, jobs: int) -> None:
    with Sweep(plan, jobs=jobs) as sweep:
        sweep.complete()


def _swept_in_c(plan: SweepPlan, jobs: int) -> None:
    """C lets go of Python's lock, too."""
    part = plan.points // jobs
    with ThreadPoolExecutor(jobs) as threads:
        starts = range(0, plan.points, part)
        list(threads.map(lambda start: in_c(plan, STEPS, EVERY, start, start + part), starts))


def _map() -> Iterator[Figure]:
    """A map of flips as it fills in, with two threads; kernels are kept already."""
    plan = plan_of(MAP, MAP_STEPS)
    began, coarse = time.perf_counter(), None
    with Sweep(plan, jobs=2) as sweep:
        while not sweep.done:
            sweep.poll(0.05)
            if coarse is None and sweep.computed >= COARSE:
                coarse = time.perf_counter() - began
        whole = time.perf_counter() - began
    name = f"map of {MAP} x {MAP} flips, {MAP_STEPS} steps each"
    yield Figure(f"{name}: every fourth point along both axes", coarse or whole, "s", reach=1.0)
    yield Figure(f"{name}: whole", whole, "s", reach=20.0)


def _memory() -> Iterator[Finding]:
    """The most memory that a process has had that computed so many runs of 100 steps."""
    if sys.platform == "win32":
        yield Remark("memory is not measured on Windows")
        return
    code = (
        "import sys, resource; from quatviz.commands.benchmarks.sweep import SweepPlan, Axis, Sweep; import quatviz\n"
        "axis = Axis.linear(-1.0, 1.0, int(sys.argv[1]))\n"
        "plan = SweepPlan.of(quatviz.load_preset('intermediate_axis'), {'initial.angular_velocity[0]': axis},"
        " lanes='newton_euler', dt=1e-2, sample_interval=0.1, duration=1.0)\n"
        "with Sweep(plan, jobs=2) as sweep: sweep.complete()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    most = []
    for count in MANY:
        done = subprocess.run(
            [sys.executable, "-c", code, str(count)], capture_output=True, text=True, check=True
        )
        most.append(int(done.stdout) / (2**20 if sys.platform == "darwin" else 2**10))
    first = Figure(f"most memory of {MANY[0]} runs", most[0], "MB")
    yield Figure(f"most memory of {MANY[1]} runs", most[1], "MB", first, reach=1024.0)
