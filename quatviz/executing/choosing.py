"""From what a person says to those who compute."""

from concurrent.futures import Executor

from quatviz.base.errors import InputError
from quatviz.base.parameters import shown
from quatviz.executing.given import Given
from quatviz.executing.processes import Processes
from quatviz.executing.threads import Threads
from quatviz.executing.workers import Workers

THREADS, PROCESSES = "threads", "processes"
KINDS = {THREADS: Threads, PROCESSES: Processes}


def workers_of(said: object, *, jobs: int | None = None, nice: int = 0) -> Workers:
    """Those who compute: `threads` of this process, `processes` of this machine, which give way to others by `nice`, or any
    executor of `concurrent.futures`. `jobs` of them, one for each processor if left out. `InputError` for what is none."""
    if isinstance(said, Workers):
        return said
    if isinstance(said, Executor):
        return Given(said, jobs)
    if said == THREADS:
        return Threads(jobs)
    if said == PROCESSES:
        return Processes(jobs, nice)
    raise InputError(
        "executor", expected="threads, processes, or an executor of concurrent.futures", found=shown(said),
        remedy='write "processes", or leave it out', key="executor", topic="clusters#who-computes",
    )  # fmt: skip
