"""Kernels that a process of the tests needs when it has grown large are compiled by a copy of it, which ends when it has written
one; the process loads it.

What compiles keeps 5 to 25 MB for each kernel, and a worker needs some fifty. The first of them it compiles itself: what one
kernel has in common with the next is compiled once, and so is at hand in the copies, which take a fifth more time all the same.
"""

import inspect
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quatviz.physics.kernels.cache import KernelCache

KERNEL_PREFIX = "quatviz."
"""What is kept of modules whose names begin so is compiled by copies; of what tests define they count how often it is."""
MEMORY_LIMIT = 600 << 20
"""Bytes of memory from which on copies compile."""
TIMEOUT = 60.0
"""Seconds after which a copy is given up: it may wait for what a thread held that it does not have."""

_load = KernelCache.load_overload
_PATCH = pytest.MonkeyPatch()


def compile_in_forks() -> None:
    """Compile in forked processes from now on, if the system can fork and reports its memory."""
    if sys.platform.startswith("linux"):
        _PATCH.setattr(KernelCache, "load_overload", load_overload)


def load_overload(cache: KernelCache, signature: Any, target_context: Any) -> Any:
    """As that of the cache, which has the kernel by then, unless it could not be compiled or kept: then this process compiles it,
    and says why."""
    overload = _load(cache, signature, target_context)
    path = cache.path_of(signature) if overload is None else None
    if path is None or not path.name.startswith(KERNEL_PREFIX) or _used_memory() < MEMORY_LIMIT:
        return overload
    caller = inspect.currentframe()
    assert caller is not None
    assert caller.f_back is not None
    dispatcher = caller.f_back.f_locals["self"]  # numba's, which a cache is not told of
    _run_in_fork(lambda: dispatcher.compile(signature))
    return _load(cache, signature, target_context)


def _used_memory() -> int:
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _run_in_fork(action: Callable[[], object]) -> None:
    """Do this in a copy of this process, and wait for its end.

    Private: `_exit`, for a copy is to do nothing else that this process would do before its end.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which a copy does not have
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
