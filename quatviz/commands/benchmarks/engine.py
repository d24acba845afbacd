"""`quatviz bench engine`: time per step of every formulation, compared with C and with a NumPy loop.

The reference codes are assets: C, compiled on this machine, and NumPy as commonly written. All codes run RK4 for the same
bodies about principal axes, free of torque and as a heavy top, and end with the same states. Steps are so short that no
formulation comes close to a singularity. Runs alternate and medians are compared, so that changes of the machine's speed
affect all.
"""

import ctypes
import runpy
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import quatviz
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.commands.benchmarks._timing import (
    ROUNDS,
    TimedRun,
    run_alternating,
    single_lane_preset,
    summarize,
    time_per_step,
)
from quatviz.files.preset import Preset
from quatviz.physics.formulations import make_formulation
from quatviz.physics.loads.gravity import Gravity
from quatviz.simulation.simulation import Simulation

PLACE = 20

SAMPLES, STEPS_PER_SAMPLE, DT = 1000, 100, 1e-7
NUMPY_STEPS = 300
PROBLEMS = {"free": "torque_free", "heavy": "heavy_top"}


class Peer(NamedTuple):
    """Reference codes for a formulation: a C function for each problem, and a NumPy derivative for the free body.

    The names of the C functions consist of `c_name` and the name of the problem.
    """

    lanes: dict[str, str]
    """Lane of the formulation by name of the problem ("free" or "heavy")."""
    c_name: str
    reach: dict[str, float]
    """Largest accepted ratio of the lane's time per step to that of C, by name of the problem."""
    numpy_name: str = ""


def _peer(lane: str, reach: float, *, free: float = 0.0, numpy_name: str = "") -> Peer:
    lanes = dict.fromkeys(PROBLEMS, lane)
    return Peer(lanes, lane.replace("/", "_"), {"free": free or reach, "heavy": reach}, numpy_name)


ANGLES = {"free": "euler_angles/321", "heavy": "euler_angles/313"}
"""Lane in Euler angles for each problem, by name of the problem. Its sequence is not singular at the start of the motion."""
PEERS = (
    _peer("newton_euler", 1.5, free=1.2, numpy_name="newton_euler"),
    _peer("hamilton", 1.5, free=1.2, numpy_name="hamilton"),
    _peer("hamilton_canonical", 1.5),
    _peer("lagrange_full/gradient_closed", 1.5),
    _peer("lagrange_simplified/gradient_closed", 1.5),
    _peer("udwadia_schutte", 1.5),
    Peer(ANGLES, "euler_angles", dict.fromkeys(PROBLEMS, 1.5)),
    _peer("reduced_euler_parameters", 1.5),
    _peer("modified_rodrigues", 1.5),
    _peer("rotation_vector", 1.5),
    _peer("lie_group", 1.5),
    # Each evaluation solves a system of four or five unknowns.
    _peer("lagrange_full/gradient", 2.0, numpy_name="lagrange_full"),
    _peer("lagrange_simplified/gradient", 2.0, numpy_name="lagrange_simplified"),
    _peer("lagrange_projected", 2.0),
    _peer("udwadia_schutte_fundamental/gradient", 2.0),
    _peer("udwadia_schutte_unconstrained", 2.0),
)
_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


class _Body(ctypes.Structure):
    """C structure `Body` of the file `rk4.c`."""

    _fields_ = (
        ("J", ctypes.c_double * 3),
        ("Ji", ctypes.c_double * 3),
        ("weight", ctypes.c_double),
        ("centre", ctypes.c_double * 3),
        ("J0", ctypes.c_double),
        ("axes", ctypes.c_double * 9),
    )


def measure(rounds: int = ROUNDS) -> Iterator[BenchmarkResult]:
    """Yield times [ns per step] of each formulation with and without load. Both are compared with C, and the time
    without load also with NumPy."""
    loops = runpy.run_path(str(resources.asset_path("peers/numpy_loop.py")))
    for problem in PROBLEMS:
        for peer in PEERS:
            yield from _compare(peer, problem, loops, rounds)


