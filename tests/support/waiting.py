"""Wait for a condition, not for time: a busy machine takes longer for everything."""

import time
from collections.abc import Callable

TIMEOUT_SECONDS = 300.0
"""Seconds that a test waits at most for another process, which may have to compile first, on a machine that does much else."""


def wait_for(condition: Callable[[], object], seconds: float = TIMEOUT_SECONDS) -> None:
    """Wait until the condition is true, without a window."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not true within {seconds:g} s"
        time.sleep(0.02)
