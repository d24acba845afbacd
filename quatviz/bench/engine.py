"""`quatviz bench engine`: the time of a step, against the same RK4 in C and in a NumPy loop.

The peers are text in the checkout's `tests/peers`: C compiled here and now, NumPy as people write it. Everyone
runs the same torque-free problem; runs alternate, and medians are compared, so that a machine whose
speed wanders slows everyone alike.
"""

from __future__ import annotations

import ctypes
import runpy
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import quatviz
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.bench._figures import Figure
from quatviz.formulations import make_formulation
from quatviz.simulation.simulation import Simulation
from quatviz.text.preset import Lane, Preset

PLACE = 20

ROUNDS = 15
SAMPLES, EVERY = 1000, 100
NUMPY_STEPS = 300
FORMS = ("newton_euler", "hamilton")
"""Compared with C and with NumPy."""
AUGMENTED = ("lagrange_full", "lagrange_simplified")
"""Compared with NumPy, whose own 5x5 solve they have to beat."""
_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def measure(rounds: int = ROUNDS) -> list[Figure]:
    """Figures [ns per step] of each formulation, beside C, C about principal axes only, and the NumPy loop."""
    preset = quatviz.load_preset("torque_free")
    peers = _peers_folder()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        library = _compiled(peers / "rk4.c", Path(folder))
        loops = runpy.run_path(str(peers / "numpy_loop.py"))
        for form in FORMS:
            figures += _compare(form, _peers_of(form, preset, library, loops), preset, rounds)
        for form in AUGMENTED:
            figures += _compare(form, _loop_of(form, preset, loops), preset, rounds)
    return figures


def _peers_of(
    form: str, preset: Preset, library: ctypes.CDLL, loops: dict[str, Any]
) -> dict[str, Callable[[], float]]:
    start, inertia = _start(form, preset), preset.body.inertia
    return {
        "C": _in_c(getattr(library, f"rk4_{form}"), inertia, start),
        "C, principal axes": _in_c(getattr(library, f"rk4_{form}_principal"), inertia, start),
        **_loop_of(form, preset, loops),
    }


def _loop_of(form: str, preset: Preset, loops: dict[str, Any]) -> dict[str, Callable[[], float]]:
    derivative = loops[form](preset.body.inertia)
    return {"NumPy loop": _in_numpy(derivative, loops["rk4"], _start(form, preset))}


def _compare(form: str, peers: dict[str, Callable[[], float]], preset: Preset, rounds: int) -> list[Figure]:
    runs = {**peers, "": _ours(form, preset)}
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            samples[name].append(run())
    low, middle, high = statistics.quantiles(samples.pop(""), n=4)
    references = [Figure(name, statistics.median(times), "ns/step") for name, times in samples.items()]
    return [Figure(form, middle, "ns/step", one, spread=(high - low) / 2) for one in references]


def _start(form: str, preset: Preset) -> np.ndarray:
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    formulation = make_formulation(form)
    return formulation.start(p, omega, formulation.parameters(preset.body, ()))


def _ours(form: str, preset: Preset) -> Callable[[], float]:
    simulation = Simulation(_one_lane(preset, form))
    lane = simulation.lanes[0]
    lane.prepare()

    def run() -> float:
        fresh = Simulation(_one_lane(preset, form)).lanes[0]
        started = time.perf_counter()
        fresh.advance(SAMPLES)
        return (time.perf_counter() - started) / (SAMPLES * EVERY) * 1e9

    return run


def _one_lane(preset: Preset, form: str) -> Preset:
    run = replace(preset.run, sample_interval=EVERY * preset.run.dt, duration=SAMPLES * EVERY * preset.run.dt)
    return replace(preset, run=run, lanes=(Lane(form),))


def _in_c(function: Callable[..., None], inertia: np.ndarray, start: np.ndarray) -> Callable[[], float]:
    J = np.ascontiguousarray(inertia)
    inverse = np.ascontiguousarray(np.linalg.inv(inertia))
    rows = np.empty((SAMPLES, len(start)))

    def run() -> float:
        y = start.copy()
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (J, inverse, y, rows)]
        started = time.perf_counter()
        function(
            *pointers[:3], ctypes.c_double(1e-3), ctypes.c_long(SAMPLES), ctypes.c_long(EVERY), pointers[3]
        )
        return (time.perf_counter() - started) / (SAMPLES * EVERY) * 1e9

    return run


def _in_numpy(
    derivative: Callable[[np.ndarray], np.ndarray], rk4: Callable[..., np.ndarray], start: np.ndarray
) -> Callable[[], float]:
    def run() -> float:
        started = time.perf_counter()
        rk4(derivative, start, 1e-3, NUMPY_STEPS)
        return (time.perf_counter() - started) / NUMPY_STEPS * 1e9

    return run


def _peers_folder() -> Path:
    root = resources.checkout()
    if root is None or not (root / "tests" / "peers").is_dir():
        raise InputError(
            "quatviz bench engine",
            expected="a checkout of quatviz, whose tests/peers holds the C and NumPy loops to compare with",
            found="an installed copy without them",
            remedy="run it from a checkout: python3 quatviz/bootstrap.py run bench engine",
            topic="errors#benchmarks",
        )
    return root / "tests" / "peers"


def _compiled(source: Path, folder: Path) -> ctypes.CDLL:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise InputError(
            "quatviz bench engine",
            expected="a C compiler, for the loop to compare with",
            found="neither gcc nor cc",
            remedy="install one, on Debian and Ubuntu with: sudo apt install gcc libc6-dev",
            topic="errors#benchmarks",
        )
    library = folder / "rk4.so"
    subprocess.run([compiler, *_FLAGS, str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))
