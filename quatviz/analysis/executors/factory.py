"""Creation of workers from the user's choice of executor."""

import re
from concurrent.futures import Executor

from quatviz.analysis.executors.cluster import Cluster
from quatviz.analysis.executors.external_executor import ExternalExecutor
from quatviz.analysis.executors.processes import ProcessWorkers
from quatviz.analysis.executors.threads import ThreadWorkers
from quatviz.analysis.executors.workers import Workers
from quatviz.base.errors import InputError
from quatviz.base.parameters import quote_value

THREADS, PROCESSES = "threads", "processes"
_ADDRESS = re.compile(r"[a-z]+://\S+|[\w.-]+:\d+(\?\S*)?")


def create_workers(
    executor: object, module: str, *, jobs: int | None = None, nice: int = 0, wait: bool = True
) -> Workers:
    """Return workers for functions of a module.

    Parameters
    ----------
    executor
        "threads" of this process, "processes" of this machine, a Dask scheduler (its address, scheduler file or
        client), or any executor of `concurrent.futures`.
    module
        Name of the module whose functions are computed. A cluster compares the code that this module imports.
    jobs
        Number of workers; by default one for each processor. Not used for a scheduler.
    nice
        Niceness of the processes. Processes with larger values leave the processor to other programs.
    wait
        True to wait until a scheduler answers. Otherwise its refusal is raised by every future.

    Returns
    -------
    Workers
        The workers; close them after use.

    Raises
    ------
    InputError
        If `executor` is not valid, or a scheduler does not answer.
    """
    if isinstance(executor, Workers):
        return executor
    if isinstance(executor, Executor):
        return ExternalExecutor(executor, jobs)
    if executor == THREADS:
        return ThreadWorkers(jobs)
    if executor == PROCESSES:
        return ProcessWorkers(jobs, nice)
    if _is_scheduler(executor):
        return Cluster(executor, module, wait=wait)
    raise InputError(
        "executor", expected="threads, processes, the address of a scheduler, or an executor of concurrent.futures",
        found=quote_value(executor), remedy='write for example "processes" or "tcp://host:8786", or leave it out',
        key="executor", topic="clusters#choose-an-executor",
    )  # fmt: skip


def _is_scheduler(value: object) -> bool:
    if isinstance(value, str):
        return _ADDRESS.fullmatch(value) is not None or value.endswith(".json")
    return type(value).__module__.partition(".")[0] == "distributed" and hasattr(value, "scheduler_info")
