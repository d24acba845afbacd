"""From what a person says to those who compute."""

import re
from concurrent.futures import Executor

from quatviz.analysis.executors.cluster import Cluster
from quatviz.analysis.executors.external_executor import Given
from quatviz.analysis.executors.processes import Processes
from quatviz.analysis.executors.threads import Threads
from quatviz.analysis.executors.workers import Workers
from quatviz.base.errors import InputError
from quatviz.base.parameters import shown

THREADS, PROCESSES = "threads", "processes"
_ADDRESS = re.compile(r"[a-z]+://\S+|[\w.-]+:\d+(\?\S*)?")


def workers_of(
    said: object, module: str, *, jobs: int | None = None, nice: int = 0, waits: bool = True
) -> Workers:
    """Those who compute functions of a module: `threads` of this process, `processes` of this machine, which give way to others
    by `nice`, those of a Dask scheduler by its address, file or client, or any executor of `concurrent.futures`. `jobs` of them,
    one for each processor if left out; a scheduler knows its own. Raises `InputError` for what is none, and for a scheduler that
    does not answer; with `waits` off that is told by every future instead."""
    if isinstance(said, Workers):
        return said
    if isinstance(said, Executor):
        return Given(said, jobs)
    if said == THREADS:
        return Threads(jobs)
    if said == PROCESSES:
        return Processes(jobs, nice)
    if _is_scheduler(said):
        return Cluster(said, module, waits=waits)
    raise InputError(
        "executor", expected="threads, processes, the address of a scheduler, or an executor of concurrent.futures",
        found=shown(said), remedy='write for example "processes" or "tcp://host:8786", or leave it out',
        key="executor", topic="clusters#who-computes",
    )  # fmt: skip


def _is_scheduler(said: object) -> bool:
    if isinstance(said, str):
        return _ADDRESS.fullmatch(said) is not None or said.endswith(".json")
    return type(said).__module__.partition(".")[0] == "distributed" and hasattr(said, "scheduler_info")
