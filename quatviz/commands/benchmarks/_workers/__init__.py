"""The same sweep by processes and by a Dask cluster of as many workers on this machine, by turns."""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import quatviz
from quatviz.analysis.executors.factory import PROCESSES
from quatviz.analysis.executors.workers import processors
from quatviz.commands.benchmarks._results import Figure
from quatviz.commands.benchmarks._timing import by_turns, figure
from quatviz.files.preset import Preset

SIDE = 400
"""Values of each of two axes."""
WITHIN = 1.15
"""How much longer a cluster may take than processes."""


def compared(rounds: int = 5, side: int = SIDE) -> Iterator[Figure]:
    """A sweep of `side` x `side` flips [s], from the call to its end, each with its own start; those of processes first."""
    preset = quatviz.load_preset("intermediate_axis")
    over = {f"initial.angular_velocity[{axis}]": np.linspace(-1, 1, side) for axis in (0, 2)}
    for address in _addresses():
        runs = {
            name: partial(_seconds, preset, over, said)
            for name, said in (("processes", PROCESSES), ("Dask", address))
        }
        for run in runs.values():
            run()  # kernels are compiled, and workers know what they are
        taken = by_turns(runs, rounds)
        reference = figure("processes", taken["processes"], "s")
        yield reference
        yield figure("Dask", taken["Dask"], "s", reference)


def _addresses() -> Iterator[str]:
    """That of a cluster, which is there meanwhile."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=processors(), threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
    ) as cluster:
        yield cluster.scheduler_address


def _seconds(preset: Preset, over: Mapping[str, Any], executor: str) -> float:
    began = time.perf_counter()
    quatviz.sweep(preset, over, lanes="newton_euler", dt=1e-2, executor=executor, jobs=processors())
    return time.perf_counter() - began
