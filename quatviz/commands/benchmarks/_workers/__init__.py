"""Comparison of worker processes with a local Dask cluster of as many workers, for the same sweep."""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import quatviz
from quatviz.analysis.executors.factory import PROCESSES
from quatviz.analysis.executors.workers import processor_count
from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.commands.benchmarks._timing import run_alternating, summarize
from quatviz.files.preset import Preset

SIDE = 400
"""Number of values of each of the two parameters that the sweep varies."""
MAX_TIME_RATIO = 1.15
"""Largest accepted ratio of the time of a cluster to that of processes."""


def compare_executors(rounds: int = 5, side: int = SIDE) -> Iterator[BenchmarkResult]:
    """Yield the times [s] of a sweep of `side` x `side` runs that count flips, first with processes and then with a cluster.

    The times include the start of the workers.
    """
    preset = quatviz.load_preset("intermediate_axis")
    over = {f"initial.angular_velocity[{axis}]": np.linspace(-1, 1, side) for axis in (0, 2)}
    for address in _cluster_addresses():
        runs = {
            name: partial(_seconds, preset, over, executor)
            for name, executor in (("processes", PROCESSES), ("Dask", address))
        }
        for run in runs.values():
            run()  # The first run compiles kernels and identifies the workers.
        times = run_alternating(runs, rounds)
        reference = summarize("processes", times["processes"], "s")
        yield reference
        yield summarize("Dask", times["Dask"], "s", reference)


def _cluster_addresses() -> Iterator[str]:
    """Start a local cluster, yield its address, and close the cluster at the end of the context."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=processor_count(),
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        memory_limit=0,
    ) as cluster:
        yield cluster.scheduler_address


def _seconds(preset: Preset, over: Mapping[str, Any], executor: str) -> float:
    started = time.perf_counter()
    quatviz.sweep(preset, over, lanes="newton_euler", dt=1e-2, executor=executor, jobs=processor_count())
    return time.perf_counter() - started
