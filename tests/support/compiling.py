"""Compilation of kernels in forked processes, to limit the memory of test workers.

Compilation leaves 5 to 25 MB in memory for each kernel, and a worker needs about fifty kernels. A worker that uses more than
`MEMORY_LIMIT` compiles a kernel in a fork, which writes it to the cache, and loads it from there. The first kernels are compiled
in the worker itself, because functions that many kernels share are then compiled only once. Compilation in a fork takes 20 %
longer.
"""

import inspect
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from quatviz.commands.benchmarks._memory import resident_memory
from quatviz.physics.kernels.cache import KernelCache

KERNEL_PREFIX = "quatviz."
"""Prefix of modules whose kernels are compiled in forks. Kernels that tests define are not: their compilations are counted."""
MEMORY_LIMIT = 600.0
"""Resident memory above which kernels are compiled in forks [MB]."""
TIMEOUT = 60.0
"""Time limit of a fork [s]. A fork may block on a lock that a thread of its parent held."""

_load = KernelCache.load_overload
_PATCH = pytest.MonkeyPatch()


def compile_in_forks() -> None:
    """Compile in forked processes from now on, if the system can fork and reports its memory."""
    if sys.platform.startswith("linux"):
        _PATCH.setattr(KernelCache, "load_overload", load_overload)


def load_overload(cache: KernelCache, signature: Any, target_context: Any) -> Any:
    """Replace `KernelCache.load_overload`: compile a missing kernel in a fork first, if this process uses too much memory.

    If the fork fails, the kernel is still missing, and this process compiles it and reports the error.
    """
    overload = _load(cache, signature, target_context)
    path = cache.path_of(signature) if overload is None else None
    if path is None or not path.name.startswith(KERNEL_PREFIX) or resident_memory() < MEMORY_LIMIT:
        return overload
    caller = inspect.currentframe()
    assert caller is not None
    assert caller.f_back is not None
    dispatcher = caller.f_back.f_locals["self"]  # the Numba dispatcher, which is not an argument
    _run_in_fork(lambda: dispatcher.compile(signature))
    return _load(cache, signature, target_context)


def _run_in_fork(action: Callable[[], object]) -> None:
    """Run `action` in a fork of this process and wait until it exits.

    Private: `_exit`, because the fork must not run the exit handlers of this process.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads, which a fork does not have
        child = os.fork()
    if child == 0:
        status = 1
        try:
            _PATCH.setattr(KernelCache, "load_overload", lambda *_: None)
            action()
            status = 0
        finally:
            os._exit(status)
    limit = time.monotonic() + TIMEOUT
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > limit:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.005)