def peer_preset(peer: Peer, problem: str) -> Preset:
    """Return the preset of a problem with short steps and a single lane, that of the formulation of `peer`."""
    preset = quatviz.load_preset(PROBLEMS[problem])
    short_run = replace(preset, run=replace(preset.run, dt=DT, integrator="rk4"))
    return single_lane_preset(short_run, peer.lanes[problem], SAMPLES, STEPS_PER_SAMPLE)


def _compare(peer: Peer, problem: str, loops: dict[str, Any], rounds: int) -> Iterator[BenchmarkResult]:
    preset = peer_preset(peer, problem)
    runs = {"C": time_c_loop(peer, problem)[0], "ours": time_per_step(preset)}
    if problem == "free" and peer.numpy_name:
        derivative = loops[peer.numpy_name](preset.body.inertia)
        runs["NumPy loop"] = _time_numpy_loop(derivative, loops["rk4"], _initial_state(preset))
    times_by_run = run_alternating(runs, rounds)
    name, ours = f"{peer.lanes[problem]}, {problem}", times_by_run.pop("ours")
    for other, times in times_by_run.items():
        reference = summarize(other, times, "ns/step")
        reach = peer.reach[problem] * reference.value if other == "C" else None
        yield replace(summarize(name, ours, "ns/step", reference), reach=reach)


def _initial_state(preset: Preset) -> np.ndarray:
    """Return the initial state (k,) of the lane, in the variables of its formulation."""
    return Simulation(preset).lanes[0].history.rows[0].copy()


def time_c_loop(peer: Peer, problem: str) -> tuple[TimedRun, np.ndarray]:
    """Return a function that measures the time of a peer's C code on a problem, and the states (SAMPLES, k)
    that the C code computes."""
    preset = peer_preset(peer, problem)
    function, body, start = (
        load_c_library()[f"rk4_{peer.c_name}_{problem}"],
        c_body(preset),
        _initial_state(preset),
    )
    rows = np.empty((SAMPLES, len(start)))

    def run() -> float:
        y = start.copy()
        state, rows_pointer = (array.ctypes.data_as(ctypes.c_void_p) for array in (y, rows))
        numbers = ctypes.c_double(DT), ctypes.c_long(SAMPLES), ctypes.c_long(STEPS_PER_SAMPLE)
        started = time.thread_time()
        function(ctypes.byref(body), state, *numbers, rows_pointer)
        return (time.thread_time() - started) / (SAMPLES * STEPS_PER_SAMPLE) * 1e9

    return run, rows


def c_body(preset: Preset) -> _Body:
    moments = np.diag(preset.body.inertia)
    body = _Body(J0=float(moments.mean()))
    body.J[:], body.Ji[:] = moments.tolist(), (1.0 / moments).tolist()
    for load in preset.loads:
        assert isinstance(load, Gravity), "the C code supports gravity only"
        body.weight, body.centre[:] = load.weight, load.centre
    form = make_formulation(preset.lanes[0].formulation)
    if form.name == "euler_angles":
        body.axes[:] = np.eye(3)[[int(axis) - 1 for axis in form.variant]].ravel().tolist()
    return body


def _time_numpy_loop(
    derivative: Callable[[np.ndarray], np.ndarray], rk4: Callable[..., np.ndarray], start: np.ndarray
) -> TimedRun:
    def run() -> float:
        started = time.thread_time()
        rk4(derivative, start, DT, NUMPY_STEPS)
        return (time.thread_time() - started) / NUMPY_STEPS * 1e9

    return run


@cache
def load_c_library() -> ctypes.CDLL:
    """Return the library of C functions. The first call compiles it, which takes ten seconds."""
    with tempfile.TemporaryDirectory() as folder:
        return _compile_library(Path(folder))  # The library stays loaded when its file is deleted.


def _compile_library(folder: Path) -> ctypes.CDLL:
    """Compile the C library in `folder`, and load it."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise InputError(
            "quatviz bench engine",
            expected="a C compiler, for the reference code",
            found="neither gcc nor cc",
            remedy="install one, on Debian and Ubuntu with: sudo apt install gcc libc6-dev",
            topic="errors#benchmarks",
        )
    library_path, source = folder / "rk4.so", str(resources.asset_path("peers/rk4.c"))
    subprocess.run([compiler, *_FLAGS, source, "-lm", "-o", str(library_path)], check=True)
    return ctypes.CDLL(str(library_path))
